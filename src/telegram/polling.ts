import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Log } from '../log.ts';
import { updateTypes } from './create-bot.ts';

const LONG_POLL_SECONDS = 25;
// One person's slow update must not hold back everybody else's for long.
const BATCH_PATIENCE_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Long polling that confirms an update only after it was applied: one that was in the air when the process was
 * killed comes again. (grammY's own `bot.start` confirms a batch as a whole and works it off one by one.)
 */
export function startPolling(
  api: Api,
  handleUpdate: (update: Update) => Promise<void>,
  log: Log,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const finished = poll();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };

  async function poll(): Promise<void> {
    let offset = 0;
    while (!stopping.signal.aborted) {
      try {
        const updates = await api.getUpdates(
          { offset, timeout: LONG_POLL_SECONDS, allowed_updates: [...updateTypes] },
          // grammY's types know only the signal of the abort-controller package; the two are interchangeable.
          stopping.signal as unknown as Parameters<typeof api.getUpdates>[1],
        );
        const failed: number[] = [];
        const all = Promise.all(
          updates.map((update) =>
            handleUpdate(update).catch((error) => {
              log.warn({ err: error, update: update.update_id }, 'an update will be taken again');
              failed.push(update.update_id);
            }),
          ),
        );
        await Promise.race([all, delay(BATCH_PATIENCE_MS, undefined, { ref: false })]);
        offset = Math.min(...failed, (updates.at(-1)?.update_id ?? offset - 1) + 1);
        if (failed.length > 0) await pause();
      } catch (error) {
        if (stopping.signal.aborted) break;
        log.warn({ err: error }, 'Telegram could not be asked for updates');
        await pause();
      }
    }
    await confirm(offset);
  }

  async function pause(): Promise<void> {
    await delay(PAUSE_AFTER_FAILURE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function confirm(offset: number): Promise<void> {
    if (offset === 0) return;
    await api
      .getUpdates({ offset, timeout: 0, limit: 1 })
      .catch((error) => log.warn({ err: error }, 'the last updates were not confirmed'));
  }
}
