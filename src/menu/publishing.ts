import { takesArticles } from '../platforms/platforms.ts';
import type { AutomationOffer } from '../screens/fragments/automation-offer.ts';
import { type Hint, hintNotice } from '../screens/fragments/hint.ts';
import { to } from '../screens/kit/link.ts';
import { publishedPostScreen } from '../screens/pages/posts.ts';
import {
  type CategoryOnPlatform,
  type ConnectionItem,
  draftNotices,
  type HomelessDraft,
  homelessDraftScreen,
  noConnectionScreen,
  nothingToWriteScreen,
  type PublishedResult,
  platformMenuScreen,
  publishedScreen,
  type WaitingDraft,
  whichConnectionScreen,
} from '../screens/pages/publishing.ts';
import type { Offer } from '../services/article/offer-article.ts';
import type { OpenedDraft } from '../services/article/open-draft.ts';
import { action, missing, type Route, type RouteAnswer, route } from './create-menu.ts';
import { type PostsData, startPost } from './posts.ts';

export type PublishingData = Pick<PostsData, 'offerPost'> & {
  category(userId: number, categoryId: number): Promise<CategoryOnPlatform | null>;
  connections(userId: number, projectId: number): Promise<ConnectionItem[] | null>;
  offerArticle(
    userId: number,
    categoryId: number,
    connectionId: number | null,
    isAdmin: boolean,
  ): Promise<Offer>;
  /** Whether the platform has content settings of its own in this category. */
  hasOwnSettings(userId: number, categoryId: number, platform: string): Promise<boolean>;
  /** The newest draft that waits for a decision here. */
  waitingDraft(userId: number, categoryId: number, connectionId: number): Promise<WaitingDraft | null>;
  /** The newest post that waits for one: refused by its platform, or its answer was lost. */
  waitingPost(userId: number, categoryId: number, connectionId: number): Promise<WaitingDraft | null>;
  /** For the wanted connection, where one is. */
  openDraft(userId: number, draftId: number, isAdmin: boolean, wanted?: number): Promise<Opened>;
  /** What came back; null when there was nothing to cancel. */
  cancelDraft(userId: number, draftId: number): Promise<number | null>;
  /** The article was seen on the site after all. Null: there was nothing to confirm. */
  confirmPublication(userId: number, draftId: number): Promise<{ publicationId: number | null } | null>;
  publication(userId: number, publicationId: number): Promise<PublishedResult | null>;
  /** Whether a schedule is offered behind it; null: not now. */
  automation(userId: number, publicationId: number): Promise<AutomationOffer | null>;
  /** What would make the next text better; null: nothing to say now. */
  hint(userId: number, publicationId: number): Promise<Hint | null>;
  putOffHint(userId: number, publicationId: number): Promise<void>;
  /** A new version of the article stands in its place and can be taken back. */
  isRefreshed(userId: number, publicationId: number): Promise<boolean>;
  /** Whether a published post can go to other channels as well. */
  canCrossPost(userId: number, publicationId: number): Promise<boolean>;
};

type Opened = OpenedDraft | { homeless: HomelessDraft };

const projectList = to('nav:projects');

