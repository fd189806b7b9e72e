import { isPlatform, takesPosts } from '../platforms/platforms.ts';
import { postNotices } from '../screens/fragments/post-work.ts';
import { to } from '../screens/kit/link.ts';
import {
  homelessPostScreen,
  nothingToPostScreen,
  type OtherPlaces,
  otherPlacesScreen,
  whichChannelScreen,
  whichTopicScreen,
} from '../screens/pages/posts.ts';
import {
  type CategoryOnPlatform,
  type ConnectionItem,
  noConnectionScreen,
} from '../screens/pages/publishing.ts';
import type { OfferedPost } from '../services/posts/offer-post.ts';
import type { OpenedPost } from '../services/posts/open-post.ts';
import { action, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type PostsData = {
  category(userId: number, categoryId: number): Promise<CategoryOnPlatform | null>;
  connections(userId: number, projectId: number): Promise<ConnectionItem[] | null>;
  /** A channel by itself, with the topics that a post in it may be about. */
  channel(
    userId: number,
    connectionId: number,
  ): Promise<{
    channel: { id: number; projectId: number; name: string };
    categories: { id: number; name: string }[];
  } | null>;
  offerPost(userId: number, categoryId: number, connectionId: number, isAdmin: boolean): Promise<OfferedPost>;
  openPost(userId: number, draftId: number, isAdmin: boolean): Promise<OpenedPost>;
  /** Null: it does not wait for a decision any more. */
  otherPlaces(userId: number, draftId: number): Promise<OtherPlaces | null>;
  /** The name of its new place; null when there is nothing to move, or nowhere to. */
  movePost(userId: number, draftId: number, connectionId: number): Promise<string | null>;
  /** It was seen in the channel. Null: there was nothing to confirm. */
  confirmPost(userId: number, draftId: number): Promise<{ publicationId: number | null } | null>;
  /** What came back; null when there was nothing to cancel. */
  cancelPost(userId: number, draftId: number): Promise<number | null>;
};

const projectList = to('nav:projects');
const home = to('nav:dashboard');

/** Where posts begin, and what is done about those that wait. */
export function postRoutes(data: PostsData): Route[] {
  return [
    route('category:{cid}:post', async ({ cid }, { userId, isAdmin }) => {
      const category = await data.category(userId, cid);
      const all = category && (await data.connections(userId, category.projectId));
      if (!category || !all) return missing(projectList);
      const channels = all.filter(({ platform }) => isPlatform(platform) && takesPosts(platform));
      const [first, ...others] = channels;
      if (!first) return { show: noConnectionScreen(category, null) };
      if (others.length > 0) return { show: whichChannelScreen(category, channels) };
      return startPost(await data.offerPost(userId, cid, first.id, isAdmin), cid);
    }),
    route('pipeline:social:{nid}:confirm', async ({ nid }, { userId, isAdmin }) => {
      const found = await data.channel(userId, nid);
      if (!found) return missing(projectList);
      const [only, ...others] = found.categories;
      if (only && others.length === 0)
        return startPost(await data.offerPost(userId, only.id, nid, isAdmin), only.id);
      return { show: whichTopicScreen(found.channel, found.categories) };
    }),
    route('post:{n}:open', async ({ n }, { userId, isAdmin }) =>
      opened(await data.openPost(userId, n, isAdmin), 'as it is'),
    ),
    route('post:{n}:elsewhere', async ({ n }, { userId }) => {
      const places = await data.otherPlaces(userId, n);
      return places
        ? { show: otherPlacesScreen(places), quietly: true }
        : { open: home, notice: postNotices.gone };
    }),
    action('post:{n}:move:{nid}', async ({ n, nid }, { userId }) => {
      const place = await data.movePost(userId, n, nid);
      if (place === null) return missing(projectList);
      return { open: to('post:{n}:elsewhere', { n }), notice: postNotices.moved(place) };
    }),
    // The person has looked: it is not there.
    route('post:{n}:again', async ({ n }, { userId, isAdmin }) =>
      opened(await data.openPost(userId, n, isAdmin), 'resend'),
    ),
    action('post:{n}:arrived', async ({ n }, { userId }) => {
      const confirmed = await data.confirmPost(userId, n);
      if (!confirmed) return { open: home, notice: postNotices.gone };
      const { publicationId } = confirmed;
      return {
        open: publicationId === null ? projectList : to('publication:{n}:result', { n: publicationId }),
      };
    }),
    action('post:{n}:refund', async ({ n }, { userId }) => {
      const returned = await data.cancelPost(userId, n);
      return {
        open: home,
        notice: returned === null ? postNotices.gone : postNotices.cancelled(returned),
      };
    }),
  ];

  function opened(post: OpenedPost, way: 'as it is' | 'resend'): RouteAnswer {
    if ('gone' in post) return { open: home, notice: postNotices.gone };
    if ('homeless' in post) return { show: homelessPostScreen(post.homeless) };
    const { offer, draft, isLost } = post;
    if (way === 'resend' && !isLost) return { open: home, notice: postNotices.gone };
    const after = way === 'resend' ? 'resend' : isLost ? 'lost-answer' : 'review';
    return {
      start: { flow: 'SocialPostPublish', input: { offer, draft, after } },
      origin: to('category:{cid}:card', { cid: offer.categoryId }),
    };
  }
}

/** To the price of a post, or to what is missing for one. */
export function startPost(found: OfferedPost, cid: number): RouteAnswer {
  if ('missing' in found) return missing(projectList);
  if ('blocked' in found) return { show: nothingToPostScreen(cid) };
  return {
    start: { flow: 'SocialPostPublish', input: { offer: found.offer, draft: null, after: 'review' } },
    origin: to('category:{cid}:card', { cid }),
  };
}
