import type { AnswerTo } from '../../../src/services/ai/answers.ts';
import type { Answer, AskModel, Variables } from '../../../src/services/ai/ask.ts';
import type { TextTask } from '../../../src/services/ai/tasks.ts';

export type Question = { task: TextTask; variables: Variables; userId: number; signal?: AbortSignal };

/** What a task is answered with, one after the other; an error is thrown. A function sees what was asked. */
export type Script = { [Task in TextTask]?: readonly Line<Task>[] };
type Line<Task extends TextTask> = AnswerTo<Task> | Error | ((question: Question) => AnswerTo<Task> | Error);

/** Answers in place of a model, and remembers what it was asked. A question too many is an error of the test. */
export function fakeAsk(script: Script): { ask: AskModel; questions: Question[] } {
  const questions: Question[] = [];
  return { ask, questions };

  async function ask<Task extends TextTask>(
    task: Task,
    asking: Omit<Question, 'task'>,
  ): Promise<Answer<AnswerTo<Task>>> {
    asking.signal?.throwIfAborted();
    const lines: readonly Line<Task>[] = script[task] ?? [];
    const turn = questions.filter((earlier) => earlier.task === task).length;
    const question = { task, ...asking };
    questions.push(question);
    if (turn >= lines.length) throw new Error(`the test expected ${lines.length} questions of "${task}"`);
    const line = lines[turn] as Line<Task>;
    const content = typeof line === 'function' ? line(question) : line;
    if (content instanceof Error) throw content;
    return { content, ...answered, promptVersion: `${task}_v1` };
  }
}

const answered = {
  modelUsed: 'fake/model',
  inputTokens: 1_000,
  outputTokens: 500,
  costUsd: 0.001,
  generationTimeMs: 1_200,
  fallbackUsed: false,
};
