import type { BilledCompletion } from '../../clients/openrouter.ts';
import type { ModelRequest } from '../../clients/openrouter-request.ts';
import { AiFailed, type AiFault } from '../../errors.ts';
import { type CallModel, isModel, type Purpose } from './call-model.ts';

/** What is wrong with an answer as it stands; null: nothing. */
type Judge = (completion: BilledCompletion) => AiFault | null;

/**
 * The first answer of the chain that will do. The router itself moves on when a model fails (E12). A model that
 * refuses has not failed to the router, so the models behind it are asked one by one; there, a model that cannot be
 * reached is passed over as well.
 */
export function makeAskInTurn(callModel: CallModel) {
  return async (request: ModelRequest, judge: Judge, purpose: Purpose): Promise<BilledCompletion> => {
    const first = await attempt(request, ['filtered']);
    if (first.fault === null) return first.completion;
    const faults = [first.fault];
    for (const model of modelsAfter(request.models, first.completion?.model)) {
      const next = await attempt({ ...request, models: [model] }, ['filtered', 'unavailable']);
      if (next.fault === null) return next.completion;
      faults.push(next.fault);
    }
    throw new AiFailed(
      faults.includes('filtered') ? 'filtered' : faults.at(-1)!,
      `${purpose.task}: no model of ${request.models.join(', ')} gave an answer (${faults.join(', ')})`,
    );

    async function attempt(asked: ModelRequest, passedOver: AiFault[]): Promise<Attempt> {
      try {
        const completion = await callModel(asked, purpose);
        const fault = judge(completion);
        if (fault === 'too-long') {
          throw new AiFailed(
            fault,
            `${purpose.task}: ${completion.model} was cut off at ${asked.maxTokens} tokens`,
          );
        }
        return { fault, completion };
      } catch (error) {
        if (error instanceof AiFailed && passedOver.includes(error.reason)) return { fault: error.reason };
        throw error;
      }
    }
  };
}

type Attempt =
  | { fault: null; completion: BilledCompletion }
  | { fault: AiFault; completion?: BilledCompletion };

/** Those before the one that answered have failed already. */
function modelsAfter(chain: readonly string[], answered: string | undefined): readonly string[] {
  const index = chain.findIndex((model) => answered !== undefined && isModel(answered, model));
  return chain.slice(Math.max(0, index) + 1);
}
