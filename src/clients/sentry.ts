import { randomUUID } from 'node:crypto';
import type { SentryAddress } from '../sentry-dsn.ts';
import type { ErrorEntry } from '../services/monitor/error-lines.ts';

const TIMEOUT_MS = 5_000;
/** A flood of one fault must not become a flood there. */
const MOST_WAITING = 50;
const USUAL_PAUSE_SECONDS = 60;

type Options = SentryAddress & { release: string; server: string; now?: () => number };

/**
 * Sends errors as envelopes, one at a time. Not Sentry's own package: it brings a hundred others, and what it gathers by
 * itself (addresses with tokens in them, bodies) passes by the place where secrets are cut. Here only lines of the log go
 * out, after that. An error that cannot be sent is dropped: it is in the log and in the owner's file.
 */
export function createSentry({ url, key, release, server, now = Date.now }: Options) {
  const waiting: ErrorEntry[] = [];
  let sending: Promise<void> | null = null;
  let quietUntil = 0;
  return { report, idle: () => sending ?? Promise.resolve() };

  function report(entry: ErrorEntry): void {
    if (waiting.length >= MOST_WAITING || now() < quietUntil) return;
    waiting.push(entry);
    sending ??= drain().finally(() => {
      sending = null;
    });
  }

  async function drain(): Promise<void> {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      try {
        await send(entry);
      } catch {
        // Not logged: the line about it would come back here.
        quietUntil = now() + USUAL_PAUSE_SECONDS * 1000;
        waiting.length = 0;
      }
    }
  }

  async function send(entry: ErrorEntry): Promise<void> {
    const id = randomUUID().replaceAll('-', '');
    const lines = [
      { event_id: id, sent_at: new Date(now()).toISOString() },
      { type: 'event' },
      eventOf(id, entry),
    ];
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-sentry-envelope',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=seo-master/${release}, sentry_key=${key}`,
      },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.status !== 429) return;
    quietUntil = now() + (Number(response.headers.get('retry-after')) || USUAL_PAUSE_SECONDS) * 1000;
    waiting.length = 0;
  }

  function eventOf(id: string, { at, level, message, code, userId, correlation, stack }: ErrorEntry) {
    const [title = message] = message.split('\n');
    return {
      event_id: id,
      timestamp: at.getTime() / 1000,
      platform: 'node',
      level: level === 'error' ? 'error' : 'warning',
      release: `seo-master@${release}`,
      server_name: server,
      exception: { values: [{ type: code ?? 'Error', value: title }] },
      // One fault, one issue: numbers in its words differ from time to time.
      fingerprint: [code ?? '', title.replace(/\d+/gu, '#')],
      tags: { ...(code !== null && { code }) },
      ...(userId !== null && { user: { id: String(userId) } }),
      extra: { correlation, stack },
    };
  }
}
