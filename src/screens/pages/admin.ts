import { packageTitle } from '../../catalogue.ts';
import { date, moscowTime, number, plural, tokens } from '../../russian.ts';
import type { Link } from '../kit/link.ts';
import { to } from '../kit/link.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { cancelButton, menuButton } from '../kit/system.ts';
import { rubles, starsOf } from './tariffs.ts';

export type Service = { name: string; isUp: boolean; latencyMs: number };

export type Panel = {
  services: readonly Service[];
  people: number;
  payers: number;
  projects: number;
  revenueRub: number;
  packages: readonly { name: string; payers: number }[];
  lastPayments: readonly { name: string | null; rub: number; package: string; at: Date }[];
  referrals: { activations: number; bonus: number };
};

export type Costs = {
  days: number;
  usdRate: number;
  providers: readonly { name: string; usd: number; requests: number }[];
  revenueRub: number;
};

export type PersonFacts = {
  id: number;
  username: string | null;
  name: string | null;
  balance: number;
  isAdmin: boolean;
  isBlocked: boolean;
  projects: number;
  publications: number;
  spent: number;
  since: Date;
  lastSeen: Date;
};

export type PaidBy = {
  id: number;
  userId: number;
  package: string;
  tokens: number;
  rub: number | null;
  stars: number | null;
  status: string;
  /** Before the payment was given back whole. */
  refundedTokens: number;
  createdAt: Date;
};

/** A line of the audit. */
export type Deed = {
  at: Date;
  adminId: number;
  admin: string | null;
  action: string;
  userId: number | null;
  person: string | null;
  details: unknown;
};

export type AutomaticMessage = { title: string; isOn: boolean };

export const costPeriods = [7, 30, 90] as const;
export const MOST_GIFT = 100_000;

const panelButton = button('К панели', to('admin:panel'));
export const personLink = (id: number): Link => to('admin:user:{who}', { who: String(id) });

export const panelScreen = (panel: Panel): Screen => ({
  text: paragraphs(
    rich`<b>Админка</b>`,
    lines(...panel.services.map(serviceLine)),
    lines(
      rich`Люди: <b>${number(panel.people)}</b>, платили ${number(panel.payers)}, бесплатно ${number(panel.people - panel.payers)}`,
      rich`Проекты: ${number(panel.projects)}`,
      rich`Выручка за 30 дней: <b>${money(panel.revenueRub)}</b>`,
    ),
    panel.packages.length > 0 &&
      lines(
        rich`Последний пакет тех, кто платил:`,
        ...panel.packages.map(({ name, payers }) => rich`• ${packageTitle(name)}: ${number(payers)}`),
      ),
    panel.lastPayments.length > 0 &&
      lines(
        rich`Последние платежи:`,
        ...panel.lastPayments.map(
          ({ name, rub, package: pkg, at }) =>
            rich`• ${shortDay(at)} ${clip(name ?? 'без имени')}: ${packageTitle(pkg)}, ${money(rub)}`,
        ),
      ),
    rich`По приглашениям заплатили: ${number(panel.referrals.activations)}, начислено бонусов: ${tokens(panel.referrals.bonus)}`,
  ),
  keyboard: [
    [button('Мониторинг', to('admin:monitor')), button('Затраты API', to('admin:costs:{n}', { n: 30 }))],
    [button('Рассылка', to('admin:bc')), button('Пользователь', to('admin:user'))],
    [button('Графики', to('admin:plot:{n}', { n: 30 })), button('Журнал действий', to('admin:audit'))],
    [button('Автосообщения', to('admin:auto'))],
    [menuButton],
  ],
});

export function costsScreen({ days, usdRate, providers, revenueRub }: Costs): Screen {
  const spentUsd = providers.reduce((sum, { usd }) => sum + usd, 0);
  const spentRub = spentUsd * usdRate;
  const margin = revenueRub - spentRub;
  return {
    text: paragraphs(
      rich`<b>Затраты API за ${plural(days, 'день', 'дня', 'дней')}</b>`,
      providers.length === 0
        ? rich`Платных запросов не было.`
        : lines(
            ...providers.map(
              ({ name, usd, requests }) =>
                rich`• ${providerTitles[name] ?? name}: ${dollars(usd)} · ${money(usd * usdRate)} · ${plural(requests, 'запрос', 'запроса', 'запросов')}`,
            ),
          ),
      lines(
        rich`Всего: <b>${dollars(spentUsd)}</b> · ${money(spentRub)} по курсу ${usdRate.toLocaleString('ru-RU')}`,
        rich`Выручка: ${money(revenueRub)}`,
        rich`Маржа: <b>${money(margin)}</b>${revenueRub > 0 && ` · ${Math.round((margin / revenueRub) * 100)} %`}`,
      ),
    ),
    keyboard: [periodButtons(days, (n) => to('admin:costs:{n}', { n })), [panelButton]],
  };
}

