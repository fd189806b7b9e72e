import { writeAnswer } from '../../../src/sandbox/openrouter/author/write-answer.ts';
import { type AnswerTo, answers, type SchemaTask } from '../../../src/services/ai/answers.ts';
import type { Variables } from '../../../src/services/ai/ask.ts';
import { filePrompts } from '../../../src/services/ai/prompts.ts';
import { makeRenderPrompt } from '../../../src/services/ai/render-prompt.ts';
import type { Task } from '../../../src/services/ai/tasks.ts';

/** The author is asked through the product's own prompts: what they do not carry, it cannot know. */
const render = makeRenderPrompt({ activePrompt: await filePrompts() });

export async function promptFor(task: Task, variables: Variables): Promise<{ system: string; user: string }> {
  const { system, user } = await render(task, {
    company_name: 'Вертикаль',
    specialization: 'услуги',
    ...variables,
  });
  return { system: system ?? '', user };
}

/** The answer as the product accepts it: checked against the task's schema. */
export async function ask<T extends SchemaTask>(task: T, variables: Variables): Promise<AnswerTo<T>> {
  const answer = writeAnswer({ task, ...(await promptFor(task, variables)) });
  return answers[task].parse(answer) as AnswerTo<T>;
}
