import { Client, QstashError } from '@upstash/qstash';
import type { LaterCall, RecurringCall, Schedules } from '../services/schedules/schedules.ts';
import { withDeadline } from './http/deadline.ts';

type QStashSettings = { baseUrl: string; token: string };

/** A person waits for it behind a button. */
const PATIENCE_MS = 15_000;
const RETRIES = 3;
/**
 * Calls of one endpoint that QStash has open at once; the others wait there. Without it a thousand schedules of one hour
 * would come together, be turned away for lack of room, and be given up after the third time. Twice what a process runs.
 */
const PARALLELISM = 20;

/** Calls to our endpoints through QStash, which knows us by our public address. */
export function createQStash({
  baseUrl,
  token,
  publicUrl,
}: QStashSettings & { publicUrl: string }): Schedules {
  // Repeating is safe: a schedule has an id of ours, and a message one by which QStash drops a second.
  const client = new Client({
    baseUrl,
    token,
    devMode: false,
    enableTelemetry: false,
    retry: { retries: 2 },
  });
  return { set, remove, later, ids, ping };

  async function set({ id, path, cron, timeZone, body, failurePath }: RecurringCall): Promise<void> {
    await ask(() =>
      client.schedules.create({
        scheduleId: id,
        destination: publicUrl + path,
        cron: `CRON_TZ=${timeZone} ${cron}`,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
        retries: RETRIES,
        flowControl: flowOf(path),
        ...(failurePath && { failureCallback: publicUrl + failurePath }),
      }),
    );
  }

  async function remove(id: string): Promise<void> {
    try {
      await ask(() => client.schedules.delete(id));
    } catch (error) {
      if (error instanceof QstashError && error.status === 404) return;
      throw error;
    }
  }

  async function later({ id, path, body, delaySeconds }: LaterCall): Promise<void> {
    await ask(() =>
      client.publish({
        url: publicUrl + path,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
        delay: delaySeconds,
        deduplicationId: id,
        retries: RETRIES,
        flowControl: flowOf(path),
      }),
    );
  }

  async function ids(): Promise<string[]> {
    const schedules = await ask(() => client.schedules.list());
    return schedules.map(({ scheduleId }) => scheduleId);
  }

  async function ping(): Promise<void> {
    await ids();
  }

  /** The package has no time limit of its own and takes no signal: its late answer is dropped. */
  function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return withDeadline(PATIENCE_MS, undefined, (ended) => {
      const late = new Promise<never>((_, reject) =>
        ended.addEventListener('abort', () => reject(ended.reason), { once: true }),
      );
      return Promise.race([call(), late]);
    });
  }
}

const flowOf = (path: string) => ({ key: path.slice(1).replaceAll('/', '-'), parallelism: PARALLELISM });