const periodButtons = (chosen: number, linkTo: (days: number) => Link): Button[] =>
  costPeriods.map((days) =>
    button(days === chosen ? `✓ ${days} дней` : `${days} дней`, days === chosen ? to('noop') : linkTo(days)),
  );

export const plotLabels = {
  title: (days: number): string => `Выручка, люди и затраты за ${plural(days, 'день', 'дня', 'дней')}`,
  revenue: 'Выручка, ₽',
  people: 'Новые люди',
  costs: 'Затраты API, ₽',
};

export const plotScreen = (days: number, bytes: Uint8Array): Screen => ({
  text: rich`<b>Графики</b> за ${plural(days, 'день', 'дня', 'дней')}`,
  photo: { bytes, name: `figures-${days}.png` },
  keyboard: [periodButtons(days, (n) => to('admin:plot:{n}', { n })), [panelButton]],
});

/** As things, not deeds: verbs of the past would have to know whether the admin is a man or a woman. */
const deedWords: Readonly<Record<string, string>> = {
  look: 'просмотр карточки',
  refund: 'возврат платежа',
  gift: 'подарок',
  broadcast: 'рассылка',
  'stop-broadcast': 'остановка рассылки',
  'resume-broadcast': 'продолжение рассылки',
  'automatic-message': 'переключение автосообщения',
  'error-file': 'журнал ошибок',
};

export const auditScreen = (deeds: readonly Deed[]): Screen => ({
  text: paragraphs(
    rich`<b>Журнал действий</b>`,
    deeds.length === 0
      ? rich`Пока пусто. Сюда попадает, кто из админов на кого смотрел, что вернул, подарил и разослал.`
      : lines(...deeds.map(deedLine)),
  ),
  keyboard: [[button('Обновить', to('admin:audit')), panelButton]],
});

function deedLine({ at, adminId, admin, action, userId, person, details }: Deed): RichText {
  const of = userId === null ? null : `${clip(person ?? 'без имени')} (${userId})`;
  return rich`• ${moscowTime(at)} ${clip(admin ?? String(adminId))}: ${deedWords[action] ?? action}${of !== null && ` · ${of}`}${whatOf(details)}`;
}

/** How many tokens, which broadcast: the rest is in the database. */
function whatOf(details: unknown): string {
  const { count, text, name, isOn } = (details ?? {}) as Record<string, unknown>;
  if (typeof count === 'number') return ` · ${tokens(count)}`;
  if (typeof name === 'string') return ` · «${automaticTitle(name)}» ${isOn ? 'включено' : 'выключено'}`;
  return typeof text === 'string' && text !== '' ? ` · «${clip(text)}»` : '';
}

const automaticTitles: Readonly<Record<string, string>> = {
  low_balance: 'Мало токенов',
  weekly_digest: 'Итоги недели',
  reactivation: 'Давно не заходили',
};
export const automaticTitle = (name: string): string => automaticTitles[name] ?? name;

export const whoScreen: Screen = {
  text: paragraphs(
    rich`<b>Пользователь</b>`,
    rich`Пришлите id или @имя. Каждый просмотр записывается в журнал.`,
  ),
  keyboard: [],
};
export const backToPanel: Button = panelButton;

export const unknownPersonNotice = (text: string): RichText =>
  rich`Не нашёл «${clip(text)}». Нужен id цифрами или @имя человека, который уже писал боту.`;

export const personScreen = (person: PersonFacts, payments: readonly PaidBy[]): Screen => ({
  text: paragraphs(
    lines(
      rich`<b>${clip(person.name ?? 'Без имени')}</b>${person.username !== null && ` · @${person.username}`}${person.isAdmin && ' · админ'}`,
      rich`id <code>${person.id}</code>`,
    ),
    lines(
      rich`Баланс: <b>${tokens(person.balance)}</b>, потрачено ${tokens(person.spent)}`,
      rich`Проекты: ${number(person.projects)}, публикации: ${number(person.publications)}`,
      rich`В боте с ${shortDay(person.since)}, последний визит ${shortDay(person.lastSeen)}`,
      person.isBlocked && rich`Бот заблокирован этим человеком.`,
    ),
    payments.length === 0
      ? rich`Платежей нет.`
      : lines(
          rich`Платежи:`,
          ...payments.map(
            (each) =>
              rich`• ${shortDay(each.createdAt)} ${packageTitle(each.package)}, ${priceOf(each)}${each.status === 'refunded' && ' · возвращён'}`,
          ),
        ),
  ),
  keyboard: [
    ...payments
      .filter(({ status }) => status === 'completed')
      .map((each) => [
        button(
          `Вернуть ${packageTitle(each.package)}, ${priceOf(each)} · ${shortDay(each.createdAt)}`,
          to('admin:refund:{n}', { n: each.id }),
        ),
      ]),
    [button('Подарить токены', to('admin:gift:{who}', { who: String(person.id) }))],
    [button('Найти другого', to('admin:user')), panelButton],
  ],
});

