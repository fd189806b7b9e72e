import type { z } from 'zod';
import type { BilledCompletion } from '../../clients/openrouter.ts';
import type { AiFault } from '../../errors.ts';
import { type AnswerTo, answers } from './answers.ts';
import type { Answer, AskModel, RenderedPrompt, RenderPrompt } from './ask.ts';
import { makeAskInTurn } from './ask-in-turn.ts';
import { isModel, type ModelAccess, makeCallModel } from './call-model.ts';
import { makeReadOrRepair } from './repair-answer.ts';
import { type Task, type TextTask, tasks } from './tasks.ts';

export type AskModelDependencies = ModelAccess & { renderPrompt: RenderPrompt };

/** A text of a model: the prompt filled in, the chain asked, the answer checked against its shape. */
export function makeAskModel({ renderPrompt, ...access }: AskModelDependencies): AskModel {
  const callModel = makeCallModel(access);
  const askInTurn = makeAskInTurn(callModel);
  const readOrRepair = makeReadOrRepair(callModel);

  return async <Asked extends TextTask>(
    task: Asked,
    { variables, userId, signal }: Parameters<AskModel>[1],
  ): Promise<Answer<AnswerTo<Asked>>> => {
    const purpose = { task, userId, signal };
    const prompt = await renderPrompt(task, variables);
    const startedAt = performance.now();
    const { system, user } = prompt;
    const shape = shapeOf(task);
    const request = { ...tasks[task], system, user, ...(shape && { schema: { name: task, shape } }) };
    const completion = await askInTurn(request, faultInText, purpose);
    const content = shape ? await readOrRepair(completion.text, shape, purpose) : completion.text.trim();
    return answerOf(task, completion, prompt, startedAt, content as AnswerTo<Asked>);
  };
}

/** Tokens and cost are those of the call that answered; every call has its own row in the books. */
export function answerOf<Content>(
  task: Task,
  { model, inputTokens, outputTokens, costUsd }: BilledCompletion,
  { version }: RenderedPrompt,
  startedAt: number,
  content: Content,
): Answer<Content> {
  return {
    content,
    modelUsed: model,
    inputTokens,
    outputTokens,
    costUsd,
    generationTimeMs: Math.round(performance.now() - startedAt),
    promptVersion: version,
    fallbackUsed: !isModel(model, tasks[task].models[0]),
  };
}

const shapeOf = (task: TextTask): z.ZodObject | null => (task === 'description' ? null : answers[task]);

function faultInText({ outcome, text }: BilledCompletion): AiFault | null {
  if (outcome === 'refused') return 'filtered';
  if (outcome === 'cut') return 'too-long';
  return text.trim() === '' ? 'unusable' : null;
}