export function publishingRoutes(data: PublishingData): Route[] {
  return [
    route('category:{cid}:platform:{plt}:menu', ({ cid, plt }, { userId }) =>
      onPlatform(userId, cid, plt, (category, connection) => menuOf(userId, category, connection)),
    ),
    route('category:{cid}:platform:{plt}:publish', ({ cid, plt }, { userId, isAdmin }) =>
      onPlatform(userId, cid, plt, (_, { id }) => publish(userId, cid, id, isAdmin)),
    ),
    route('category:{cid}:conn:{nid}:menu', async ({ cid, nid }, { userId }) => {
      const category = await data.category(userId, cid);
      const connections = category && (await data.connections(userId, category.projectId));
      const connection = connections?.find(({ id }) => id === nid);
      if (!category) return missing(projectList);
      return connection ? menuOf(userId, category, connection) : missing(to('category:{cid}:card', { cid }));
    }),
    route('category:{cid}:conn:{nid}:publish', ({ cid, nid }, { userId, isAdmin }) =>
      publish(userId, cid, nid, isAdmin),
    ),
    route('draft:{n}:open', async ({ n }, { userId, isAdmin }) =>
      opened(await data.openDraft(userId, n, isAdmin)),
    ),
    route('draft:{n}:to:{nid}', async ({ n, nid }, { userId, isAdmin }) =>
      opened(await data.openDraft(userId, n, isAdmin, nid)),
    ),
    action('draft:{n}:cancel', async ({ n }, { userId }) => {
      const returned = await data.cancelDraft(userId, n);
      const notice = returned === null ? draftNotices.gone : draftNotices.cancelled(returned);
      return { open: to('nav:dashboard'), notice };
    }),
    route('draft:{n}:arrived', async ({ n }, { userId }) => {
      const confirmed = await data.confirmPublication(userId, n);
      if (!confirmed) return { open: to('nav:dashboard'), notice: draftNotices.gone };
      const { publicationId } = confirmed;
      return publicationId === null
        ? { open: projectList }
        : { open: to('publication:{n}:result', { n: publicationId }) };
    }),
    route('publication:{n}:result', async ({ n }, { userId }) => {
      const result = await data.publication(userId, n);
      if (!result) return missing(projectList);
      const automation = await data.automation(userId, n);
      const hint = await data.hint(userId, n);
      if (result.contentType === 'article')
        return { show: publishedScreen(result, { automation, hint }, await data.isRefreshed(userId, n)) };
      const isCrossable = await data.canCrossPost(userId, n);
      return { show: publishedPostScreen(result, { automation, hint }, isCrossable ? n : null) };
    }),
    action('hint:{n}:later', async ({ n }, { userId }) => {
      await data.putOffHint(userId, n);
      return { open: to('publication:{n}:result', { n }), notice: hintNotice };
    }),
  ];

  function opened(draft: Opened): RouteAnswer {
    if ('gone' in draft) return { open: to('nav:dashboard'), notice: draftNotices.gone };
    if ('homeless' in draft) return { show: homelessDraftScreen(draft.homeless) };
    return {
      start: { flow: 'ArticlePublish', input: draft },
      origin: to('category:{cid}:card', { cid: draft.offer.categoryId }),
    };
  }

  async function menuOf(
    userId: number,
    category: CategoryOnPlatform,
    connection: ConnectionItem,
  ): Promise<RouteAnswer> {
    const waiting = takesArticles(connection.platform) ? data.waitingDraft : data.waitingPost;
    const draft = await waiting(userId, category.categoryId, connection.id);
    const isApart = await data.hasOwnSettings(userId, category.categoryId, connection.platform);
    return { show: platformMenuScreen(category, connection, draft, isApart) };
  }

  /** Of several connections of one kind the person chooses first. */
  async function onPlatform(
    userId: number,
    cid: number,
    platform: string,
    one: (category: CategoryOnPlatform, connection: ConnectionItem) => RouteAnswer | Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const category = await data.category(userId, cid);
    const all = category && (await data.connections(userId, category.projectId));
    if (!category || !all) return missing(projectList);
    const [first, ...others] = all.filter((connection) => connection.platform === platform);
    if (!first) return { show: noConnectionScreen(category, platform) };
    if (others.length > 0) return { show: whichConnectionScreen(category, platform, [first, ...others]) };
    return one(category, first);
  }

  async function publish(userId: number, cid: number, nid: number, isAdmin: boolean): Promise<RouteAnswer> {
    const post = await data.offerPost(userId, cid, nid, isAdmin);
    if (!('missing' in post)) return startPost(post, cid);
    const found = await data.offerArticle(userId, cid, nid, isAdmin);
    if ('missing' in found) return missing(projectList);
    if ('blocked' in found) return { show: nothingToWriteScreen(cid, found.blocked) };
    return {
      start: { flow: 'ArticlePublish', input: { offer: found.offer, preview: null } },
      origin: to('category:{cid}:card', { cid }),
    };
  }
}
