import { connectionName } from '../../connection-name.ts';
import { articlePlatforms, platformTitle, takesArticles } from '../../platforms/platforms.ts';
import { plural, tokens, tokensCharged, tokensReturned } from '../../russian.ts';
import {
  type AutomationOffer,
  automationRow,
  automationRows,
  automationText,
} from '../fragments/automation-offer.ts';
import { type Hint, hintRows, hintText } from '../fragments/hint.ts';
import { to } from '../kit/link.ts';
import {
  type Button,
  type ButtonStyle,
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
import { installSeoPluginButton } from './wordpress-settings.ts';

export type ConnectionItem = {
  id: number;
  platform: string;
  identifier: string;
  status: string;
  metadata?: Readonly<Record<string, unknown>>;
};
export type CategoryOnPlatform = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  projectName: string;
};

export type WaitingDraft = { id: number; title: string };

export type HomelessDraft = {
  draftId: number;
  title: string;
  categoryId: number;
  projectId: number;
  sites: readonly { id: number; identifier: string }[];
  /** Where it may stand already. */
  mayBeOn: readonly string[];
  /** Tokens that its removal, or the end of its day, would bring back. */
  refund: number;
};

export type PublishedResult = {
  id: number;
  projectId: number;
  categoryId: number | null;
  connectionId: number | null;
  contentType: string;
  /** On the site, where only its owner sees it. */
  isDraft?: boolean;
  site: string | null;
  keyword: string | null;
  url: string | null;
  words: number;
  tokens: number;
  balance: number;
  usualCost: number | null;
  /** Its description did not reach the page, and the site's user may install what would bring it there. */
  lacksSeoPlugin: boolean;
};

const TYPICAL_ARTICLE = 320;

/** The specification's words, beside whatever leads to a platform's own content settings. */
export const ownSettings = '(свои настройки)';

/** A result is opened from its category as well as from the list of what went out. */
export const waysFromResult = ({ categoryId: cid, projectId: pid }: PublishedResult): Keyboard => [
  [
    ...(cid !== null ? [toCategory(cid)] : []),
    button('К публикациям', to('project:{pid}:publications', { pid })),
  ],
  [menuButton],
];

export const toCategory = (cid: number): Button => button('К категории', to('category:{cid}:card', { cid }));

/** To the cost of an article, or to what is missing for one. */
export const writeArticleButton = (cid: number): Button =>
  button(
    'Написать статью',
    to('category:{cid}:platform:{plt}:publish', { cid, plt: articlePlatforms[0]! }),
    'primary',
  );

/** Several connections of one kind: which of them? */
export function whichConnectionScreen(
  { categoryId, categoryName }: CategoryOnPlatform,
  platform: string,
  connections: readonly ConnectionItem[],
): Screen {
  return {
    text: paragraphs(
      rich`<b>${platformTitle(platform)}</b> · ${categoryName}`,
      rich`Подключений несколько. Куда публикуем?`,
    ),
    keyboard: [
      ...connections.map((connection) => [
        button(
          `${statusMark(connection.status)}${connectionName(connection)}`,
          to('category:{cid}:conn:{nid}:menu', { cid: categoryId, nid: connection.id }),
        ),
      ]),
      [toCategory(categoryId)],
    ],
  };
}

/** `platform` null: any that takes posts. */
export function noConnectionScreen(category: CategoryOnPlatform, platform: string | null): Screen {
  const { categoryId, projectId, projectName } = category;
  return {
    text:
      platform === null
        ? rich`К проекту «${projectName}» не подключён ни один канал. Подключите его, и здесь появятся посты.`
        : rich`У проекта «${projectName}» пока нет подключения: ${platformTitle(platform)}. Добавьте его, и здесь появится публикация.`,
    keyboard: [
      [button('К подключениям', to('project:{pid}:connections', { pid: projectId }), 'primary')],
      [toCategory(categoryId)],
    ],
  };
}

