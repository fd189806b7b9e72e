import { expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import {
  type Bought,
  creditedScreen,
  pausedScreen,
  renewalFailedScreen,
} from '../../../src/screens/pages/money-news.ts';

const pro: Bought = {
  title: 'Pro',
  plan: 'pro',
  tokens: 7_200,
  isPlan: true,
  isRenewal: false,
  stars: 1_560,
  until: '2026-12-18T09:00:00.000Z',
  isOver: false,
};
const enterprise: Bought = { ...pro, title: 'Enterprise', plan: 'enterprise', stars: null };

const labelsOf = ({ keyboard }: ReturnType<typeof pausedScreen>) => keyboard.flat().map(({ label }) => label);

it('a paused subscription leads to the purchase of as many Stars as it costs, and to its page (E19)', () => {
  const screen = pausedScreen(pro);
  expect(labelsOf(screen)).toEqual(['Пополнить звёзды', 'Моя подписка', 'Купить токены', 'Меню']);
  expect(JSON.stringify(screen.keyboard[0])).toContain('tg://stars_topup?balance=1560');
});

it('a renewal that the card refused offers Stars only for a plan that Telegram takes (E37)', () => {
  expect(labelsOf(renewalFailedScreen(pro, ''))).toEqual(['Обновить карту', 'Оплатить звёздами', 'Меню']);
  expect(labelsOf(renewalFailedScreen(enterprise, ''))).toEqual(['Обновить карту', 'Меню']);
});

const mini: Bought = { ...pro, title: 'Mini', plan: 'mini', tokens: 1_000, isPlan: false, until: null };

it('a renewal that failed on the last day does not promise that the plan goes on (E37)', () => {
  expect(toHtml(renewalFailedScreen(pro, '').text)).toContain('подписка действует до 18.12.2026');
  expect(toHtml(renewalFailedScreen({ ...pro, isOver: true }, '').text)).toContain(
    'подписка закончилась 18.12.2026',
  );
});

it('a purchase smaller than the debt does not call it cleared, and leads to the next one (X05)', () => {
  const screen = creditedScreen(mini, { balance: -2_400, before: -3_400 }, null);
  expect(toHtml(screen.text)).toContain('Всё ушло в счёт долга.\nНа балансе: <b>−2\u2009400 токенов</b>.');
  expect(labelsOf(screen)).toEqual(['Пополнить', 'Меню']);
});

it('a purchase that covers the debt says so, and leads to work', () => {
  const screen = creditedScreen(mini, { balance: 400, before: -600 }, null);
  expect(toHtml(screen.text)).toContain('Долг 600 закрыт.');
  expect(labelsOf(screen)).toEqual(['Написать статью', 'Меню']);
});
