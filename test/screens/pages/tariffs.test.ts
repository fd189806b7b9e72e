import { expect, it } from 'vitest';
import { offerOf, offers } from '../../../src/catalogue.ts';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import type { Screen } from '../../../src/screens/kit/screen.ts';
import {
  packageScreen,
  packagesScreen,
  planScreen,
  tariffsScreen,
} from '../../../src/screens/pages/tariffs.ts';

const shop = (cards: boolean) => ({
  ...{ balance: 1_500, averageArticleCost: 320, offers: offers('x4'), subscription: null },
  cards,
});
const labelsOf = ({ keyboard }: Screen) => keyboard.flat().map(({ label }) => label);

it('names packages by a price that can be paid: in Stars where cards are not taken', () => {
  expect(toHtml(packagesScreen(shop(false)).text)).toContain('— 260 звёзд, примерно 3 статьи');
  expect(toHtml(packagesScreen(shop(false)).text)).not.toContain('₽');
  expect(toHtml(packagesScreen(shop(true)).text)).toContain('— 1\u2009000 ₽, примерно 3 статьи');
});

it('offers a plan too dear for Stars only where cards are taken, and never with an empty price', () => {
  const inMenu = (cards: boolean) =>
    labelsOf(tariffsScreen(shop(cards), { isInFlow: false })).some((label) => label.includes('Enterprise'));
  expect([inMenu(true), inMenu(false)]).toEqual([true, false]);
  const { text } = planScreen(offerOf('enterprise', 'x4'), shop(false));
  expect(toHtml(text)).not.toContain('Цена за 30 дней');
  expect(toHtml(text)).toContain('оплачивается только картой');
});

it('says what a purchase does to a debt, and never that a small one clears it', () => {
  const inDebt = { ...shop(true), balance: -3_400 };
  expect(toHtml(packageScreen(offerOf('mini', 'x4'), inDebt).text)).toContain(
    'Всё уйдёт в счёт долга. Останется долг 2\u2009400 токенов, и генерация ещё не откроется.',
  );
  for (const { text } of [
    packageScreen(offerOf('pro', 'x4'), inDebt),
    planScreen(offerOf('pro', 'x4'), inDebt),
  ])
    expect(toHtml(text)).toContain(
      'Сначала закроется долг: 3\u2009400 токенов. На балансе станет 3\u2009800 токенов.',
    );
});
