import { expect, it } from 'vitest';
import { type Bought, pausedScreen, renewalFailedScreen } from '../../../src/screens/pages/money-news.ts';

const pro: Bought = {
  title: 'Pro',
  plan: 'pro',
  tokens: 7_200,
  isPlan: true,
  isRenewal: false,
  stars: 1_560,
  until: '2026-12-18T09:00:00.000Z',
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
