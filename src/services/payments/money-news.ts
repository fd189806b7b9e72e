import type { Json } from '../../engine/json.ts';
import type { PaymentRow, Refunded, Settled } from '../../store/payments.ts';

/** What a person is told of their money, apart from what they are looking at. */
export type MoneyNews =
  | { what: 'credited'; paymentId: number; balance: number }
  | { what: 'bonus'; tokens: number; balance: number }
  | { what: 'bonus-back'; tokens: number; balance: number }
  | { what: 'refunded'; paymentId: number; taken: number; balance: number; isWhole: boolean }
  | { what: 'paused'; paymentId: number }
  | { what: 'renewal-soon'; paymentId: number }
  | { what: 'renewal-failed'; paymentId: number; reason: string }
  | { what: 'card-failed'; paymentId: number; reason: string };

/** A piece of news is a job: it is brought once, also when the process dies right after the money has moved. */
type NewsJob = { key: string; kind: typeof NEWS; userId: number; payload: Json };

export const NEWS = 'money-news';

export const newsJob = (userId: number, key: string, news: MoneyNews): NewsJob => ({
  key: `${NEWS}:${news.what}:${key}`,
  kind: NEWS,
  userId,
  payload: news,
});

/** Whom a settled payment concerns: the payer, and who invited them. */
export function newsOfPayment({ paymentId, userId, balance, bonus, bonusTo }: Settled): NewsJob[] {
  const credited = newsJob(userId, `${paymentId}`, { what: 'credited', paymentId, balance });
  if (bonusTo === null) return [credited];
  return [credited, newsJob(bonusTo, `${paymentId}`, { what: 'bonus', tokens: bonus, balance: 0 })];
}

/** The payer, and the inviter whose bonus went back with the payment. */
export function newsOfRefund(
  refundKey: string,
  { paymentId, userId, taken, balance, isWhole, bonusBack }: Refunded,
): NewsJob[] {
  const refunded = newsJob(userId, refundKey, { what: 'refunded', paymentId, taken, balance, isWhole });
  if (bonusBack === null) return [refunded];
  const { userId: inviter, ...lost } = bonusBack;
  return [refunded, newsJob(inviter, `${paymentId}`, { what: 'bonus-back', ...lost })];
}

export const newsOfPause = ({ id, userId }: Pick<PaymentRow, 'id' | 'userId'>): NewsJob =>
  newsJob(userId, `${id}`, { what: 'paused', paymentId: id });
