import { number, tokens } from '../../russian.ts';
import { to } from './link.ts';
import { type Button, button, lines, type RichText, rich } from './screen.ts';

/** What something would cost, and what there is to pay it with. */
export type Price = { price: number; balance: number; isAdmin: boolean };

export const lackingFor = ({ price, balance, isAdmin }: Price): number =>
  isAdmin ? 0 : Math.max(0, price - balance);

/** Shown before every charge: price, balance and what is short (E01, E38). */
export const priceLines = (offer: Price): RichText => {
  const lacking = lackingFor(offer);
  return lines(
    rich`Стоимость: ${tokens(offer.price)}${offer.isAdmin && ' · GOD_MODE, бесплатно'}`,
    rich`На балансе: ${tokens(offer.balance)}${lacking > 0 && `, не хватает ${number(lacking)}`}`,
  );
};

/** Nothing where the balance is enough. */
export const topUpRows = (offer: Price, failureCode?: string): Button[][] =>
  lackingFor(offer) > 0 || failureCode === 'OUT_OF_TOKENS' ? [[button('Пополнить', to('nav:tariffs'))]] : [];
