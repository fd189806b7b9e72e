import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { AiFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';

export type ModelKind = 'texts' | 'pictures';
export const modelKinds: readonly ModelKind[] = ['texts', 'pictures'];

type Deps = {
  counters: Pick<KeyValueStore, 'increment' | 'delete'>;
  /** For the numbers of this process. */
  counted?: (kind: ModelKind, outcome: 'answered' | 'failed') => void;
  log: Log;
};

const DAY_SECONDS = 86_400;
const keyOf = (kind: ModelKind): string => `models-failing:${kind}`;

/**
 * How many questions to models have failed one after the other, in all processes. A refusal to write about a topic and
 * an answer that was cut off are no failures: the model was there.
 */
export function makeModelFailures({ counters, counted, log }: Deps) {
  return { watched, inARow };

  function watched<Args extends unknown[], Result>(
    kind: ModelKind,
    ask: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      try {
        const answer = await ask(...args);
        note(kind, 'answered');
        return answer;
      } catch (error) {
        const isFailure =
          error instanceof AiFailed && error.reason !== 'filtered' && error.reason !== 'too-long';
        if (isFailure) note(kind, 'failed');
        throw error;
      }
    };
  }

  /** Not waited for: an answer must not be held up by its being counted. */
  function note(kind: ModelKind, outcome: 'answered' | 'failed'): void {
    counted?.(kind, outcome);
    const noted =
      outcome === 'failed' ? counters.increment(keyOf(kind), 1, DAY_SECONDS) : counters.delete(keyOf(kind));
    noted.catch((err: unknown) => log.warn({ err, kind }, 'an answer of a model was not counted'));
  }

  async function inARow(kind: ModelKind): Promise<number> {
    return (await counters.increment(keyOf(kind), 0, DAY_SECONDS)).count;
  }
}
