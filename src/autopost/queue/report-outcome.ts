import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { ChannelPenalty, Results, Sent } from '../store/results.ts';
import { isOurMistake, type KeepTrying } from './keep-trying.ts';
import type { Outcome } from './outcome.ts';

/** Where the delivery stands now. `late`: another claim owns it by now. `unwritten`: its lease will make it unknown. */
export type Standing = 'sent' | 'retry' | 'dead' | 'failed_permanent' | 'unknown' | 'late' | 'unwritten';

type Deps = {
  results: Results;
  keepTrying: KeepTrying;
  log: Log;
  penalty?: ChannelPenalty;
  /** In one statement. */
  most?: number;
};

// Sends that began together end together, and are written together.
const GATHER_MS = 5;

type Waiting = { sent: Sent; tell: (standing: Standing) => void };

/** Writes down what came of an attempt, for as long as it takes. What was sent goes in batches. */
export function makeReportOutcome({ results, keepTrying, log, penalty = {}, most = 100 }: Deps) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  return async function report(delivery: ClaimedDelivery, outcome: Outcome): Promise<Standing> {
    const { workspaceId, deliveryId, claimToken } = delivery;
    switch (outcome.kind) {
      case 'sent': {
        const { providerMessageId, meta } = outcome;
        return inBatch({ workspaceId, deliveryId, claimToken, providerMessageId, meta });
      }
      case 'retry':
        return written(async () => (await results.scheduleRetry(delivery, outcome.error)).outcome);
      case 'permanent':
        return written(() => results.failPermanent(delivery, outcome.error, penalty));
      case 'unknown':
        return written(() => results.markUnknown(delivery, outcome.error));
      default: {
        const never: never = outcome;
        throw new TypeError(`Unknown outcome ${JSON.stringify(never)}`);
      }
    }
  };

  async function written(write: () => Promise<Standing>): Promise<Standing> {
    try {
      return await keepTrying('a result', write);
    } catch (error) {
      log.error({ err: error }, 'a result could not be written');
      return 'unwritten';
    }
  }

  function inBatch(sent: Sent): Promise<Standing> {
    return new Promise((tell) => {
      waiting.push({ sent, tell });
      if (!isWriting) void writeAll();
    });
  }

  /** One statement at a time: what ends while it runs is in the next one. */
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      await sleep(GATHER_MS);
      await writeBatch(waiting.splice(0, most));
    }
    isWriting = false;
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await keepTrying('a result', () => results.markSent(batch.map(({ sent }) => sent)));
      const outcomes = new Map(rows.map((row) => [row.deliveryId, row.outcome]));
      for (const { sent, tell } of batch) tell(outcomes.get(sent.deliveryId) ?? 'late');
    } catch (error) {
      // One that cannot be written must not take the others with it.
      if (batch.length > 1 && isOurMistake(error)) {
        for (const one of batch) await writeBatch([one]);
        return;
      }
      log.error(
        { err: error, deliveries: batch.map(({ sent }) => sent.deliveryId) },
        'sent, and not written',
      );
      for (const { tell } of batch) tell('unwritten');
    }
  }
}
