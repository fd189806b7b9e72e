import { drawPicture } from '../../src/sandbox/openrouter/author/draw-picture.ts';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';

type Hold = { task: string; words: string; released: Promise<void>; release(): void };

/**
 * Models that answer at once, but for those a test holds: all that are asked for one thing on behalf of one company.
 * What a person sees meanwhile does not depend on how quick the machine is.
 */
export function heldModels() {
  let holds: Hold[] = [];
  let spoilt: (Omit<Hold, 'released' | 'release'> & { change: (answer: unknown) => unknown })[] = [];
  const asked: { task: string; text: string }[] = [];
  const author: Author = {
    async writeAnswer(request) {
      asked.push({ task: request.task, text: `${request.system}\n${request.user}` });
      await holds.find((hold) => concerns(hold, request))?.released;
      const answer = writeAnswer(request);
      return spoilt.find((each) => concerns(each, request))?.change(answer) ?? answer;
    },
    drawPicture(request) {
      asked.push({ task: 'image', text: JSON.stringify(request) });
      return drawPicture(request);
    },
  };
  return { author, hold, spoil, releaseAll, asked };

  /** From now on another answer to what is asked for one thing on behalf of one company. */
  function spoil(task: string, words: string, change: (answer: unknown) => unknown): void {
    spoilt.push({ task, words, change });
  }

  function hold(task: string, words: string): () => void {
    let resolve = () => {};
    const released = new Promise<void>((settle) => {
      resolve = settle;
    });
    const held = { task, words, released, release };
    holds.push(held);
    return release;

    function release(): void {
      holds = holds.filter((other) => other !== held);
      resolve();
    }
  }

  function releaseAll(): void {
    spoilt = [];
    for (const { release } of holds) release();
  }
}

const concerns = (
  { task, words }: Pick<Hold, 'task' | 'words'>,
  asked: { task: string; system: string; user: string },
): boolean => task === asked.task && `${asked.system}\n${asked.user}`.includes(words);
