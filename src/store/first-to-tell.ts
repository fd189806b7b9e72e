import { setTimeout as delay } from 'node:timers/promises';
import type { KeyValueStore } from '../engine/key-value-store.ts';

const ONE_OUTAGE_SECONDS = 10 * 60;
const PATIENCE_MS = 1_000;

/**
 * Of several processes one tells a person of an outage. The stores that still answer remember who was told; while none
 * does, every process speaks for itself. `what`: the person's id, or the news itself where there is one reader.
 */
export const makeIsFirstToTell =
  (stores: readonly KeyValueStore[]) =>
  async (what: number | string): Promise<boolean> => {
    const answers = await Promise.all(
      stores.map((store) => {
        const mine = store.setIfAbsent(`told-of-outage:${what}`, '1', ONE_OUTAGE_SECONDS);
        return Promise.race([mine.catch(() => true), delay(PATIENCE_MS, true, { ref: false })]);
      }),
    );
    return answers.every((isMine) => isMine);
  };
