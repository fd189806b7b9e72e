import { hasStarsPlan, type Offer } from '../../catalogue.ts';
import { prices } from '../../prices.ts';
import { date, number, ofTokens, plural, tokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import {
  type Button,
  button,
  type Invoice,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** The person's plan, as far as it has an end. */
export type Subscription = {
  paymentId: number;
  plan: string;
  title: string;
  tokens: number;
  provider: 'stars' | 'yookassa';
  status: 'active' | 'paused' | 'cancelled';
  /** ISO timestamp. */
  until: string;
  isOver: boolean;
  /** In Stars or roubles, by the provider. */
  price: number;
  /** The card that is charged next, as «*4444», or empty where the provider did not say; null: none is kept. */
  card: string | null;
};

export type Tariffs = {
  balance: number;
  averageArticleCost: number;
  offers: readonly Offer[];
  subscription: Subscription | null;
  /** Whether cards are taken. */
  cards: boolean;
};

/** Where the person comes from: out of the menu, or out of a flow that waits beside. */
export type Comer = { isInFlow: boolean };

export function tariffsScreen(
  { balance, averageArticleCost, offers, subscription, cards }: Tariffs,
  comer: Comer,
): Screen {
  const plans = offers.filter((offer) => hasStarsPlan(offer) || (offer.isPlan && cards));
  return {
    text: paragraphs(
      rich`<b>Тарифы</b>`,
      balanceLine(balance, averageArticleCost),
      lines(
        rich`Что сколько стоит:`,
        rich`• статья с картинками — около ${ofTokens(averageArticleCost)}`,
        rich`• пост с картинкой — от ${ofTokens(prices.textPer100Words + prices.image)}`,
        rich`• подбор фраз — ${tokens(prices.keyword)} за фразу`,
        rich`• аудит сайта или анализ конкурента — ${tokens(prices.audit)}`,
      ),
      rich`Пакет покупается один раз. По подписке токены приходят сами каждые 30 дней — для тех, кто публикует постоянно. Токены не сгорают.`,
    ),
    keyboard: [
      [button('Купить токены', to('tariffs:topup'), 'primary')],
      ...plans.map(({ name, title, tokens: count }) => [
        button(`Подписка ${title} · ${tokens(count)}`, to('sub:{plan}:select', { plan: name })),
      ]),
      ...(subscription ? [[button('Моя подписка', to('sub:manage'))]] : []),
      [wayBack(comer)],
    ],
  };
}

export function packagesScreen({ balance, averageArticleCost, offers, cards }: Tariffs): Screen {
  return {
    text: paragraphs(
      rich`<b>Пакеты токенов</b>`,
      balanceLine(balance, averageArticleCost),
      lines(
        ...offers.map(
          ({ title, tokens: count, bonus, rub, stars }) =>
            rich`• <b>${title}</b>: ${tokens(count)}${bonus > 0 && `, из них ${number(bonus)} в подарок`} — ${cards ? rubles(rub) : starsOf(stars)}, примерно ${articles(count, averageArticleCost)}`,
        ),
      ),
    ),
    keyboard: [
      ...offers.map(({ name, title, tokens: count }) => [
        button(`${title} · ${tokens(count)}`, to('tariff:{pkg}:select', { pkg: name })),
      ]),
      [button('Назад', to('nav:tariffs'))],
    ],
  };
}

export function packageScreen(offer: Offer, { averageArticleCost, balance, cards }: Tariffs): Screen {
  const { name: pkg, title, tokens: count, bonus, rub, stars } = offer;
  return {
    text: paragraphs(
      rich`<b>Пакет ${title}</b>`,
      lines(
        rich`${tokens(count)}${bonus > 0 && `, из них ${number(bonus)} в подарок`} — примерно ${articles(count, averageArticleCost)}.`,
        rich`Цена: ${starsOf(stars)}${cards && ` или ${number(rub)} ₽ картой`}.`,
      ),
      debtLine(balance, count),
      rich`Как будете платить?`,
    ),
    keyboard: [
      [button(`Звёздами Telegram · ${number(stars)}`, to('tariff:{pkg}:stars', { pkg }), 'primary')],
      ...(cards ? [[button(`Картой · ${number(rub)} ₽`, to('tariff:{pkg}:yookassa', { pkg }))]] : []),
      [button('Назад', to('tariffs:topup'))],
    ],
  };
}

export function planScreen(
  offer: Offer,
  { averageArticleCost, balance, cards, subscription }: Tariffs,
): Screen {
  const { name: plan, title, tokens: count, rub, stars } = offer;
  const byStars = hasStarsPlan(offer);
  const running = subscription && !subscription.isOver && subscription.status === 'active';
  const other = running && subscription.plan !== plan;
  const same = running && subscription.plan === plan;
  return {
    text: paragraphs(
      rich`<b>Подписка ${title}</b>`,
      lines(
        rich`${tokens(count)} сразу и столько же каждые 30 дней — примерно ${articles(count, averageArticleCost)} в месяц.`,
        (byStars || cards) &&
          rich`Цена за 30 дней: ${byStars && starsOf(stars)}${byStars && cards && ' или '}${cards && `${number(rub)} ₽ картой`}.`,
      ),
      debtLine(balance, count),
      rich`Продлевается сама. Отменить можно в любой день: оплаченный срок и токены останутся у вас.`,
      other && rich`Подписка ${subscription.title} перестанет продлеваться, как только вы оплатите эту.`,
      same &&
        rich`Она у вас уже есть, следующее списание: ${day(subscription)}. Если оплатить сейчас, токены придут ещё раз, а 30 дней начнутся заново.`,
      !byStars &&
        !cards &&
        rich`Такая подписка оплачивается только картой, а карты сейчас не принимаются. Купите пакет ${title} один раз.`,
    ),
    keyboard: [
      ...(byStars
        ? [[button(`Звёздами Telegram · ${number(stars)}`, to('sub:{plan}:stars', { plan }), 'primary')]]
        : []),
      ...(cards ? [[button(`Картой · ${number(rub)} ₽`, to('sub:{plan}:yookassa', { plan }))]] : []),
      [button('Назад', to('nav:tariffs'))],
    ],
  };
}

/** The bill itself follows below, with Telegram's own button. */
export const billScreen = ({ title, tokens: count, name: pkg }: Offer, invoice: Invoice): Screen => ({
  text: paragraphs(
    rich`<b>Пакет ${title}</b> · ${tokens(count)}`,
    rich`Счёт ниже. Токены появятся на балансе сразу после оплаты, и я напишу об этом.`,
  ),
  keyboard: [[button('Назад', to('tariff:{pkg}:select', { pkg }))]],
  invoice,
});

export const subscriptionBillScreen = (
  { title, tokens: count, stars, name: plan }: Offer,
  url: string,
): Screen => ({
  text: paragraphs(
    rich`<b>Подписка ${title}</b> · ${tokens(count)} каждые 30 дней`,
    rich`Оплата откроется по кнопке. Токены появятся на балансе сразу после неё, и я напишу об этом.`,
  ),
  keyboard: [
    [urlButton(`Оплатить ${starsOf(stars)}`, url)],
    [button('Назад', to('sub:{plan}:select', { plan }))],
  ],
});

export function subscriptionScreen(subscription: Subscription | null): Screen {
  if (!subscription)
    return { text: rich`Подписки у вас нет.`, keyboard: [[button('К тарифам', to('nav:tariffs'))]] };
  const { paymentId: n, title, tokens: count, status, isOver, provider, card } = subscription;
  return {
    text: paragraphs(
      rich`<b>Подписка ${title}</b> · ${tokens(count)} каждые 30 дней`,
      lines(
        rich`Статус: ${stateOf(subscription)}`,
        !isOver &&
          status === 'active' &&
          rich`Следующее списание: ${day(subscription)}, ${priceOf(subscription)}`,
        provider === 'yookassa' && card !== null && rich`Карта: ${card || 'сохранена'}`,
      ),
    ),
    keyboard: [
      ...changes(),
      [button('Сменить тариф', to('nav:tariffs'))],
      ...(provider === 'yookassa' && card !== null
        ? [[button('Забыть карту', to('sub:{n}:card:forget', { n }))]]
        : []),
      ...(status === 'active' && !isOver
        ? [[button('Отменить подписку', to('sub:{n}:cancel', { n }), 'danger')]]
        : []),
      [menuButton],
    ],
  };

  function changes(): Button[][] {
    if (isOver || status === 'paused')
      return [[button('Оформить снова', to('sub:{plan}:select', { plan: subscription!.plan }), 'primary')]];
    return status === 'cancelled' && (provider === 'stars' || card !== null)
      ? [[button('Возобновить', to('sub:{n}:resume', { n }), 'primary')]]
      : [];
  }
}

export const cancelScreen = (subscription: Subscription): Screen => ({
  text: paragraphs(
    rich`<b>Отменить подписку ${subscription.title}?</b>`,
    rich`Она будет работать до ${day(subscription)}, токены останутся на балансе. Больше ничего не спишется.`,
  ),
  keyboard: [
    [button('Да, отменить', to('sub:{n}:cancel:confirm', { n: subscription.paymentId }), 'danger')],
    [button('Оставить', to('sub:manage'))],
  ],
});

export const forgetCardScreen = (subscription: Subscription): Screen => ({
  text: paragraphs(
    rich`<b>Забыть карту${subscription.card && ` ${subscription.card}`}?</b>`,
    rich`Продлевать подписку станет нечем: она закончится ${day(subscription)}. Токены останутся на балансе.`,
  ),
  keyboard: [
    [button('Да, забыть', to('sub:{n}:card:forget:confirm', { n: subscription.paymentId }), 'danger')],
    [button('Оставить', to('sub:manage'))],
  ],
});

export const subscriptionNotices = {
  cancelled: ({ title, until }: Subscription): RichText =>
    rich`Подписка ${title} отменена. Она работает до ${dayOf(until)}, больше ничего не спишется.`,
  resumed: ({ title, until }: Subscription): RichText =>
    rich`Подписка ${title} снова продлевается сама. Следующее списание: ${dayOf(until)}.`,
  cardForgotten: ({ until }: Subscription): RichText =>
    rich`Карта забыта. Подписка работает до ${dayOf(until)} и не продлится.`,
};

export const subscriptionUnchanged: RichText = rich`Не получилось изменить подписку в Telegram: она осталась как была. Попробуйте ещё раз через пару минут.`;

/** Telegram did not make the bill: the plan is offered again. */
export function noBillScreen(offer: Offer, tariffs: Tariffs): Screen {
  const { text, keyboard } = planScreen(offer, tariffs);
  return {
    text: paragraphs(
      rich`Telegram не выставил счёт, звёзды не списаны. Попробуйте ещё раз через пару минут.`,
      text,
    ),
    keyboard,
  };
}

/** Above the question of a flow that was looked away from. */
export const goesOn = rich`Продолжаем.`;

export const backLabel = 'Назад';

export const wayBack = ({ isInFlow }: Comer): Button =>
  isInFlow ? button('Вернуться', to('flow:again')) : menuButton;

/** In prose there is no end to them, so only the first ten are counted exactly. */
export const articles = (balance: number, averageArticleCost: number): string =>
  plural(Math.max(0, Math.floor(balance / averageArticleCost)), 'статья', 'статьи', 'статей');

export const starsOf = (count: number): string => plural(count, 'звезда', 'звезды', 'звёзд');

export const rubles = (sum: number): string => `${number(sum)} ₽`;

export const dayOf = (iso: string): string => date(new Date(iso), 'Europe/Moscow');

const day = ({ until }: Subscription): string => dayOf(until);

const priceOf = ({ provider, price }: Subscription): string =>
  provider === 'stars' ? starsOf(price) : rubles(price);

function stateOf({ status, isOver, until }: Subscription): string {
  if (status === 'paused') return 'приостановлена, не хватило звёзд на продление';
  if (isOver) return `закончилась ${dayOf(until)}`;
  return status === 'cancelled' ? `отменена, работает до ${dayOf(until)}` : 'активна';
}

/** What a purchase of so many tokens does to a debt. */
function debtLine(balance: number, bought: number): RichText | null {
  if (balance >= 0) return null;
  const left = balance + bought;
  return left < 0
    ? rich`Всё уйдёт в счёт долга. Останется долг ${tokens(-left)}, и генерация ещё не откроется.`
    : rich`Сначала закроется долг: ${tokens(-balance)}. На балансе станет ${tokens(left)}.`;
}

const balanceLine = (balance: number, averageArticleCost: number): RichText =>
  balance < 0
    ? rich`Баланс: <b>${tokens(balance)}</b>. Это долг из-за возвращённого платежа: сначала покупка закрывает его.`
    : rich`Баланс: <b>${tokens(balance)}</b>${balance >= averageArticleCost && ` — примерно ${articles(balance, averageArticleCost)}`}`;
