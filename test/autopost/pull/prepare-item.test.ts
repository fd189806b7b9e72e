import { expect, it } from 'vitest';
import { makePrepareItem } from '../../../src/autopost/pull/prepare-item.ts';

const signal = new AbortController().signal;

it('goes without the files of a host that never answers, after the time of one and not of each', async () => {
  const asked: string[] = [];
  const hangs = (_: string, url: string, __: unknown, ending?: AbortSignal) => {
    asked.push(url);
    return new Promise<never>((_resolve, reject) =>
      ending?.addEventListener('abort', () => reject(ending.reason)),
    );
  };
  const media = [1, 2, 3, 4, 5].map((n) => ({ type: 'image', url: `https://slow.example/${n}.png` }));
  const prepare = makePrepareItem({ keep: hangs }, { mediaWithinMs: 20 });
  const item = { id: 'a', ts: null, body: { text: 'Букеты', media } };
  const { message, withoutMedia } = await prepare('w', item, { mayWait: false, signal });
  expect(message?.payload).toEqual({ text: 'Букеты' });
  expect(withoutMedia).toBe(5);
  expect(asked).toHaveLength(5);
});
