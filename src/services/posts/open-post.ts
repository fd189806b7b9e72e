import type { PostDraft, PostOffer } from '../../../machines/fragments/post-ports.ts';
import type { Connection } from '../../store/connections.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import { placeOf } from './place-of.ts';
import { toDraft } from './post-draft.ts';

export type OpenedPost =
  | { offer: PostOffer; draft: PostDraft; isLost: boolean }
  /** Its channel is not connected any more. */
  | { homeless: { draftId: number; place: string; projectId: number; categoryId: number } }
  | { gone: true };

type Deps = {
  findDraft(userId: number, draftId: number): Promise<StoredPost | null>;
  placeOfCategory(
    userId: number,
    categoryId: number,
  ): Promise<Pick<PostOffer, 'categoryId' | 'categoryName' | 'projectId' | 'projectName'> | null>;
  listConnections(userId: number, projectId: number): Promise<Connection[] | null>;
  balanceOf(userId: number): Promise<number | null>;
};

/** A post that waits for a decision, with where it would go. */
export const makeOpenPost =
  ({ findDraft, placeOfCategory, listConnections, balanceOf }: Deps) =>
  async (userId: number, draftId: number, isAdmin: boolean): Promise<OpenedPost> => {
    const stored = await findDraft(userId, draftId);
    const category = stored && (await placeOfCategory(userId, stored.categoryId));
    if (!category) return { gone: true };
    const { details, keyword } = stored;
    const all = (await listConnections(userId, category.projectId)) ?? [];
    const connection =
      all.find(({ id }) => id === stored.connectionId) ??
      all.find(({ platform, identifier }) => platform === details.platform && identifier === details.place);
    if (!connection) {
      const { projectId, categoryId } = category;
      return { homeless: { draftId, place: details.place, projectId, categoryId } };
    }
    const place = placeOf(connection);
    return {
      draft: toDraft(stored, { returned: 0 }),
      isLost: stored.status === 'unknown',
      offer: {
        ...category,
        connectionId: connection.id,
        platform: details.platform,
        place: place.name,
        placeUrl: place.url,
        phrase: keyword,
        images: details.imagesWanted,
        text: details.price.text,
        pictures: details.price.images,
        balance: (await balanceOf(userId)) ?? 0,
        isAdmin,
        reused: false,
      },
    };
  };
