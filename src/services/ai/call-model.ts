import type { BilledCompletion, OpenRouter } from '../../clients/openrouter.ts';
import type { ModelRequest } from '../../clients/openrouter-request.ts';
import type { Log } from '../../log.ts';
import type { NoteCost } from './ask.ts';

export type ModelAccess = { openRouter: OpenRouter; noteCost: NoteCost; log: Log };

/** For whom and for what: the words in the books and in the log. */
export type Purpose = { task: string; userId: number; signal?: AbortSignal | undefined };

export type CallModel = (request: ModelRequest, purpose: Purpose) => Promise<BilledCompletion>;

/** One call, one row in the books, whether its answer is of use or not. */
export function makeCallModel({ openRouter, noteCost, log }: ModelAccess): CallModel {
  return async (request, { task, userId, signal }) => {
    const completion = await openRouter.complete(request, signal);
    const { model, inputTokens, outputTokens, costUsd, outcome } = completion;
    const fallbackUsed = !isModel(model, request.models[0]);
    log.info(
      { task, userId, model, fallbackUsed, outcome, inputTokens, outputTokens, costUsd },
      'a model answered',
    );
    try {
      await noteCost({
        userId,
        operation: 'api_openrouter',
        costUsd,
        description: task,
        model,
        inputTokens,
        outputTokens,
      });
    } catch (error) {
      // An answer that is paid for must not be lost over its own bookkeeping.
      log.error({ err: error, task, userId, model, costUsd }, 'the cost of an answer was not booked');
    }
    return completion;
  };
}

/** By prefix: an alias comes back as a dated name. */
export const isModel = (answered: string, asked: string): boolean => answered.startsWith(asked);
