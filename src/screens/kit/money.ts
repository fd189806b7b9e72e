import type { Failure } from '../../../machines/failure.ts';
import { number, ofTokens, tokens, tokensReturned } from '../../russian.ts';
import { to } from './link.ts';
import { triedBefore } from './save-step.ts';
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

/** What the next version of a paid text costs. */
export const nextVersionLine = (price: number, freeLeft: number): RichText =>
  price > 0
    ? rich`Ещё вариант стоит ${tokens(price)}: бесплатные закончились.`
    : rich`Бесплатных вариантов осталось: ${freeLeft}.`;

/** Why the work did not begin: nothing was charged. */
export const refusal = (failure: Failure): RichText =>
  rich`⚠ ${failure.userMessage ?? 'Не получилось начать.'}${triedBefore(failure)}`;

export const topUpIfShort = (lacking: number, failure: Failure | null): Keyboard =>
  lacking > 0 || failure?.code === 'OUT_OF_TOKENS' ? [[button('Пополнить', to('nav:tariffs'))]] : [];

/** Why the work came to nothing, and what came back. */
export const trouble = (failure: Failure): RichText =>
  troubleOr('Произошла ошибка. Попробуйте позже.', failure);

/** The same of work that is worth another press at once. */
export const passingTrouble = (failure: Failure): RichText =>
  troubleOr('Что-то пошло не так. Попробуйте ещё раз.', failure);

/** `unsaid`: where the error was not written for a person. A second failure is seen to be another one. */
const troubleOr = (unsaid: string, failure: Failure): RichText =>
  rich`${failure.userMessage ?? unsaid}${cameBack(failure)}${triedBefore(failure)}`;

const cameBack = ({ refunded }: Failure): string => (refunded > 0 ? ` ${tokensReturned(refunded)}.` : '');
