import { expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { flow } from '../../../src/screens/flows/article-publish.ts';
import type { Screen } from '../../../src/screens/kit/screen.ts';

const preview = {
  title: 'Кухни на заказ',
  words: 1_900,
  sections: 5,
  images: 2,
  imagesWanted: 2,
  phrase: 'кухни на заказ',
  spent: 250,
  returned: 10,
  telegraphUrl: 'https://telegra.ph/kuhni',
  regenerations: 0,
  nextPrice: 0,
  warnings: [],
};

it('tells what an article has cost, and an admin nothing: nothing was charged', () => {
  expect(shownTo({ isAdmin: false })).toContain('Списано: 250 токенов (вернулось 10 токенов)');
  expect(shownTo({ isAdmin: true })).not.toMatch(/Списано|вернулось/u);
});

it.each([
  ['publishing', 'publish', ['Опубликовать ещё раз', 'Сохранить черновиком в WordPress']],
  ['saving as a draft', 'save', ['Опубликовать', 'Сохранить черновиком ещё раз']],
] as const)('after %s failed its own button offers to try again', (_, tried, labels) => {
  const failure = { code: 'PUBLISH', userMessage: 'Сайт не отвечает.', retryable: true, refunded: 0 };
  const offer = { site: 'kuhni.example', volume: 900, isAdmin: false, connectionId: null };
  const context = { offer, preview, failure, tried } as unknown as Parameters<typeof flow.states.preview>[0];
  const { keyboard } = flow.states.preview(context) as Screen;
  expect(keyboard.flat().map(({ label }) => label)).toEqual(expect.arrayContaining([...labels]));
});

it.each([
  ['an answer of the site was lost', { inDoubt: true }, {}],
  ['it may stand on another site', {}, { mayBeOn: ['blog.example'] }],
])('promises no tokens back by themselves where %s, and says where to settle it', (_, doubt, place) => {
  const offer = { site: 'kuhni.example', volume: 900, isAdmin: false, connectionId: null, ...place };
  const context = { offer, preview: { ...preview, ...doubt }, failure: null } as unknown as Parameters<
    typeof flow.states.preview
  >[0];
  const screen = flow.states.preview(context) as Screen;
  expect(toHtml(screen.text)).toMatch(/⚠ Статья могла .*Черновик ждёт вашего решения 72 часа/su);
  expect(toHtml(screen.text)).not.toContain('токены вернутся сами');
  expect(toHtml(screen.text)).toContain('отметьте это в «Публикациях»');
  expect(toHtml(flow.remains.preview(context))).toContain('ждёт вашего решения 72 часа');
});

it.each([
  [
    'while changes are free',
    0,
    'Опубликовать её, поменять и скачать ещё раз можно будет по-прежнему, без новой оплаты.',
  ],
  [
    'when the next one is paid',
    200,
    'Опубликовать её и скачать ещё раз можно будет по-прежнему, без новой оплаты.',
  ],
])('before the file is taken, says %s what stays free', (_, nextPrice, words) => {
  const context = { preview: { ...preview, nextPrice } } as unknown as Parameters<
    typeof flow.states.confirm_html
  >[0];
  expect(toHtml((flow.states.confirm_html(context) as Screen).text)).toContain(words);
});

it('promises no pictures in the file of an article without them', () => {
  const shown = (images: number) => {
    const context = { preview: { ...preview, images } } as unknown as Parameters<
      typeof flow.states.confirm_html
    >[0];
    return toHtml((flow.states.confirm_html(context) as Screen).text);
  };
  expect(shown(2)).toContain('картинки внутри');
  expect(shown(0)).not.toContain('картинки внутри');
});

function shownTo({ isAdmin }: { isAdmin: boolean }): string {
  const offer = { site: 'kuhni.example', volume: 900, isAdmin };
  const context = { offer, preview, failure: null } as unknown as Parameters<typeof flow.states.preview>[0];
  return toHtml((flow.states.preview(context) as Screen).text);
}
