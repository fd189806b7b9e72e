import { setTimeout as delay } from 'node:timers/promises';
import { TookTooLong } from '../engine/in-time.ts';
import { StoreAway } from '../engine/not-applied.ts';
import { OperationLost } from '../errors.ts';
import { isDatabaseAway } from './database-away.ts';

const PING_PATIENCE_MS = 2_000;

/**
 * Whether a store failed or we did. A store's failure is recognised by its driver's error. Work that took too long has
 * no such error: then the stores are asked whether they answer at all.
 */
export const makeIsStoreAway =
  (stores: readonly { ping(): Promise<unknown> }[]) =>
  async (error: unknown): Promise<boolean> => {
    if (error instanceof TookTooLong) {
      const answers = await Promise.all(stores.map(({ ping }) => answersInTime(ping)));
      return answers.includes(false);
    }
    return error instanceof StoreAway || error instanceof OperationLost || isDatabaseAway(error);
  };

async function answersInTime(ping: () => Promise<unknown>): Promise<boolean> {
  const answered = ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, delay(PING_PATIENCE_MS, false, { ref: false })]);
}
