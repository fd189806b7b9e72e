import type { z } from 'zod';
import { AiFailed } from '../../errors.ts';
import type { RenderPrompt, Variables } from '../ai/ask.ts';
import { type ModelAccess, makeCallModel } from '../ai/call-model.ts';
import { makeReadOrRepair } from '../ai/repair-answer.ts';
import { type TaskSettings, type TrainerTask, tasks } from '../ai/tasks.ts';
import type { TrainerCase } from './case-file.ts';

/** `provider_type` of the table `conversations`. */
export type Provider = TrainerCase['providers']['dialogue']['primary'];

const models: Readonly<Record<Provider, string>> = {
  openai: tasks.trainer_turn.models[0],
  gemini: tasks.trainer_turn.models[1]!,
};

type Question<Shape extends z.ZodObject> = {
  task: TrainerTask;
  variables: Variables;
  shape: Shape;
  /** What is wrong with an answer that can be read; null: nothing. */
  complaint: (answer: z.infer<Shape>) => string | null;
  providers: { primary: Provider; fallback: Provider };
  userId: number;
  signal: AbortSignal;
};

export type AskProviders = <Shape extends z.ZodObject>(
  question: Question<Shape>,
) => Promise<{ answer: z.infer<Shape>; provider: Provider; promptVersion: string }>;

type Deps = ModelAccess & {
  renderPrompt: RenderPrompt;
  settings?: Readonly<Record<TrainerTask, TaskSettings>>;
};

/**
 * The primary provider, once more when its answer cannot be used, then the fallback. Each request carries the whole
 * dialogue, so a provider that takes over knows as much as the one before. Throws the last failure.
 */
export function makeAskProviders({ renderPrompt, settings = tasks, ...access }: Deps): AskProviders {
  const callModel = makeCallModel(access);
  const readOrRepair = makeReadOrRepair(callModel);

  return async ({ task, variables, shape, complaint, providers, userId, signal }) => {
    const { system, user, version } = await renderPrompt(task, variables);
    const { primary, fallback } = providers;
    let failure: unknown;
    for (const provider of [primary, primary, fallback]) {
      // Silence and refusals are not asked about again: only the other provider may answer differently.
      if (provider === primary && failure && reasonOf(failure) !== 'unusable') continue;
      try {
        return { answer: await ask(provider), provider, promptVersion: version };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof AiFailed)) throw error;
        access.log.warn({ err: error, task, userId, provider }, 'a provider gave no usable answer');
        failure = error;
      }
    }
    throw failure;

    async function ask(provider: Provider) {
      const purpose = { task, userId, signal };
      const request = { ...settings[task], models: [models[provider]] as const, system, user };
      const { text, outcome } = await callModel({ ...request, schema: { name: task, shape } }, purpose);
      if (outcome === 'refused') throw new AiFailed('filtered', `${task}: ${provider} refused`);
      if (outcome === 'cut') throw new AiFailed('unusable', `${task}: ${provider} was cut off`);
      const answer = await readOrRepair(text, shape, purpose);
      const wrong = complaint(answer);
      if (wrong !== null) throw new AiFailed('unusable', `${task}: ${provider}: ${wrong}`);
      return answer;
    }
  };
}

const reasonOf = (failure: unknown) => (failure instanceof AiFailed ? failure.reason : null);
