import type { Json } from '../../engine/json.ts';
import type { OperationCall, RunStage } from '../../engine/operations.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Delivered, type PaidWork, PaidWorkFailed, type Purse } from './paid-work.ts';
import type { RateLimits, Slots } from './rate-limits.ts';

type Deps = { limits: RateLimits; paidWork: PaidWork; log: Log };

/** How much of the hour's limits the work may need, and how much of it a result has used. */
type Needs<Result> = { slots: Slots; used?: (result: Result) => Slots };

/**
 * Paid work that counts toward the limits of its person: once per key, also after a takeover, and only as far as
 * something came of it.
 */
export const makeLimitedWork =
  ({ limits, paidWork, log }: Deps) =>
  async <Result extends Json>(
    call: OperationCall,
    { slots, used = () => slots }: Needs<Result>,
    purse: Purse,
    work: (stage: RunStage, signal: AbortSignal) => Promise<Delivered<Result>>,
  ): Promise<Result> => {
    const { key, userId } = call;
    try {
      const result = await paidWork(call, { ...purse, charge }, work);
      await settle(used(result));
      return result;
    } catch (error) {
      if (error instanceof PaidWorkFailed) await settle({});
      throw error;
    }

    async function charge(): Promise<void> {
      await limits.reserve(key, userId, slots);
      try {
        await purse.charge();
      } catch (error) {
        // A refused charge is no action of the person (E25). After any other trouble it may have been made.
        if (error instanceof AppError) await settle({});
        throw error;
      }
    }

    /** Not worth failing for what is done and paid: a slot comes back by itself within the hour. */
    async function settle(delivered: Slots): Promise<void> {
      await limits
        .settle(key, userId, delivered)
        .catch((err) => log.warn({ err, user: userId }, 'slots were not given back'));
    }
  };

export type LimitedWork = ReturnType<typeof makeLimitedWork>;
