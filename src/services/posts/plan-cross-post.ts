import {
  type CrossPlan,
  MOST_TARGETS,
  type PlanCrossPostInput,
} from '../../../machines/fragments/cross-post.ts';
import { AppError } from '../../errors.ts';
import { prices } from '../../prices.ts';
import type { Connection } from '../../store/connections.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import { crossPostTargets } from './cross-post.ts';
import { placeOf, takesPictures } from './place-of.ts';

/** Its text is kept for a week after it went out. */
export class OriginalGone extends AppError {
  readonly code = 'ORIGINAL_GONE';
  readonly userMessage = 'Текст этого поста уже не хранится: адаптировать нечего. Создайте новый пост.';
}

class NoTargets extends AppError {
  readonly code = 'NO_TARGETS';
  readonly userMessage =
    'Других каналов для этого поста нет: подключите ещё один, и пост можно будет повторить там.';
}

type Deps = {
  /** A post that went out, as it was sent. Null: a stranger's, no post, or its text is gone. */
  original(userId: number, publicationId: number): Promise<StoredPost | null>;
  /** Connections that have, or may have, this post already. */
  servedBy(draftId: number): Promise<number[]>;
  listConnections(userId: number, projectId: number): Promise<Connection[] | null>;
  balanceOf(userId: number): Promise<number | null>;
};

/** Where a published post can go as well, and what that costs. Nothing is charged. */
export const makePlanCrossPost =
  ({ original, servedBy, listConnections, balanceOf }: Deps) =>
  async ({ userId, publicationId }: PlanCrossPostInput): Promise<CrossPlan> => {
    const post = await original(userId, publicationId);
    if (!post) throw new OriginalGone(`publication ${publicationId} has no text any more`);
    const [connections, served, balance] = await Promise.all([
      listConnections(userId, post.projectId),
      servedBy(post.id),
      balanceOf(userId),
    ]);
    const targets = crossPostTargets(
      connections ?? [],
      { id: post.connectionId ?? 0 },
      post.images.length > 0,
    )
      .filter(({ id }) => !served.includes(id))
      .slice(0, MOST_TARGETS)
      .map((connection) => {
        const { name, url } = placeOf(connection);
        const picture = post.images.length > 0 && takesPictures(connection);
        const { id: connectionId, platform } = connection;
        return { connectionId, platform, place: name, placeUrl: url, picture };
      });
    if (targets.length === 0) throw new NoTargets(`publication ${publicationId} can go nowhere else`);
    return { targets, price: prices.crossPost, balance: balance ?? 0 };
  };
