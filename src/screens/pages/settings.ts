import { number, tokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import {
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import type { Switches } from './profile.ts';
import { dayOf, rubles, starsOf } from './tariffs.ts';

/** Who answers for the bot, and on what terms; what is undefined is not said. */
export type Owner = {
  support?: string | undefined;
  policyUrl?: string | undefined;
  offerUrl?: string | undefined;
};

export type PaidBefore = {
  /** ISO timestamp. */
  at: string;
  title: string;
  rub: number | null;
  stars: number | null;
  isRefunded: boolean;
};

const back = [button('Назад', to('nav:settings'))];

export const settingsScreen = (): Screen => ({
  text: paragraphs(
    rich`<b>Настройки</b>`,
    rich`О чём вам сообщать, куда обращаться с вопросами и что бот хранит о вас.`,
  ),
  keyboard: [
    [button('Уведомления', to('settings:notify'))],
    [button('Поддержка', to('settings:support'))],
    [button('Мои данные', to('settings:data'))],
    [button('О боте', to('settings:about'))],
    [menuButton],
  ],
});

const switchTexts: Record<keyof Switches, { label: string; what: RichText }> = {
  publications: { label: 'Публикации', what: rich`что вышло, что не получилось, что истекло` },
  balance: { label: 'Баланс', what: rich`когда токенов осталось мало` },
  news: { label: 'Новости', what: rich`итоги недели и что появилось нового` },
};

export const switchNames = Object.keys(switchTexts) as (keyof Switches)[];

export const notifyScreen = (switches: Switches): Screen => ({
  text: paragraphs(
    rich`<b>Уведомления</b>`,
    lines(...switchNames.map((name) => rich`• ${switchTexts[name].label}: ${switchTexts[name].what}`)),
    rich`О платежах, возвратах и подписке пишу всегда.`,
  ),
  keyboard: [
    ...switchNames.map((name) => [
      button(`${switches[name] ? '✓' : '✗'} ${switchTexts[name].label}`, to('notify:{what}', { what: name })),
    ]),
    back,
  ],
});

/** SE1, and `/paysupport`: whom to write to, and what was paid lately. */
export const supportScreen = ({ support }: Owner, userId: number, paid: readonly PaidBefore[]): Screen => ({
  text: paragraphs(
    rich`<b>Поддержка</b>`,
    support === undefined
      ? rich`Владелец бота пока не указал, куда писать. Платежи в звёздах можно оспорить и в поддержке Telegram.`
      : rich`Пишите: ${support}. Укажите свой номер, так найдём вас быстрее.`,
    rich`Ваш номер: <code>${String(userId)}</code>`,
    paid.length > 0 && lines(rich`Последние платежи:`, ...paid.map(paymentLine)),
  ),
  keyboard: [...contactKeys(support), back, [menuButton]],
});

const paymentLine = ({ at, title, rub, stars, isRefunded }: PaidBefore): RichText =>
  rich`• ${dayOf(at)} · ${title}, ${stars !== null ? starsOf(stars) : rubles(rub ?? 0)}${isRefunded && ' · возвращён'}`;

function contactKeys(support: string | undefined): Keyboard {
  if (support === undefined) return [];
  if (/^https?:\/\//u.test(support)) return [[urlButton('Написать', support)]];
  const name = /^@(\w{4,32})$/u.exec(support)?.[1];
  return name === undefined ? [] : [[urlButton('Написать', `https://t.me/${name}`)]];
}

export const aboutScreen = (owner: Owner, version: string): Screen => ({
  text: paragraphs(
    rich`<b>SEO Master</b> ${version}`,
    rich`Находит, что ищут ваши клиенты, пишет статьи и посты, рисует картинки и публикует: на сайт, в Telegram, ВКонтакте, Pinterest и MAX.`,
    termsOf(owner),
  ),
  keyboard: [...termsKeys(owner), back, [menuButton]],
});

/** `/terms`. */
export const termsScreen = (owner: Owner): Screen => ({
  text: paragraphs(
    rich`<b>Условия</b>`,
    termsOf(owner) ?? rich`Документы пока не опубликованы. По вопросам об оплате — /paysupport.`,
    rich`Токены не сгорают. Платёж можно вернуть через поддержку: токены, купленные на него, снимутся с баланса.`,
  ),
  keyboard: [...termsKeys(owner), [menuButton]],
});

export function termsOf({ policyUrl, offerUrl }: Owner): RichText | null {
  const offer = offerUrl === undefined ? null : rich`<a href="${offerUrl}">оферту</a>`;
  const policy = policyUrl === undefined ? null : rich`<a href="${policyUrl}">политику обработки данных</a>`;
  if (!offer && !policy) return null;
  return rich`Пользуясь ботом, вы принимаете ${offer}${offer !== null && policy !== null && ' и '}${policy}.`;
}

const termsKeys = ({ policyUrl, offerUrl }: Owner): Keyboard => [
  ...(offerUrl ? [[urlButton('Оферта', offerUrl)]] : []),
  ...(policyUrl ? [[urlButton('Политика', policyUrl)]] : []),
];

export const dataScreen = (): Screen => ({
  text: paragraphs(
    rich`<b>Мои данные</b>`,
    rich`Можно забрать всё, что бот хранит о вас, одним файлом: проекты, категории, тексты, публикации, платежи, историю токенов.`,
    rich`А можно удалить. Это навсегда.`,
  ),
  keyboard: [
    [button('Выгрузить', to('data:export'))],
    [button('Удалить всё', to('data:delete'), 'danger')],
    back,
  ],
});

export const exportScreen = (content: string): Screen => ({
  text: rich`Файл ниже: в нём всё, что бот хранит о вас. Паролей и токенов подключений в нём нет.`,
  keyboard: [[button('Назад', to('settings:data'))]],
  file: { name: 'my-data.json', content },
});

/** What goes with a person; `renews`: a subscription that would be charged again. */
export type Losses = { balance: number; projects: number; renews: boolean };

export const deletionScreen = ({ balance, projects, renews }: Losses): Screen => ({
  text: paragraphs(
    rich`<b>Удалить всё?</b>`,
    lines(
      rich`Исчезнут проекты (${number(projects)}), подключения, категории, фразы, черновики и история.`,
      balance > 0 && rich`На балансе ${tokens(balance)}: они сгорят.`,
      balance < 0 && rich`Долг (${tokens(-balance)}) останется за вами, если начнёте заново.`,
      renews && rich`Подписка перестанет продлеваться.`,
      rich`Записи о платежах останутся без вашего имени: так требует закон.`,
    ),
    rich`То, что уже опубликовано на сайтах и в каналах, останется там.`,
  ),
  keyboard: [
    // The balance stands in the button: pressed after a purchase, it deletes nothing.
    [button('Да, удалить навсегда', to('data:delete:{n}', { n: Math.max(0, balance) }), 'danger')],
    [button('Нет, оставить', to('settings:data'))],
  ],
});

export const goneScreen = (): Screen => ({
  text: paragraphs(
    rich`<b>Всё удалено.</b>`,
    rich`Спасибо, что были с нами. Если захотите вернуться, откройте меню: начнём с чистого листа.`,
  ),
  keyboard: [[menuButton]],
});

export const dataNotices = {
  away: rich`Не получилось остановить подписку в Telegram, поэтому ничего не удалено. Попробуйте ещё раз через пару минут.`,
};
