import { AiFailed } from '../../errors.ts';
import type { RenderPrompt, Variable, Variables } from './ask.ts';
import { cleanVariable } from './clean-variable.ts';
import type { Prompt } from './prompt-file.ts';
import type { Task } from './tasks.ts';

/** The prompt that is in force for a task. */
export type ActivePrompt = (task: Task) => Promise<Prompt>;

export const makeRenderPrompt =
  ({ activePrompt }: { activePrompt: ActivePrompt }): RenderPrompt =>
  async (task, variables) => {
    const prompt = await activePrompt(task);
    const values = valuesFor(prompt, variables);
    try {
      return {
        system: prompt.system?.fill(values) ?? null,
        user: prompt.user.fill(values),
        version: prompt.name,
      };
    } catch (cause) {
      throw new AiFailed('unusable', `prompt ${prompt.name} could not be filled in`, cause);
    }
  };

/** Only what the prompt declares, clean; blank counts as missing. */
function valuesFor(prompt: Prompt, given: Variables): Record<string, Variable> {
  const values = prompt.variables.map(
    ({ name, default: usual }) =>
      [name, cleanVariable(Object.hasOwn(given, name) ? given[name] : undefined) ?? usual] as const,
  );
  const present = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const missing = prompt.variables.filter(({ name, required }) => required && !Object.hasOwn(present, name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new AiFailed('unusable', `prompt ${prompt.name} was not given ${names}`);
  }
  return present;
}
