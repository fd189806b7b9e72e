import { platformTitle } from '../../platforms/platforms.ts';
import { capitalised, date, plural, tokens } from '../../russian.ts';
import { doubtKeys } from '../fragments/post-work.ts';
import { type Link, to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
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
import { toProject } from './projects.ts';

/** `draft`: on the site, where only its owner sees it. */
type PublicationStatus = 'waiting' | 'publishing' | 'unknown' | 'published' | 'draft' | 'failed';

export type PublicationItem = {
  /** A draft of an article or of a post, or what the log says of a text that went out. */
  of: 'article' | 'post' | 'log';
  isArticle: boolean;
  platform: string;
  id: number;
  status: PublicationStatus;
  title: string | null;
  keyword: string | null;
  /** The site or channel; null when it was disconnected. */
  place: string | null;
  url: string | null;
  error: string | null;
  /** In search, when it was looked up last; null: not there, or not looked up. */
  rank: number | null;
  /** An ISO timestamp. */
  at: string;
  tokens: number;
  /** Tokens that its removal, or the end of its day, would bring back. */
  refund: number;
  categoryId: number | null;
  connectionId: number | null;
};

type Project = { pid: number; projectName: string; timezone: string };

const marks: Record<PublicationStatus, string> = {
  waiting: '📝',
  publishing: '⏳',
  unknown: '❓',
  published: '✅',
  draft: '🗒',
  failed: '⚠️',
};

const said: Record<PublicationStatus, string> = {
  waiting: 'черновик, ждёт вашего решения',
  publishing: 'публикуется',
  unknown: 'ответ потерялся, текст мог выйти',
  published: 'опубликовано',
  draft: 'черновик на сайте',
  failed: 'не опубликовано',
};

export function noPublicationsScreen({ pid, projectName }: Project): Screen {
  return {
    text: paragraphs(
      rich`<b>Публикации</b> · ${projectName}`,
      rich`Здесь будут черновики, опубликованные тексты со ссылками и всё, что не получилось отправить. Пока пусто: напишите первую статью.`,
    ),
    keyboard: [
      [button('Написать статью', to('pipeline:article:project:{pid}', { pid }), 'primary')],
      [toProject(pid)],
    ],
  };
}

export function publicationListScreen(
  project: Project,
  page: Page<PublicationItem>,
  waiting: number,
): Screen {
  const { pid, projectName, timezone } = project;
  return {
    text: paragraphs(
      rich`<b>Публикации</b> · ${projectName}`,
      waiting > 0 && rich`Вашего решения ждут: ${plural(waiting, 'черновик', 'черновика', 'черновиков')}.`,
      lines(...page.items.map((item) => line(item, timezone))),
    ),
    keyboard: [
      ...page.items.map((item) => [itemButton(item)]),
      ...pagerRows(page, (n) => to('page:publications:{pid}:{n}', { pid, n })),
      ...(page.items.some(({ isArticle, status, url }) => isArticle && status === 'published' && url !== null)
        ? [[button('Обновить статью', to('project:{pid}:refresh', { pid }))]]
        : []),
      [toProject(pid)],
    ],
  };
}

/** A draft, or a text that did not arrive for sure: what it is, and what can be done with it. */
export function publicationCardScreen(project: Project, item: PublicationItem): Screen {
  const { pid, timezone } = project;
  const { status, place } = item;
  const list = button('К публикациям', to('project:{pid}:publications', { pid }));
  return {
    text: paragraphs(
      rich`${marks[status]} <b>${nameOf(item)}</b>`,
      lines(
        rich`${capitalised(said[status])}`,
        rich`Когда: ${date(new Date(item.at), timezone)}`,
        place !== null && rich`Где: ${platformOf(item)}${place}`,
        item.tokens > 0 && rich`Списано: ${tokens(item.tokens)}`,
      ),
      item.error !== null && rich`Причина: ${item.error}`,
      status === 'publishing' && rich`Результат придёт в этот чат.`,
      status === 'waiting' &&
        rich`Черновик хранится сутки${item.refund > 0 && ', потом токены вернутся сами'}. Удалить его можно и раньше.`,
      status === 'unknown' &&
        (item.of === 'post'
          ? rich`Посмотрите${place !== null && ` в «${place}»`}, там ли пост, и нажмите кнопку. Если не ответить, через 72 часа он будет отмечен опубликованным.`
          : rich`Посмотрите${place !== null && ` на ${place}`}: если текст уже там, нажмите «Он там». Если нет, откройте его и отправьте ещё раз.`),
    ),
    keyboard: [...(item.of === 'log' ? writeAgain(item) : draftKeys(item)), [list]],
  };
}

/** What can be done with a draft. A post that did not arrive is sent without another look, and its button says so. */
function draftKeys({ of, id: n, status, refund }: PublicationItem): Keyboard {
  if (status === 'publishing') return [];
  if (status === 'unknown' && of === 'post') return doubtKeys(n);
  const isArticle = of === 'article';
  const open = isArticle ? to('draft:{n}:open', { n }) : to('post:{n}:open', { n });
  const remove = isArticle ? to('draft:{n}:cancel', { n }) : to('post:{n}:refund', { n });
  const removal = [button(refund > 0 ? 'Удалить — вернуть токены' : 'Удалить черновик', remove, 'danger')];
  if (status === 'waiting') return [[button('Открыть', open, 'primary')], removal];
  return [
    [button('Он там', to('draft:{n}:arrived', { n }), 'success')],
    [button('Открыть и отправить ещё раз', open)],
    removal,
  ];
}

/** The text itself is gone, and so is what it cost: it came back. */
const writeAgain = ({ status, categoryId: cid, connectionId: nid }: PublicationItem): Keyboard =>
  status !== 'failed' || cid === null || nid === null
    ? []
    : [[button('Написать заново', to('category:{cid}:conn:{nid}:publish', { cid, nid }), 'primary')]];

function line(item: PublicationItem, timezone: string): RichText {
  const when = date(new Date(item.at), timezone);
  const where = item.url ?? item.place;
  return rich`${marks[item.status]} ${when} · ${platformOf(item)}${nameOf(item)} — ${said[item.status]}${item.rank !== null && `, ${item.rank}-е место`}${where !== null && `, ${where}`}`;
}

/** Everything is opened here, where something can be done with it: its address stands in the text. */
const itemButton = (item: PublicationItem): Button =>
  button(`${marks[item.status]} ${platformOf(item)}${nameOf(item)}`, cardLink(item));

/** One post may be on several platforms, an article is on the site alone. */
const platformOf = ({ isArticle, platform }: PublicationItem): string =>
  isArticle ? '' : `${platformTitle(platform)} · `;

const cardLink = ({ of, id: n, status }: PublicationItem): Link => {
  if (of === 'article') return to('draft:{n}:card', { n });
  if (of === 'post') return to('post:{n}:card', { n });
  return ['published', 'draft'].includes(status)
    ? to('publication:{n}:result', { n })
    : to('publication:{n}:card', { n });
};

const nameOf = ({ title, keyword }: PublicationItem): string => title || keyword || 'Без названия';
