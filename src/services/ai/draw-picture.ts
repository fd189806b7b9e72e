import type { BilledCompletion } from '../../clients/openrouter.ts';
import type { AiFault } from '../../errors.ts';
import type { DrawPicture } from './ask.ts';
import { makeAskInTurn } from './ask-in-turn.ts';
import { type AskModelDependencies, answerOf } from './ask-model.ts';
import { makeCallModel } from './call-model.ts';
import { tasks } from './tasks.ts';

/** One picture of a model, as it came. */
export function makeDrawPicture({ renderPrompt, ...access }: AskModelDependencies): DrawPicture {
  const askInTurn = makeAskInTurn(makeCallModel(access));

  return async ({ variables, userId, signal, aspectRatio, size, references = [] }) => {
    const prompt = await renderPrompt('image', variables);
    const startedAt = performance.now();
    const { system, user } = prompt;
    const request = { ...tasks.image, system, user, picture: { aspectRatio, size, references } };
    const completion = await askInTurn(request, faultInPicture, { task: 'image', userId, signal });
    return answerOf('image', completion, prompt, startedAt, completion.pictures[0]!);
  };
}

function faultInPicture({ outcome, pictures }: BilledCompletion): AiFault | null {
  if (pictures.length > 0) return null;
  return outcome === 'refused' ? 'filtered' : 'unusable';
}