export function platformMenuScreen(
  { categoryId: cid, categoryName }: CategoryOnPlatform,
  connection: ConnectionItem,
  draft: WaitingDraft | null,
  hasOwnSettings: boolean,
): Screen {
  const { id: nid, platform, status } = connection;
  const broken = status !== 'active';
  const publish = to('category:{cid}:conn:{nid}:publish', { cid, nid });
  return {
    text: paragraphs(
      rich`<b>${platformTitle(platform)}</b> · ${connectionName(connection)}`,
      lines(
        rich`Категория: ${categoryName}`,
        broken
          ? rich`Подключение не работает: проверьте его, прежде чем публиковать.`
          : rich`Подключение работает.`,
      ),
      draft &&
        (takesArticles(platform)
          ? rich`Ждёт вашего решения статья «${draft.title}».`
          : rich`Ждёт вашего решения пост «${draft.title}».`),
    ),
    keyboard: [
      ...(draft ? [[openWaiting(platform, draft.id, nid)]] : []),
      [
        draft
          ? button(takesArticles(platform) ? 'Написать новую' : 'Создать новый', publish)
          : button(takesArticles(platform) ? 'Написать статью' : 'Опубликовать пост', publish, 'primary'),
      ],
      ...(broken ? [[button('Проверить подключение', to('conn:{nid}:check', { nid }))]] : []),
      [
        button(
          `Настройки контента${hasOwnSettings ? ` ${ownSettings}` : ''}`,
          to('category:{cid}:platform:{plt}:settings', { cid, plt: platform }),
        ),
      ],
      [button('Расписание', to('sched:{cid}:{nid}:open', { cid, nid }))],
      [toCategory(cid)],
    ],
  };
}

/** E16 and E40: why there is nothing to write about, and what to do. */
export function nothingToWriteScreen(cid: number, why: 'no-phrases' | 'no-article-phrases'): Screen {
  return {
    text:
      why === 'no-phrases'
        ? rich`В категории пока нет фраз, а статья пишется по фразе. Подберите хотя бы одну. Токены не списаны.`
        : rich`Все фразы категории — для страниц товаров, статью по ним не написать. Добавьте информационные: «как выбрать», «чем отличается». Токены не списаны.`,
    keyboard: [[button('Подобрать фразы', to('kw:{cid}:gen', { cid }), 'primary')], [toCategory(cid)]],
  };
}

/** On the site, to be finished there: neither out nor counted as such. */
function siteDraftScreen(result: PublishedResult): Screen {
  const { categoryId: cid, connectionId: nid, url } = result;
  return {
    text: paragraphs(
      rich`<b>Черновик сохранён</b>${result.site && ` на ${result.site}`}`,
      rich`Статью никто не видит, пока вы не опубликуете её в WordPress: раздел «Записи», фильтр «Черновики».`,
      lines(
        rich`${plural(result.words, 'слово', 'слова', 'слов')}, ${tokensCharged(result.tokens).toLowerCase()}`,
        rich`На балансе ${tokens(result.balance)}`,
      ),
    ),
    keyboard: [
      ...(url ? [[urlButton('Открыть в редакторе', url)]] : []),
      ...(cid !== null && nid !== null ? [[anotherArticle(cid, nid)]] : []),
      ...waysFromResult(result),
    ],
  };
}

/** The next topic of the plan: its price is one press away. */
const anotherArticle = (cid: number, nid: number): Button =>
  button('Ещё статью', to('category:{cid}:conn:{nid}:publish', { cid, nid }), 'primary');

export function publishedScreen(
  result: PublishedResult,
  { automation, hint }: Advice,
  isRefreshed = false,
): Screen {
  if (result.isDraft) return siteDraftScreen(result);
  const { categoryId: cid, connectionId: nid, url, balance } = result;
  const more = Math.max(0, Math.floor(balance / (result.usualCost ?? TYPICAL_ARTICLE)));
  const again: Keyboard = cid !== null && nid !== null ? [[anotherArticle(cid, nid)]] : [];
  return {
    text: paragraphs(
      rich`<b>Статья опубликована</b>${result.site && ` на ${result.site}`}`,
      url !== null && rich`${url}`,
      lines(
        rich`${plural(result.words, 'слово', 'слова', 'слов')}, ${tokensCharged(result.tokens).toLowerCase()}`,
        rich`На балансе ${tokens(balance)}${more > 0 ? ` — примерно ${plural(more, 'статья', 'статьи', 'статей')}` : ', на статью уже не хватит'}`,
      ),
      hint && hintText(hint),
      automation && automationText(automation),
    ),
    keyboard: [
      ...(url ? [[urlButton('Открыть на сайте', url)]] : []),
      ...again,
      ...hintKeys({ automation, hint }),
      ...automationKeys(result, automation),
      ...(result.lacksSeoPlugin && nid !== null ? [[installSeoPluginButton(nid)]] : []),
      ...refreshKeys(result, isRefreshed),
      ...waysFromResult(result),
    ],
  };
}

