import { expect, it } from 'vitest';
import { makeKeepDraft } from '../../../src/services/article/draft-preview.ts';
import type { DraftContent } from '../../../src/store/draft.ts';

it.each([
  ['where browsers reach the pictures', true, 2, false],
  ['where they do not', false, 2, true],
  ['of an article without pictures', false, 0, false],
])('a preview %s says what cannot be seen on its page', async (_, showsPictures, images, isSaid) => {
  let kept: DraftContent | null = null;
  const keep = makeKeepDraft({
    drafts: {
      fill: async (_key, content) => {
        kept = content;
        return 7;
      },
      replace: async () => null,
    },
    makePage: async () => ({ url: 'https://telegra.ph/Shtory', path: 'Shtory' }),
    showsPictures,
    isSimilarToEarlier: async () => false,
    discard: async () => undefined,
  });
  const stage = <Result>(_name: string, work: () => Promise<Result>) => work();
  const run = { key: 'k', userId: 1, stage, signal: new AbortController().signal } as Parameters<
    typeof keep.first
  >[0];
  const written = {
    ...{ title: 'Шторы', html: '<p>Текст</p>', words: 2, author: 'Ромашка' },
    images: Array.from({ length: images }, () => ({})),
    details: { contentHash: null, notes: [] },
  } as unknown as Parameters<typeof keep.first>[1];
  await keep.first(run, written);
  expect(kept!.details.notes.some((note) => note.includes('картинок не видно'))).toBe(isSaid);
});
