import { expect, it } from 'vitest';
import { offers } from '../../src/catalogue.ts';
import { type CardBill, type CardPaymentsData, cardPaymentRoutes } from '../../src/menu/card-payments.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { playedCards } from './played-cards.ts';

const ANNA = { userId: 1, firstName: 'Анна', isAdmin: false };
const aBill: CardBill = {
  ...{ paymentId: 7, title: 'Starter', tokens: 3_500, rub: 3_000 },
  ...{ url: 'https://yookassa.invalid/pay', status: 'pending' },
};

async function visited(pattern: string, data: Partial<CardPaymentsData>) {
  const routes = cardPaymentRoutes({ ...playedCards(ANNA.userId), offers: () => offers('x4'), ...data });
  const found = routes.find((each) => each.pattern === pattern)!;
  return found.visit({ n: 7 }, ANNA, 'key');
}

async function billPage(status: CardBill['status']): Promise<string> {
  const answer = await visited('bill:{n}:card', { bill: async () => ({ ...aBill, status }) });
  return 'show' in answer ? toHtml(answer.show.text) : '';
}

it('says of every bill what became of its money', async () => {
  expect(await billPage('completed')).toBe('Счёт за Starter оплачен, токены на балансе.');
  expect(await billPage('refunded')).toBe('Счёт за Starter был оплачен, потом деньги вернулись на карту.');
  expect(await billPage('failed')).toBe('Счёт за Starter закрыт без оплаты. Деньги не списаны.');
});

it('does not say that nothing was charged while it cannot know', async () => {
  const answer = await visited('bill:{n}:check', { bill: async () => aBill, check: async () => null });
  const notice = 'notice' in answer && answer.notice ? toHtml(answer.notice) : '';
  expect(notice).toContain('Касса сейчас не отвечает');
  expect(notice).toContain('токены придут сами');
  expect(notice).not.toContain('не списаны');
});
