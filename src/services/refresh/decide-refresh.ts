import type { DecideRefreshInput } from '../../../machines/article-refresh.ts';
import type { PostText, StandingPost } from '../../platforms/wordpress/renew.ts';
import type { ArticleRefreshes, StoredRefresh } from '../../store/article-refreshes.ts';
import type { Purse } from '../money/paid-work.ts';
import { RefreshImpossible } from './propose-refresh.ts';

type Deps = {
  refreshes: Pick<ArticleRefreshes, 'find' | 'mark'>;
  /** Null: the site is not connected any more. */
  siteOf(
    userId: number,
    connectionId: number,
  ): Promise<{
    read(postId: number, signal?: AbortSignal): Promise<StandingPost>;
    put(postId: number, text: PostText, instead: PostText, signal?: AbortSignal): Promise<StandingPost>;
  } | null>;
  refundOf(refresh: StoredRefresh, userId: number): Purse;
};

const GONE = 'Этого предложения больше нет: оно хранится сутки.';
const EDITED =
  'Статью тем временем правили на сайте, и эти правки пропали бы. Ничего не изменено: сначала решите в WordPress, какой текст оставить.';

/** What becomes of a proposal. Each may be asked for again: the site is told the same, and tokens move once. */
export function makeDecideRefresh({ refreshes, siteOf, refundOf }: Deps) {
  return { apply, decline, undo };

  /** In place: the same post, so the same address. */
  async function apply(
    { userId, refreshId }: DecideRefreshInput,
    signal: AbortSignal,
  ): Promise<{ url: string }> {
    const refresh = await wanted(userId, refreshId, ['proposed', 'applied']);
    const site = await siteOfPost(userId, refresh);
    const now = await site.read(refresh.postId, signal);
    if (refresh.status === 'applied') return { url: now.link };
    if (![refresh.before.content, refresh.after.content].includes(now.content))
      throw new RefreshImpossible('the post was edited', EDITED);
    const kept = await site.put(refresh.postId, refresh.after, refresh.before, signal);
    await refreshes.mark(refresh.id, 'proposed', 'applied', textOf(kept));
    return { url: kept.link };
  }

  async function decline({ userId, refreshId }: DecideRefreshInput): Promise<{ returned: number }> {
    const refresh = await wanted(userId, refreshId, ['proposed', 'declined']);
    await refreshes.mark(refresh.id, 'proposed', 'declined');
    return { returned: await refundOf(refresh, userId).refund() };
  }

  /** One press: the text stands as it stood. Not over somebody's later edits. */
  async function undo(
    { userId, refreshId }: DecideRefreshInput,
    signal?: AbortSignal,
  ): Promise<{ url: string }> {
    const refresh = await wanted(userId, refreshId, ['applied', 'undone']);
    const site = await siteOfPost(userId, refresh);
    const now = await site.read(refresh.postId, signal);
    if (refresh.status === 'undone') return { url: now.link };
    if (![refresh.before.content, refresh.after.content].includes(now.content))
      throw new RefreshImpossible('the post was edited', EDITED);
    const kept = await site.put(refresh.postId, refresh.before, refresh.after, signal);
    await refreshes.mark(refresh.id, 'applied', 'undone');
    return { url: kept.link };
  }

  async function wanted(
    userId: number,
    refreshId: number,
    statuses: readonly StoredRefresh['status'][],
  ): Promise<StoredRefresh> {
    const refresh = await refreshes.find(userId, refreshId);
    if (!refresh || !statuses.includes(refresh.status)) throw new RefreshImpossible('no such proposal', GONE);
    return refresh;
  }

  async function siteOfPost(userId: number, { connectionId }: StoredRefresh) {
    const site = connectionId === null ? null : await siteOf(userId, connectionId);
    if (!site)
      throw new RefreshImpossible('not connected', 'Сайт отключён от проекта: подключите его снова.');
    return site;
  }
}

const textOf = ({ title, content, excerpt }: StandingPost): PostText => ({ title, content, excerpt });
