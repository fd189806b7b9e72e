import { tidy } from '../../../machines/project-fields.ts';
import { platformTitle } from '../../platforms/platforms.ts';
import { date, number, plural, tokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import {
  type Button,
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { unfinishedKeys } from './pipelines.ts';
import { nameOfUnfinished } from './projects.ts';
import { articles as articlesFor } from './tariffs.ts';

type Parked = { flow?: string; state: string; context: Readonly<Record<string, unknown>> };

export type Dashboard = {
  balance: number;
  projects: number;
  activeSchedules: number;
  averageArticleCost: number;
  /** `at` is an ISO timestamp. */
  lastPublication: { at: string; platform: string; url: string | null } | null;
  hasWordpress: boolean;
  hasSocial: boolean;
};

// What a post costs as a rule: a hundred words and a picture.
const POST_COST = 40;

type ReplyLabel = { label: string; pattern: string; adminOnly?: true };

/** The persistent keyboard under the input line, row by row. */
export const replyLabels: readonly (readonly ReplyLabel[])[] = [
  [
    { label: 'Меню', pattern: 'nav:dashboard' },
    { label: 'Написать статью', pattern: 'pipeline:article:start' },
    { label: 'Опубликовать пост', pattern: 'pipeline:social:start' },
  ],
  [{ label: 'АДМИНКА', pattern: 'admin:panel', adminOnly: true }],
];

/** Who looks, and what this bot can do for them. */
type Viewer = {
  isAdmin: boolean;
  /** Models are connected. */
  writes: boolean;
  /** A site tells what a project needs to know. */
  readsSites: boolean;
};

/** The very first meeting. */
export function welcomeScreen(data: Dashboard, viewer: Viewer, terms: RichText | null = null): Screen {
  return {
    text: paragraphs(
      rich`<b>ИИ пишет, вы проверяете, бот публикует.</b>`,
      rich`Найду, что ищут ваши клиенты, напишу статьи и посты, нарисую картинки и опубликую всё на вашем сайте и в соцсетях.`,
      data.balance > 0
        ? rich`Вам начислено <b>${tokens(data.balance)}</b> — этого хватит примерно на ${articles(data)}. Настраивать заранее ничего не нужно: начните с проекта, это займёт полминуты.`
        : rich`Приветственные токены вы уже получали. Настраивать заранее ничего не нужно: начните с проекта, это займёт полминуты.`,
      nothingWritten(viewer),
      terms,
    ),
    keyboard: dashboardKeyboard(data, viewer),
  };
}

export function dashboardScreen(data: Dashboard, viewer: Viewer, goOn: Keyboard = []): Screen {
  return {
    text: paragraphs(
      rich`<b>Главное меню</b>`,
      summary(data, viewer),
      balanceWarning(data),
      nothingWritten(viewer),
    ),
    keyboard: [...goOn, ...dashboardKeyboard(data, viewer)],
  };
}

/** Dialogues that were left and can be gone on with, by the slot in which they are parked. */
const unfinished: Readonly<Record<string, (parked: Parked) => Keyboard>> = {
  project: (wizard) => [[button(`Продолжить: проект «${nameOfUnfinished(wizard)}»`, to('pc:resume'))]],
  pipeline: unfinishedKeys,
};

export const parkedButtons = (parked: Readonly<Record<string, Parked>>): Keyboard =>
  Object.entries(parked).flatMap(([slot, run]) => unfinished[slot]?.(run) ?? []);

export function greetingText(firstName: string | null, isNew: boolean): RichText {
  const name = tidy(firstName ?? '');
  return isNew
    ? rich`Здравствуйте${name && `, ${name}`}! Я SEO Master, помощник малого бизнеса.`
    : rich`С возвращением${name && `, ${name}`}! Меню всегда под рукой — кнопка внизу.`;
}

function summary(data: Dashboard, { readsSites }: Viewer): RichText {
  if (data.projects === 0) {
    return lines(
      rich`Баланс: <b>${tokens(data.balance)}</b>`,
      rich`Проектов пока нет. Первый займёт около 30 секунд: ${readsSites ? 'пришлите адрес сайта, остальное прочитаю сам. Без сайта — три вопроса о компании' : 'четыре коротких вопроса о компании'}.`,
    );
  }
  const { lastPublication } = data;
  return lines(
    rich`Баланс: <b>${tokens(data.balance)}</b>${data.balance >= data.averageArticleCost && ` — примерно ${articlesFor(data.balance, data.averageArticleCost)}`}`,
    rich`Проекты: ${number(data.projects)}`,
    data.activeSchedules > 0 && rich`Активные расписания: ${number(data.activeSchedules)}`,
    lastPublication &&
      rich`Последняя публикация: ${date(new Date(lastPublication.at), 'Europe/Moscow')}, ${platformTitle(lastPublication.platform)}`,
  );
}

function balanceWarning({ balance, averageArticleCost }: Dashboard): RichText | null {
  if (balance < 0) {
    return rich`Долг возник из-за возвращённого платежа. Генерация недоступна, пока покупка его не закроет.`;
  }
  if (balance === 0) return rich`Токены закончились. Пополните баланс, чтобы создавать тексты.`;
  if (balance < averageArticleCost) {
    const posts = Math.floor(balance / POST_COST);
    return rich`На статью токенов не хватит${posts > 0 && `, но хватит на ${plural(posts, 'пост', 'поста', 'постов')}`}.`;
  }
  return null;
}

const nothingWritten = ({ writes, isAdmin }: Viewer): RichText | null => {
  if (writes) return null;
  return isAdmin
    ? rich`Тексты и картинки пока не создаются: не задан ключ нейросетей, OPENROUTER_API_KEY.`
    : rich`Тексты и картинки пока не создаются: владелец бота ещё не подключил нейросети. Проект, категории и площадки можно подготовить уже сейчас.`;
};

const articles = ({ balance, averageArticleCost }: Dashboard): string =>
  plural(Math.floor(balance / averageArticleCost), 'статью', 'статьи', 'статей');

function dashboardKeyboard(data: Dashboard, { isAdmin }: Viewer): Keyboard {
  const canPay = data.balance > 0;
  const topUp = button('Пополнить', to('nav:tariffs'), 'primary');
  return [
    ...(canPay ? [] : [[topUp]]),
    ...goals(data, canPay),
    ...(canPay && data.balance < data.averageArticleCost ? [[button('Пополнить', to('nav:tariffs'))]] : []),
    [button('Проекты', to('nav:projects')), button('Профиль', to('nav:profile'))],
    [button('Тарифы', to('nav:tariffs')), button('Настройки', to('nav:settings'))],
    [button('Помощь', to('nav:help'))],
    ...(isAdmin ? [[button('Админка', to('admin:panel'))]] : []),
  ];
}

/** The likelier goal stands first: posts for those who have channels but no site. */
function goals({ hasWordpress, hasSocial }: Dashboard, styled: boolean): Button[][] {
  const postsFirst = hasSocial && !hasWordpress;
  const style = (first: boolean) => (styled && first ? 'primary' : undefined);
  const article = button('Написать статью', to('pipeline:article:start'), style(!postsFirst));
  const post = button('Опубликовать пост', to('pipeline:social:start'), style(postsFirst));
  return postsFirst ? [[post], [article]] : [[article], [post]];
}
