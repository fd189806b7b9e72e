import type { OtherPlaces } from '../../screens/pages/posts.ts';
import type { Connection } from '../../store/connections.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import { placeOf } from './place-of.ts';

type Deps = {
  findDraft(userId: number, draftId: number): Promise<StoredPost | null>;
  listConnections(userId: number, projectId: number): Promise<Connection[] | null>;
  move(userId: number, draftId: number, place: Connection): Promise<boolean>;
};

/**
 * A post was written and paid for one place of a platform, and that place does not take it (X07, X10): any other of the
 * same platform and project may. One whose answer was lost stays where it may be.
 */
export function makeMovePost({ findDraft, listConnections, move }: Deps) {
  return { otherPlaces, movePost };

  async function otherPlaces(userId: number, draftId: number): Promise<OtherPlaces | null> {
    const found = await placesOf(userId, draftId);
    if (!found) return null;
    const { post, own, others } = found;
    return {
      ...{ draftId, phrase: post.keyword, projectId: post.projectId, categoryId: post.categoryId },
      ...{ platform: post.details.platform, place: own ? placeOf(own).name : null },
      others: others.map((connection) => ({ id: connection.id, name: placeOf(connection).name })),
    };
  }

  /** The name of its new place; null when there is nothing to move, or nowhere to. */
  async function movePost(userId: number, draftId: number, connectionId: number): Promise<string | null> {
    const found = await placesOf(userId, draftId);
    const target = found?.others.find(({ id }) => id === connectionId);
    return target && (await move(userId, draftId, target)) ? placeOf(target).name : null;
  }

  async function placesOf(userId: number, draftId: number) {
    const post = await findDraft(userId, draftId);
    if (post?.status !== 'draft') return null;
    const { platform, place } = post.details;
    const all = (await listConnections(userId, post.projectId)) ?? [];
    const here = all.filter((connection) => connection.platform === platform);
    const own = here.find(({ id, identifier }) => id === post.connectionId || identifier === place) ?? null;
    return { post, own, others: here.filter((connection) => connection !== own) };
  }
}