/** What can be renewed stands on a connected site. */
function refreshKeys({ id: n, url, connectionId }: PublishedResult, isRefreshed: boolean): Keyboard {
  if (isRefreshed) return [[button('Вернуть прежний вариант', to('publication:{n}:undo', { n }))]];
  return url === null || connectionId === null
    ? []
    : [[button('Обновить статью', to('publication:{n}:refresh', { n }))]];
}

/** What is said below a result of what the person could do next. */
export type Advice = { automation: AutomationOffer | null; hint: Hint | null };

export const hintKeys = ({ automation, hint }: Advice): Keyboard =>
  hint ? hintRows(hint, automation === null) : [];

export function automationKeys(
  { categoryId: cid, connectionId: nid }: PublishedResult,
  automation: AutomationOffer | null,
): Keyboard {
  if (automation) return automationRows(automation);
  return cid !== null && nid !== null ? automationRow(cid, nid) : [];
}

/** Its site was disconnected: to which one now? */
export function homelessDraftScreen({
  draftId: n,
  title,
  sites,
  mayBeOn,
  refund,
  ...place
}: HomelessDraft): Screen {
  const { projectId: pid, categoryId } = place;
  return {
    text: paragraphs(
      rich`<b>${title}</b>`,
      sites.length > 0
        ? rich`Сайт, для которого писалась статья, отключён от проекта. Куда её опубликовать?`
        : rich`Сайт, для которого писалась статья, отключён от проекта, а других нет. Подключите его снова или другой: статья откроется оттуда.`,
      mayBeOn.length > 0 && mayBeThere(mayBeOn),
      rich`<i>${mayBeOn.length > 0 ? doubtLife : `Черновик хранится 24 часа${refund > 0 ? ', потом токены вернутся сами' : ''}.`}</i>`,
    ),
    keyboard: [
      ...sites.map(({ id, identifier }) => [button(identifier, to('draft:{n}:to:{nid}', { n, nid: id }))]),
      [button('Подключить WordPress', to('project:{pid}:conn_add:wordpress', { pid }), 'primary')],
      [toCategory(categoryId)],
      [
        button(
          refund > 0 ? 'Отмена — вернуть токены' : 'Удалить черновик',
          to('draft:{n}:cancel', { n }),
          'danger',
        ),
      ],
    ],
  };
}

/** A lost answer is shown until it is settled: two copies of a text harm both sites. */
export const mayBeThere = (sites: readonly string[]): RichText =>
  rich`⚠ Статья могла уже попасть на ${sites.join(', ')}: ответ оттуда потерялся. Проверьте сначала там: одна и та же статья на двух сайтах вредит обоим.`;

/** Unlike other drafts, one that may be out already brings no tokens back by itself. */
export const doubtLife =
  'Черновик ждёт вашего решения 72 часа. Если статья уже на сайте, отметьте это в «Публикациях» проекта. ' +
  'Без ответа она будет считаться опубликованной, и токены не вернутся.';

const openWaiting = (platform: string, n: number, nid: number): Button =>
  takesArticles(platform)
    ? openDraftButton(n, nid, 'primary')
    : button('Открыть пост', to('post:{n}:open', { n }), 'primary');

export const openDraftButton = (draftId: number, connectionId: number, style?: ButtonStyle): Button =>
  button('Открыть черновик', to('draft:{n}:to:{nid}', { n: draftId, nid: connectionId }), style);

export const draftNotices = {
  gone: rich`Этого черновика уже нет: он опубликован, отменён или пролежал сутки. За отменённый и просроченный токены возвращаются сами.`,
  cancelled: (returned: number, isTaken = false): RichText => {
    if (returned > 0) return rich`Статья отменена, черновик удалён. ${tokensReturned(returned)}.`;
    return isTaken
      ? rich`Черновик удалён. HTML статьи остался у вас, токены за неё не возвращаются.`
      : rich`Статья отменена.`;
  },
};

const statusMark = (status: string): string => (status === 'active' ? '' : '⚠ ');
