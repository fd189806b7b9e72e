import { number, plural, tokens } from '../../russian.ts';
import { type Link, to } from '../kit/link.ts';
import { type Button, button, lines, paragraphs, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { dayOf } from './tariffs.ts';

/** What was bought, as far as a message about it needs to know. */
export type Bought = {
  title: string;
  tokens: number;
  isPlan: boolean;
  plan: string;
  isRenewal: boolean;
  /** The price in Stars of a plan that can be paid with them. */
  stars: number | null;
  /** ISO timestamp of a subscription's end. */
  until: string | null;
  isOver: boolean;
};

/** Something that stopped for lack of tokens and can go on now. */
export type Waiting = { what: string; link: Link };

/** T5 and N5: paid. A person who was stopped for lack of tokens is asked to go on (E51). */
export function creditedScreen(
  bought: Bought,
  { balance, before }: { balance: number; before: number },
  waiting: Waiting | null,
  /** Schedules that stopped for lack of tokens. */
  paused = 0,
): Screen {
  const what = bought.isPlan ? `Подписка ${bought.title}` : `Пакет ${bought.title}`;
  return {
    text: paragraphs(
      rich`<b>+${tokens(bought.tokens)}</b>`,
      lines(
        rich`${what} ${bought.isRenewal ? 'продлена' : bought.isPlan ? 'оплачена' : 'оплачен'}. Спасибо!`,
        before < 0 && (balance < 0 ? rich`Всё ушло в счёт долга.` : rich`Долг ${number(-before)} закрыт.`),
        rich`На балансе: <b>${tokens(balance)}</b>.`,
        bought.until !== null && rich`Следующее продление: ${dayOf(bought.until)}.`,
      ),
      balance < 0 &&
        rich`Этого не хватило, чтобы закрыть весь долг. Генерация откроется, когда баланс станет больше нуля.`,
      paused > 0 &&
        balance > 0 &&
        rich`Без токенов на паузе: ${plural(paused, 'расписание', 'расписания', 'расписаний')}.`,
      waiting && rich`Токенов ждёт ${waiting.what}. Продолжим?`,
    ),
    keyboard: [
      ...(waiting ? [[button('Продолжить', waiting.link, 'success')]] : []),
      ...(paused > 0 && balance > 0
        ? [[button(`Возобновить расписания (${number(paused)})`, to('schedules:resume'))]]
        : []),
      ...(waiting
        ? [[button('Нет', to('nav:dashboard'))]]
        : [[balance > 0 ? writeArticle : topUp], [menuButton]]),
    ],
  };
}

export const bonusScreen = (bonus: number): Screen => ({
  text: paragraphs(
    rich`<b>+${tokens(bonus)}</b>`,
    rich`Человек, которого вы пригласили, пополнил баланс. Это ваши 10 %.`,
  ),
  keyboard: [[button('Пригласить ещё', to('profile:referral'))], [menuButton]],
});

/** The payment that it was a tenth of was given back. */
export const bonusBackScreen = (bonus: number, balance: number): Screen => ({
  text: paragraphs(
    rich`<b>Снят бонус: ${tokens(bonus)}</b>`,
    lines(
      rich`Человеку, которого вы пригласили, вернули платёж, а с ним ушли и ваши 10 %.`,
      rich`На балансе: <b>${tokens(balance)}</b>.`,
    ),
  ),
  keyboard: [...(balance < 0 ? [[topUp]] : []), [menuButton]],
});

/** X05: what was bought is gone with the money. */
export const refundedScreen = (
  { title }: Bought,
  { taken, balance, isWhole }: { taken: number; balance: number; isWhole: boolean },
): Screen => ({
  text: paragraphs(
    rich`<b>Платёж за ${title} возвращён${!isWhole && ' частично'}</b>`,
    lines(rich`С баланса снято ${tokens(taken)}.`, rich`На балансе: <b>${tokens(balance)}</b>.`),
    balance < 0 &&
      rich`Токены были потрачены раньше, поэтому баланс ушёл в минус. Генерация недоступна, пока покупка не закроет долг.`,
  ),
  keyboard: [...(balance < 0 ? [[topUp]] : []), [menuButton]],
});

/** E19. */
export const pausedScreen = ({ title, stars }: Bought): Screen => ({
  text: paragraphs(
    rich`<b>Подписка ${title} приостановлена</b>`,
    rich`На продление не хватило звёзд. Токены на балансе остались, расписания работают, пока они есть. Пополните звёзды и оформите подписку снова или купите пакет.`,
  ),
  keyboard: [
    ...(stars === null ? [] : [[urlButton('Пополнить звёзды', starsTopUp(stars))]]),
    [button('Моя подписка', to('sub:manage'))],
    [button('Купить токены', to('tariffs:topup'), 'primary')],
    [menuButton],
  ],
});

export const renewalSoonScreen = ({ title, until }: Bought, price: string): Screen => ({
  text: paragraphs(
    rich`<b>Скоро продлится подписка ${title}</b>`,
    rich`${until !== null && `${dayOf(until)} `}с карты спишется ${price}. Если подписка больше не нужна, отмените её до этого дня.`,
  ),
  keyboard: [[button('Моя подписка', to('sub:manage'))], [menuButton]],
});

/** E37. */
export const renewalFailedScreen = (
  { title, until, isOver, plan, stars }: Bought,
  reason: string,
): Screen => ({
  text: paragraphs(
    rich`<b>Подписку ${title} не получилось продлить</b>`,
    rich`${reason} Деньги не списаны${until !== null && `, подписка ${isOver ? 'закончилась' : 'действует до'} ${dayOf(until)}`}. Токены на балансе остались, расписания работают.`,
  ),
  keyboard: [
    [button('Обновить карту', to('sub:{plan}:yookassa', { plan }), 'primary')],
    ...(stars === null ? [] : [[button('Оплатить звёздами', to('sub:{plan}:stars', { plan }))]]),
    [menuButton],
  ],
});

export const cardFailedScreen = ({ title, plan, isPlan }: Bought, reason: string): Screen => ({
  text: paragraphs(rich`<b>Оплата за ${title} не прошла</b>`, rich`${reason} Деньги не списаны.`),
  keyboard: [[again(plan, isPlan)], [menuButton]],
});

const again = (plan: string, isPlan: boolean): Button =>
  isPlan
    ? button('Попробовать ещё раз', to('sub:{plan}:select', { plan }), 'primary')
    : button('Попробовать ещё раз', to('tariff:{pkg}:select', { pkg: plan }), 'primary');

/** Telegram's own purchase of Stars, up to this many in the purse. */
const starsTopUp = (stars: number): string => `tg://stars_topup?balance=${stars}`;

const topUp = button('Пополнить', to('nav:tariffs'), 'primary');
const writeArticle = button('Написать статью', to('pipeline:article:start'), 'primary');

/** Why a bank or a person did not pay, by the provider's word for it. */
const cardReasons: Readonly<Record<string, string>> = {
  insufficient_funds: 'На карте не хватило денег.',
  card_expired: 'Срок действия карты истёк.',
  permission_revoked: 'Карта отвязана её владельцем.',
  expired_on_confirmation: 'Платёж не был подтверждён вовремя.',
  '3d_secure_failed': 'Не пройдена проверка 3-D Secure.',
  call_issuer: 'Банк отклонил платёж: позвоните в банк.',
  payment_method_limit_exceeded: 'Превышен лимит карты.',
  provider_away: 'Касса не ответила за сутки.',
  person_left: 'Счёт закрыт.',
};

export const cardReason = (word: string | null): string =>
  (word !== null && cardReasons[word]) || 'Банк отклонил платёж.';
