import type { Offer } from '../../catalogue.ts';
import { tokens } from '../../russian.ts';
import { type Link, to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { type Comer, rubles, wayBack } from './tariffs.ts';

/** What is bought: a package once, or a plan every 30 days. */
export type Purchase = { offer: Offer; kind: 'tariff' | 'sub' };

/** Before the bill is made: what it is for, and where the receipt goes. */
export function cardOrderScreen(
  { offer, kind }: Purchase,
  email: string | null,
  { isInFlow }: Comer,
): Screen {
  const { name: pkg, title, tokens: count, rub } = offer;
  const ask = button(
    email === null ? 'Указать e-mail' : 'Изменить e-mail',
    to('receipt:{kind}:{pkg}', { kind, pkg }),
  );
  return {
    text: paragraphs(
      rich`<b>${kind === 'sub' ? 'Подписка' : 'Пакет'} ${title}</b> · ${tokens(count)}`,
      lines(
        rich`К оплате: <b>${rubles(rub)}</b>${kind === 'sub' && ' сейчас и каждые 30 дней'}.`,
        email === null ? rich`Чек придёт магазину: вашего e-mail у меня нет.` : rich`Чек придёт на ${email}.`,
        kind === 'sub' && rich`Карта сохранится для продления, забыть её можно в любой день.`,
      ),
    ),
    keyboard: [
      [button(`Оплатить ${rubles(rub)}`, to('pay:{kind}:{pkg}', { kind, pkg }), 'success')],
      // To ask would end the flow that waits for the tokens.
      ...(isInFlow ? [] : [[ask]]),
      [button('Назад', back({ offer, kind }))],
    ],
  };
}

export const receiptEmailScreen = (email: string | null): Screen => ({
  text: paragraphs(
    rich`На какой e-mail присылать чеки?`,
    email !== null && rich`Сейчас: ${email}`,
    rich`<i>Например: anna@example.ru</i>`,
  ),
  keyboard: [],
});

export const wrongEmail: RichText = rich`Это не похоже на e-mail. Пришлите адрес целиком, например anna@example.ru.`;

export const emailKept = (email: string): RichText => rich`Запомнил: чеки будут приходить на ${email}.`;

export const receiptBack = ({
  offer,
  kind,
}: Pick<Purchase, 'kind'> & { offer: Pick<Offer, 'name'> }): Link =>
  kind === 'sub'
    ? to('sub:{plan}:yookassa', { plan: offer.name })
    : to('tariff:{pkg}:yookassa', { pkg: offer.name });

/** The bill: paid at the provider, and looked up there again when asked. */
export const cardBillScreen = (
  bill: { paymentId: number; title: string; tokens: number; rub: number; url: string },
  comer: Comer,
): Screen => ({
  text: paragraphs(
    rich`<b>Счёт на ${rubles(bill.rub)}</b> · ${bill.title}, ${tokens(bill.tokens)}`,
    rich`Оплата откроется в браузере. Токены появятся на балансе сразу после неё, и я напишу об этом. Счёт действует час.`,
  ),
  keyboard: [
    [urlButton(`Оплатить ${rubles(bill.rub)}`, bill.url)],
    [button('Проверить оплату', to('bill:{n}:check', { n: bill.paymentId }))],
    [wayBack(comer)],
  ],
});

export const settledBillScreen = (title: string, became: keyof typeof whatBecame, comer: Comer): Screen => ({
  text: whatBecame[became](title),
  keyboard: [[button('К тарифам', to('nav:tariffs'))], [comer.isInFlow ? wayBack(comer) : menuButton]],
});

const whatBecame = {
  paid: (title: string): RichText => rich`Счёт за ${title} оплачен, токены на балансе.`,
  refunded: (title: string): RichText => rich`Счёт за ${title} был оплачен, потом деньги вернулись на карту.`,
  unpaid: (title: string): RichText => rich`Счёт за ${title} закрыт без оплаты. Деньги не списаны.`,
};

export const cardNotices = {
  notYet: rich`Оплата пока не пришла. Если вы уже заплатили, подождите минуту: обычно это быстро.`,
  away: rich`Касса сейчас не отвечает. Деньги не списаны, попробуйте ещё раз через пару минут.`,
  cannotCheck: rich`Касса сейчас не отвечает, поэтому не знаю, прошла ли оплата. Если вы заплатили, токены придут сами, как только она ответит.`,
  off: rich`Карты сейчас не принимаются.`,
};

const back = ({ offer, kind }: Purchase): Link =>
  kind === 'sub'
    ? to('sub:{plan}:select', { plan: offer.name })
    : to('tariff:{pkg}:select', { pkg: offer.name });
