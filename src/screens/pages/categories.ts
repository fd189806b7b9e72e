import type { Misfit } from '../../../machines/misfit.ts';
import {
  isPlatform,
  platformNames,
  platformTitle,
  takesArticles,
  takesPosts,
} from '../../platforms/platforms.ts';
import { plural } from '../../russian.ts';
import { deletionScreen, returnedText } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import { nameHint } from '../kit/project-field-labels.ts';
import {
  type Button,
  type ButtonStyle,
  button,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { toProject } from './projects.ts';
import { writeArticleButton } from './publishing.ts';

export type CategoryItem = { id: number; name: string };

export type CategoryCard = {
  id: number;
  name: string;
  projectId: number;
  projectName: string;
  hasDescription: boolean;
  clusters: number;
  phrases: number;
  hasPrices: boolean;
  reviews: number;
  media: number;
  /** Of the project's connections, each once. */
  platforms: string[];
};

export type CategoryDeletion = {
  name: string;
  projectId: number;
  phrases: number;
  schedules: number;
  drafts: number;
  draftTokens: number;
};

const createCategory = (pid: number): Button =>
  button('Создать категорию', to('project:{pid}:cat_new', { pid }), 'success');

export function noCategoriesScreen(pid: number, projectName: string): Screen {
  return {
    text: paragraphs(
      rich`<b>Категории</b> · ${projectName}`,
      rich`Категория — это тема, о которой будут статьи и посты. Например, у цветочного салона: «Свадебные букеты», «Комнатные растения», «Доставка цветов».`,
    ),
    keyboard: [[createCategory(pid)], [toProject(pid)]],
  };
}

export function categoryListScreen(pid: number, projectName: string, page: Page<CategoryItem>): Screen {
  return {
    text: paragraphs(
      rich`<b>Категории</b> · ${projectName}`,
      rich`Всего: ${plural(page.count, 'категория', 'категории', 'категорий')}.`,
    ),
    keyboard: [
      ...page.items.map(({ id, name }) => [button(name, to('category:{cid}:card', { cid: id }))]),
      ...pagerRows(page, (n) => to('page:categories:{pid}:{n}', { pid, n })),
      [createCategory(pid)],
      [toProject(pid)],
    ],
  };
}

export function categoryCreatedScreen({ id, name }: Pick<CategoryCard, 'id' | 'name'>): Screen {
  return {
    text: paragraphs(
      rich`Категория <b>${name}</b> создана.`,
      rich`Дальше нужны ключевые фразы: по ним бот пишет тексты. Свои фотографии добавлять не обязательно.`,
    ),
    keyboard: [
      [button('Подобрать фразы', to('kw:{cid}:gen', { cid: id }), 'primary')],
      [button('Добавить фото', to('media:{cid}:upload', { cid: id }))],
      [button('К категории', to('category:{cid}:card', { cid: id }))],
    ],
  };
}

/** What a category carries beside its phrases, and the page on which it is filled in. */
const contents: { pattern: string; label: string; told(category: CategoryCard): string | number }[] = [
  {
    pattern: 'category:{cid}:description',
    label: 'Описание',
    told: ({ hasDescription }) => (hasDescription ? 'есть' : 'нет'),
  },
  { pattern: 'category:{cid}:prices', label: 'Цены', told: ({ hasPrices }) => (hasPrices ? 'есть' : 'нет') },
  { pattern: 'category:{cid}:reviews', label: 'Отзывы', told: ({ reviews }) => reviews || 'нет' },
  { pattern: 'category:{cid}:media', label: 'Фото', told: ({ media }) => media || 'нет' },
];

/** `has` tells which pages there are: pages that cannot be filled in are not mentioned. */
export function categoryCardScreen(
  category: CategoryCard,
  has: (pattern: string) => boolean,
  { pictures = null, plans = null }: { pictures?: RichText | null; plans?: RichText | null } = {},
): Screen {
  const { id: cid, projectId: pid } = category;
  return {
    text: paragraphs(
      rich`<b>${category.name}</b> · ${category.projectName}`,
      lines(
        category.phrases > 0
          ? rich`Фразы: ${plural(category.phrases, 'фраза', 'фразы', 'фраз')}${category.clusters > 0 && ` в ${plural(category.clusters, 'кластере', 'кластерах', 'кластерах')}`}`
          : rich`Фразы: пока нет`,
        ...contents
          .filter(({ pattern }) => has(pattern))
          .map(({ label, told }) => rich`${label}: ${told(category)}`),
        pictures,
      ),
      plans,
      category.platforms.length === 0 &&
        rich`Публиковать пока некуда: к проекту не подключена ни одна площадка.`,
    ),
    keyboard: [
      [nextStep(category)],
      ...(category.phrases > 0 &&
      category.platforms.some(takesArticles) &&
      category.platforms.some(isForPosts)
        ? [[postButton(cid)]]
        : []),
      [
        button('Фразы', to('category:{cid}:keywords', { cid })),
        button('Описание', to('category:{cid}:description', { cid })),
      ],
      [
        button('Цены', to('category:{cid}:prices', { cid })),
        button('Отзывы', to('category:{cid}:reviews', { cid })),
      ],
      [
        button('Фото', to('category:{cid}:media', { cid })),
        button('Настройки контента', to('project:{pid}:category:{cid}:settings', { pid, cid })),
      ],
      // As everywhere else, and not as the alphabet has them.
      ...platformNames
        .filter((plt) => category.platforms.includes(plt))
        .map((plt) => [button(platformTitle(plt), to('category:{cid}:platform:{plt}:menu', { cid, plt }))]),
      [
        button('Переименовать', to('category:{cid}:rename', { cid })),
        button('Удалить', to('category:{cid}:delete', { cid }), 'danger'),
      ],
      [button('К категориям', to('project:{pid}:categories', { pid }))],
    ],
  };
}

const postButton = (cid: number, style?: ButtonStyle): Button =>
  button('Опубликовать пост', to('category:{cid}:post', { cid }), style);

const isForPosts = (platform: string): boolean => isPlatform(platform) && takesPosts(platform);

/** What stands between the category and its first publication, or the publication itself. */
function nextStep({ id: cid, projectId: pid, phrases, platforms }: CategoryCard): Button {
  if (phrases === 0) return button('Подобрать фразы', to('kw:{cid}:gen', { cid }), 'primary');
  const site = platforms.find(takesArticles);
  if (site === undefined && platforms.some(isForPosts)) return postButton(cid, 'primary');
  if (site === undefined)
    return button('Подключить сайт', to('project:{pid}:connections', { pid }), 'primary');
  return writeArticleButton(cid);
}

export function renameCategoryScreen({ name, projectName }: CategoryCard): Screen {
  return {
    text: paragraphs(
      rich`<b>${name}</b> · ${projectName}`,
      lines(
        rich`Отправьте новое название категории, от 2 до 100 символов.`,
        rich`Фразы, тексты и настройки останутся как были.`,
      ),
    ),
    keyboard: [],
  };
}

export const nameMisfitNotice = (misfit: Misfit): RichText =>
  lines(rich`Введите название от 2 до 100 символов`, misfit === 'wrong-format' && rich`${nameHint}`);

export const categoryRenamedNotice = (name: string): RichText => rich`Теперь категория называется «${name}».`;

export function deleteCategoryScreen(cid: number, counts: CategoryDeletion): Screen {
  return deletionScreen({
    question: rich`Удалить категорию <b>${counts.name}</b>?`,
    head: rich`Вместе с ней исчезнут:`,
    losses: [
      [counts.phrases, 'ключевая фраза', 'ключевые фразы', 'ключевых фраз'],
      [counts.schedules, 'расписание', 'расписания', 'расписаний'],
      [counts.drafts, 'черновик', 'черновика', 'черновиков'],
    ],
    draftTokens: counts.draftTokens,
    confirm: (h) => to('category:{cid}:delete:confirm:{h}', { cid, h }),
    back: to('category:{cid}:card', { cid }),
  });
}

export const categoryDeletedNotice = (name: string, refunded: number): RichText =>
  rich`Категория «${name}» удалена.${returnedText(refunded)}`;
