import { packageTitle } from '../../catalogue.ts';
import { WELCOME_BONUS } from '../../prices.ts';
import { number, plural, tokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import {
  type Button,
  button,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { articles, dayOf } from './tariffs.ts';

export type Profile = {
  name: string | null;
  balance: number;
  averageArticleCost: number;
  projects: number;
  categories: number;
  publications: number;
  activeSchedules: number;
  /** Over the last four weeks. */
  publicationsPerWeek: number;
  spentPerWeek: number;
  /** ISO timestamp. */
  since: string;
};

/** Tokens spent in a week; `week` is its Monday, as 16.11. */
export type Spending = { week: string; texts: number; pictures: number; phrases: number; other: number };

export const historyScopes = ['all', 'out', 'in', 'refund'] as const;
export type HistoryScope = (typeof historyScopes)[number];
/** `about`: the phrase of a text and its pictures, or what else was ordered. */
type HistoryItem = { at: string; type: string; amount: number; about: string | null };
/** `since`: when the person came, and with them the welcome bonus, which no row of the ledger tells of. */
export type HistoryPage = Page<HistoryItem> & {
  scope: HistoryScope;
  spentLastWeek: number;
  since: string;
};

export type Referrals = { invited: number; earned: number };
export type Switches = { publications: boolean; balance: boolean; news: boolean };

const SOON_DAYS = 14;
/** Further ahead the pace cannot be estimated. */
const MOST_DAYS = 365;

export function profileScreen(profile: Profile, plot: Uint8Array | null): Screen {
  const { name, balance, averageArticleCost } = profile;
  return {
    text: paragraphs(
      rich`<b>${name ?? 'Профиль'}</b>`,
      lines(
        rich`Баланс: <b>${tokens(balance)}</b>${balance >= averageArticleCost && ` — примерно ${articles(balance, averageArticleCost)}`}`,
        lastsLine(profile),
      ),
      lines(
        rich`Проекты: ${number(profile.projects)}, категории: ${number(profile.categories)}`,
        rich`Публикации: ${number(profile.publications)}${profile.publicationsPerWeek >= 0.5 && `, в неделю около ${number(Math.round(profile.publicationsPerWeek))}`}`,
        rich`Активные расписания: ${number(profile.activeSchedules)}`,
        rich`Вы здесь с ${dayOf(profile.since)}`,
      ),
    ),
    ...(plot && { photo: { bytes: plot, name: 'spending.png' } }),
    keyboard: [
      [button('Пополнить', to('nav:tariffs'), 'primary')],
      [button('История', to('profile:history')), button('Пригласить', to('profile:referral'))],
      [button('Уведомления', to('settings:notify')), button('Мои данные', to('settings:data'))],
      [menuButton],
    ],
  };
}

/** At the pace of the last four weeks. */
function lastsLine({ balance, spentPerWeek }: Profile): RichText | null {
  if (balance < 0)
    return rich`⚠ Это долг из-за возвращённого платежа. Генерация недоступна, пока покупка его не закроет.`;
  if (balance === 0) return rich`⚠ Токены закончились: пополните баланс, чтобы создавать тексты.`;
  if (spentPerWeek < 1) return null;
  const days = Math.floor((balance / spentPerWeek) * 7);
  const aMonth = number(Math.round((spentPerWeek * 30) / 7));
  const pace = `при расходе ${tokens(Math.round(spentPerWeek))} в неделю, это около ${aMonth} в месяц`;
  if (days > MOST_DAYS) return rich`Хватит больше чем на год ${pace}.`;
  const left = days === 0 ? 'меньше чем на день' : `примерно на ${plural(days, 'день', 'дня', 'дней')}`;
  return days < SOON_DAYS ? rich`⚠ Хватит ${left} ${pace}.` : rich`Хватит ${left} ${pace}.`;
}

/** What people call a movement of tokens, by its type in the ledger; negative refunds are payments that went back. */
const labels: Readonly<Record<string, string>> = {
  text_generation: 'Тексты',
  image_generation: 'Картинки',
  keyword_generation: 'Подбор фраз',
  audit: 'Аудит сайта',
  review: 'Отзывы',
  description: 'Описание',
  cross_post: 'Кросс-пост',
  competitor_analysis: 'Анализ конкурента',
  purchase: 'Покупка токенов',
  refund: 'Возврат токенов',
  referral_bonus: 'Бонус за приглашение',
  welcome_bonus: 'Приветственный бонус получен раньше',
  earlier_debt: 'Долг до удаления данных',
  gift: 'Подарок',
};

const labelOf = ({ type, amount }: HistoryItem): string => {
  if (type === 'refund' && amount < 0) return 'Возврат платежа';
  if (type === 'referral_bonus' && amount < 0) return 'Бонус снят после возврата платежа';
  return labels[type] ?? 'Другое';
};

/** A text and its pictures are known by their phrase, a payment by its package; the labels of the rest say enough. */
const namedByMore = ['text_generation', 'image_generation', 'cross_post', 'refund', 'purchase'];
const MOST_ABOUT = 60;

function historyLine(item: HistoryItem): RichText {
  const about = namedByMore.includes(item.type) ? [...packageTitle(item.about ?? '')] : [];
  const short = about.length > MOST_ABOUT ? `${about.slice(0, MOST_ABOUT).join('')}…` : about.join('');
  return rich`${dayOf(item.at)} · ${labelOf(item)}: ${signed(item.amount)}${short && ` · ${short}`}`;
}

const scopeLabels: Record<HistoryScope, string> = {
  all: 'Все',
  out: 'Траты',
  in: 'Покупки',
  refund: 'Возвраты',
};

export function historyScreen(page: HistoryPage): Screen {
  const { scope, items, spentLastWeek, since } = page;
  // The bonus is what everybody starts with: the oldest line, so that the history adds up to the balance.
  const isOldest = page.page === page.pages && (scope === 'all' || scope === 'in');
  const shown = [
    ...items.map(historyLine),
    ...(isOldest ? [rich`${dayOf(since)} · Приветственный бонус: ${signed(WELCOME_BONUS)}`] : []),
  ];
  return {
    text: paragraphs(
      rich`<b>История токенов</b> · ${scopeLabels[scope]}`,
      rich`За 7 дней потрачено: ${tokens(spentLastWeek)}`,
      shown.length === 0 ? rich`Здесь пока пусто.` : lines(...shown),
    ),
    keyboard: [
      [scopeButton('all'), scopeButton('out')],
      [scopeButton('in'), scopeButton('refund')],
      ...pagerRows(page, (n) => to('page:hist:{f}:{n}', { f: scope, n })),
      [button('К профилю', to('nav:profile'))],
    ],
  };

  function scopeButton(each: HistoryScope): Button {
    const label = scopeLabels[each];
    return button(each === scope ? `• ${label}` : label, to('hist:{f}', { f: each }));
  }
}

const signed = (amount: number): string => (amount > 0 ? `+${number(amount)}` : `−${number(-amount)}`);

export function referralScreen(link: string, { invited, earned }: Referrals): Screen {
  return {
    text: paragraphs(
      rich`<b>Пригласите знакомых</b>`,
      rich`За каждую их покупку вы получите 10 % токенами. Купят Starter за 3\u2009000 ₽ — вам придёт 300 токенов. И так с каждого платежа, продления подписки тоже считаются.`,
      rich`Ваша ссылка:\n<code>${link}</code>`,
      lines(rich`Пришли по ней: ${number(invited)}`, rich`Заработано: ${tokens(Math.max(0, earned))}`),
      rich`<i>Считается, если человек открыл бот по ссылке впервые.</i>`,
    ),
    keyboard: [
      [
        urlButton(
          'Поделиться',
          `https://t.me/share/url?${new URLSearchParams({ url: link, text: INVITATION })}`,
        ),
      ],
      [button('Ссылка сообщением', to('referral:link'))],
      [button('К профилю', to('nav:profile'))],
    ],
  };
}

const INVITATION = 'Бот, который находит, что ищут клиенты, пишет статьи и публикует их на сайте.';

/** To be forwarded as it is. */
export const invitationScreen = (link: string): Screen => ({
  text: paragraphs(rich`${INVITATION}`, rich`${link}`),
  keyboard: [[button('Назад', to('profile:referral'))]],
});
