import type { Failure } from '../../../machines/failure.ts';
import { number, ofTokens, tokens, tokensReturned } from '../../russian.ts';
import { to } from './link.ts';
import { button, type Keyboard, lines, type RichText, rich } from './screen.ts';

/** What a person has to know before they agree to pay (E01, E38): the price, what they have, what is short. */
export type Price = { price: number; balance: number; isAdmin: boolean };

export const lackingOf = ({ price, balance, isAdmin }: Price): number =>
  isAdmin ? 0 : Math.max(0, price - balance);

/** `atMost`: where what was not delivered comes back. */
export const priceLines = (asked: Price, { atMost = false } = {}): RichText => {
  const lacking = lackingOf(asked);
  return lines(
    rich`Стоимость: ${atMost ? `не больше ${ofTokens(asked.price)}` : tokens(asked.price)}${asked.isAdmin && ' · GOD_MODE, бесплатно'}`,
    rich`На балансе: ${tokens(asked.balance)}${lacking > 0 && `, не хватает ${number(lacking)}`}`,
  );
};

/** Why the work did not begin: nothing was charged. */
export const refusal = ({ userMessage }: Failure): RichText =>
  rich`⚠ ${userMessage ?? 'Не получилось начать.'}`;

export const topUpIfShort = (lacking: number, failure: Failure | null): Keyboard =>
  lacking > 0 || failure?.code === 'OUT_OF_TOKENS' ? [[button('Пополнить', to('nav:tariffs'))]] : [];

/** Why the work came to nothing, and what came back. */
export const trouble = ({ userMessage, refunded }: Failure): RichText =>
  rich`${userMessage ?? 'Произошла ошибка. Попробуйте позже.'}${refunded > 0 && ` ${tokensReturned(refunded)}.`}`;
