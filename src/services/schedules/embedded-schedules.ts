import { callOnce } from '../../clients/http/call-once.ts';
import type { Log } from '../../log.ts';
import type { QueuedCall, ScheduledCalls } from '../../store/scheduled-calls.ts';
import { lastSlot, nextSlot } from './cron.ts';
import type { LaterCall, RecurringCall, Schedules } from './schedules.ts';
import { signCall } from './sign-call.ts';
import { waitingSinceHeader } from './triggers.ts';

/** A slot is noticed this late at most. */
const TICK_MS = 1_000;
const MOST_AT_ONCE = 20;
/** A process that died gives its deliveries back after this; a living one renews at a third of it. */
const LEASE_MS = 60_000;
/** As QStash waits for an answer at most. */
const PATIENCE_MS = 15 * 60_000;
const RETRIES = 3;
const LONGEST_PAUSE_SECONDS = 86_400;

type Deps = {
  store: ScheduledCalls;
  signingKey: string;
  /** What the signature names: the address by which the endpoints know themselves. */
  publicUrl: string;
  /** Where this process listens; null until it does. */
  ownUrl(): string | null;
  log: Log;
  now?: () => number;
};

type EmbeddedSchedules = Schedules & {
  start(): void;
  tick(): Promise<void>;
  /** Resolves when the deliveries under way were answered. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * QStash's part of the work for an installation without it: the same signed calls to the same endpoints, from tables in
 * our own database. Any number of processes share them, and each delivers to itself.
 */
export function createEmbeddedSchedules({
  store,
  signingKey,
  publicUrl,
  ownUrl,
  log,
  now = Date.now,
}: Deps): EmbeddedSchedules {
  const delivering = new Map<string, Promise<void>>();
  let timers: NodeJS.Timeout[] = [];
  let ticking: Promise<void> | null = null;
  return {
    set,
    remove: store.remove,
    later,
    ids: store.ids,
    ping: store.nearest,
    start,
    tick,
    settled,
    stop,
  };

  async function set({ id, path, cron, timeZone, body, failurePath = '' }: RecurringCall): Promise<void> {
    const call = { id, path, cron, timeZone, body: JSON.stringify(body), failurePath: failurePath || null };
    await store.set(call, nextSlot(cron, timeZone, now()));
  }

  async function later({ id, path, body, delaySeconds }: LaterCall): Promise<void> {
    const notBefore = now() + delaySeconds * 1_000;
    await store.queue({
      id,
      scheduleId: null,
      path,
      body: JSON.stringify(body),
      failurePath: null,
      notBefore,
      queuedAt: notBefore,
    });
  }

  function start(): void {
    timers = [
      setInterval(() => {
        ticking ??= tick()
          .catch((error) => log.error({ err: error }, 'schedules could not be looked through'))
          .finally(() => {
            ticking = null;
          });
      }, TICK_MS),
      setInterval(() => {
        store
          .renew([...delivering.keys()], now() + LEASE_MS)
          .catch((error) => log.warn({ err: error }, 'deliveries of schedules could not be held'));
      }, LEASE_MS / 3),
    ];
  }

  /** Queues what is due, and begins as many deliveries as there is room for. */
  async function tick(): Promise<void> {
    // After an outage only the last missed slot is called: whether it is too late, its endpoint knows.
    await store.queueDue(now(), ({ cron, timeZone }) => ({
      slot: lastSlot(cron, timeZone, now()),
      next: nextSlot(cron, timeZone, now()),
    }));
    const room = MOST_AT_ONCE - delivering.size;
    const address = ownUrl();
    if (room <= 0 || !address) return;
    for (const call of await store.claim(room, now(), LEASE_MS)) {
      const delivery = deliver(call, address)
        .catch((error) => log.warn({ err: error, call: call.id }, 'a scheduled call could not be settled'))
        .finally(() => delivering.delete(call.id));
      delivering.set(call.id, delivery);
    }
  }

  async function deliver(call: QueuedCall, address: string): Promise<void> {
    const { id, scheduleId, path, body, attempt } = call;
    const answer = await callOnce(`scheduled call ${path}`, address + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'upstash-signature': signCall({ key: signingKey, url: publicUrl + path, body }),
        'upstash-message-id': id,
        'upstash-retried': String(attempt),
        [waitingSinceHeader]: String(call.queuedAt),
        ...(scheduleId && { 'upstash-schedule-id': scheduleId }),
      },
      body,
      timeoutMs: PATIENCE_MS,
    }).catch((error) => {
      log.warn({ err: error, call: id }, 'a scheduled call was not answered');
      return { status: 0, retryAfterMs: null, text: '' };
    });
    if (answer.status >= 200 && answer.status < 300) return store.settle(id);
    const isFinal = answer.status === 489 || attempt >= RETRIES;
    if (isFinal) return giveUp(call, answer);
    const wait = answer.retryAfterMs ?? pauseSeconds(attempt + 1) * 1_000;
    log.info({ call: id, status: answer.status, waitMs: wait }, 'a scheduled call will be made again');
    await store.putOff(id, attempt + 1, now() + wait);
  }

  async function giveUp(call: QueuedCall, answer: { status: number; text: string }): Promise<void> {
    const { id, scheduleId, path, body, failurePath, attempt } = call;
    log.warn({ call: id, status: answer.status, tries: attempt + 1 }, 'a scheduled call was given up');
    const told = {
      status: answer.status,
      body: Buffer.from(answer.text).toString('base64'),
      retried: attempt,
      maxRetries: RETRIES,
      sourceMessageId: id,
      url: publicUrl + path,
      method: 'POST',
      sourceBody: Buffer.from(body).toString('base64'),
      createdAt: now(),
      ...(scheduleId && { scheduleId }),
    };
    const failure = failurePath
      ? {
          id: `${id}:failure`,
          scheduleId,
          path: failurePath,
          body: JSON.stringify(told),
          failurePath: null,
          notBefore: now(),
          queuedAt: now(),
        }
      : null;
    await store.settle(id, failure);
  }

  async function settled(): Promise<void> {
    await Promise.all(delivering.values());
  }

  /** No new deliveries; those under way may end. */
  async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    await ticking;
    await settled();
  }
}

/** As QStash waits: 12 s, two and a half minutes, half an hour. */
export const pauseSeconds = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_SECONDS, Math.round(Math.exp(2.5 * attempt)));
