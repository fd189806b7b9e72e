import { offers } from '../../src/catalogue.ts';
import type { CardPaymentsData } from '../../src/menu/card-payments.ts';

/** One bill, which waits to be paid by its owner. */
export const playedCards = (owner: number): CardPaymentsData => ({
  offers: () => offers('x4'),
  receiptEmail: async () => 'anna@romashka.ru',
  setReceiptEmail: async () => undefined,
  purchaseRefusal: async () => null,
  begin: async () => 1,
  bill: async (userId, paymentId) =>
    userId === owner
      ? {
          paymentId,
          title: 'Starter',
          tokens: 3_500,
          rub: 3_000,
          url: 'https://yookassa.invalid/pay',
          status: paymentId === 1 ? 'pending' : 'completed',
        }
      : null,
  check: async () => 'pending',
});
