import type { PostPlatform } from '../../src/platforms/platforms.ts';

/** What a person wants: an article, or a post in the first of these places and then in the others. */
export type Role = {
  id: number;
  /** Empty: an article. */
  posts: readonly PostPlatform[];
  /** Has nothing yet but the place itself, of which the bot does not know. */
  isNew: boolean;
  /** What becomes of the answer when the text arrives. `unseen`: the site does not let the bot look either. */
  answer: 'kept' | 'lost' | 'unseen';
};

/** Twelve people, over and over. */
const parts: readonly Pick<Role, 'posts' | 'isNew'>[] = [
  { posts: [], isNew: false },
  { posts: ['telegram', 'max'], isNew: false },
  { posts: [], isNew: true },
  { posts: [], isNew: false },
  { posts: ['pinterest', 'vk'], isNew: false },
  { posts: [], isNew: true },
  { posts: [], isNew: false },
  { posts: ['vk'], isNew: true },
  { posts: [], isNew: true },
  { posts: [], isNew: false },
  { posts: ['max'], isNew: false },
  { posts: [], isNew: true },
];
/** Shares no factor with the twelve, so that every part is among them in a long list. */
const ANSWERS_LOST = 5;

export function castOf(people: number, firstId: number): Role[] {
  return Array.from({ length: people }, (_, index) => ({
    id: firstId + index,
    ...parts[index % parts.length]!,
    answer: answerOf(index),
  }));
}

function answerOf(index: number): Role['answer'] {
  if (index % ANSWERS_LOST !== ANSWERS_LOST - 1) return 'kept';
  return index % (2 * ANSWERS_LOST) === ANSWERS_LOST - 1 ? 'lost' : 'unseen';
}
