import { setTimeout as delay } from 'node:timers/promises';
import { readTags } from '../../src/sandbox/openrouter/author/read-tags.ts';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { authorIn } from './article-authors.ts';

export type Question = { userId: number; stage: string; at: number };

/** Which stage of an article asks for which task; each picture has one of its own. */
const stageOf: Readonly<Record<string, string>> = {
  article_research: 'sources',
  article_outline: 'outline',
  image_director: 'image_director',
  article: 'text',
  article_critique: 'critique',
};

/** The usual author, who remembers every question and from whom it came, and thinks for a while. */
export function createModelJournal(thinksMs: number) {
  const questions: Question[] = [];
  const author: Author = {
    async writeAnswer(request) {
      await noted(request.user, stageOf[request.task] ?? request.task);
      return writeAnswer(request);
    },
    async drawPicture({ prompt }) {
      await noted(prompt, `picture:${readTags(prompt)('image_number') || 1}`);
      return tinyPng(16, 9);
    },
  };
  return { author, questions, askedAfter, timesAsked };

  async function noted(prompt: string, stage: string): Promise<void> {
    questions.push({ userId: authorIn(prompt), stage, at: Date.now() });
    await delay(thinksMs);
  }

  /** Questions that came when their answer was kept already. */
  function askedAfter(kept: readonly Question[]): Question[] {
    const since = new Map(kept.map((stage) => [nameOf(stage), stage.at]));
    return questions.filter((question) => question.at > (since.get(nameOf(question)) ?? Infinity));
  }

  /** Of every stage of every person. */
  function timesAsked(): { userId: number; stage: string; times: number }[] {
    const counted = new Map<string, { userId: number; stage: string; times: number }>();
    for (const question of questions) {
      const { userId, stage } = question;
      const times = (counted.get(nameOf(question))?.times ?? 0) + 1;
      counted.set(nameOf(question), { userId, stage, times });
    }
    return [...counted.values()];
  }
}

const nameOf = ({ userId, stage }: Question): string => `${userId} ${stage}`;