export function refundScreen(payment: PaidBy, balance: number): Screen {
  const taken = payment.tokens - payment.refundedTokens;
  return {
    text: paragraphs(
      rich`<b>Вернуть платёж?</b>`,
      rich`${packageTitle(payment.package)} от ${shortDay(payment.createdAt)}: ${priceOf(payment)}.`,
      payment.refundedTokens > 0 &&
        rich`Часть уже возвращена: за ${tokens(payment.refundedTokens)}. Вернётся остальное.`,
      rich`С баланса уйдёт ${tokens(taken)}${balance < taken && `, он станет отрицательным: сейчас там ${tokens(balance)}`}. Бонус пригласившего, если он был, тоже спишется. Отменить возврат нельзя.`,
    ),
    keyboard: [
      [button('Да, вернуть', to('admin:refund:{n}:go', { n: payment.id }), 'danger')],
      [cancelButton(personLink(payment.userId))],
    ],
  };
}

export const giftScreen = (person: PersonFacts): Screen => ({
  text: paragraphs(
    rich`<b>Подарок</b> · ${clip(person.name ?? String(person.id))}`,
    rich`Сколько токенов подарить? Пришлите число от 1 до ${number(MOST_GIFT)}.`,
  ),
  keyboard: [],
});

export const confirmGiftScreen = (person: PersonFacts, count: number): Screen => ({
  text: rich`Подарить <b>${tokens(count)}</b> — ${clip(person.name ?? String(person.id))}? На балансе станет ${tokens(person.balance + count)}. Человек получит сообщение.`,
  keyboard: [
    [
      button(
        `Подарить ${tokens(count)}`,
        to('admin:gift:{who}:{k}:go', { who: String(person.id), k: count }),
        'success',
      ),
    ],
    [cancelButton(personLink(person.id))],
  ],
});

/** What the person reads. */
export const giftNews = (count: number, balance: number): Screen => ({
  text: paragraphs(
    rich`<b>Вам подарок: ${tokens(count)}</b>`,
    rich`На балансе: ${tokens(balance)}. Спасибо, что вы с нами!`,
  ),
  keyboard: [[menuButton]],
});

export const adminNotices = {
  notACount: rich`Нужно целое число от 1 до ${number(MOST_GIFT)}.`,
  gifted: (count: number): RichText => rich`Подарено: ${tokens(count)}.`,
  refunded: rich`Платёж возвращён, токены списаны. Человеку об этом написано.`,
  alreadyRefunded: rich`Этот платёж уже возвращён.`,
  refundPending: rich`Возврат принят, но банк ещё не закончил. Токены спишутся и человек получит сообщение, когда деньги уйдут.`,
  refundRefused: rich`Платёжная система отказала в возврате: деньги и токены остались как были. Причина — в её кабинете и в журнале ошибок.`,
  refundOff: rich`Карты сейчас не подключены, отсюда платёж не вернуть. Верните его в кабинете ЮKassa.`,
  refundFailed: rich`Платёжная система не ответила, возврат не подтверждён. Нажмите [Вернуть] ещё раз: дважды деньги не уйдут.`,
};

export const automaticScreen = (messages: readonly AutomaticMessage[]): Screen => ({
  text: paragraphs(
    rich`<b>Автосообщения</b>`,
    rich`Что бот пишет людям сам. Нажмите, чтобы выключить или включить для всех.`,
  ),
  keyboard: [
    ...messages.map(({ title, isOn }, i) => [
      button(`${isOn ? '✓' : '✗'} ${title}`, to('admin:auto:{i}:{g}', { i, g: isOn ? 'off' : 'on' })),
    ]),
    [panelButton],
  ],
});

const serviceTitles: Readonly<Record<string, string>> = {
  database: 'База данных',
  redis: 'Redis',
  openrouter: 'Модели (OpenRouter)',
  qstash: 'Расписания',
};
const providerTitles: Readonly<Record<string, string>> = {
  openrouter: 'OpenRouter',
  dataforseo: 'DataForSEO',
  firecrawl: 'Firecrawl',
  pagespeed: 'PageSpeed',
  serper: 'Serper',
  yandex: 'Яндекс',
};

export const serviceLine = ({ name, isUp, latencyMs }: Service): RichText =>
  rich`${isUp ? '✓' : '✗'} ${serviceTitles[name] ?? name}: ${isUp ? `${number(latencyMs)} мс` : 'не отвечает'}`;

const money = (rub: number): string => rubles(Math.round(rub));
const dollars = (usd: number): string => `$${usd.toFixed(2)}`;
const shortDay = (at: Date): string => date(at, 'Europe/Moscow');
const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text);
const priceOf = ({ rub, stars }: PaidBy): string => (stars === null ? money(rub ?? 0) : starsOf(stars));
