import type { ArticleOffer, ArticlePreview } from '../../../machines/article-publish.ts';
import type { Draft } from '../../store/article-drafts.ts';
import type { Connection } from '../../store/connections.ts';
import { toPreview } from './draft-preview.ts';

/** A draft that waits for a decision, with what it was offered for; or what of it is gone. */
export type OpenedDraft = { offer: ArticleOffer; preview: ArticlePreview } | { gone: 'draft' | 'connection' };

type Place = Pick<ArticleOffer, 'categoryId' | 'categoryName' | 'projectId' | 'projectName'>;
type Deps = {
  findDraft(userId: number, draftId: number): Promise<Draft | null>;
  placeOf(userId: number, categoryId: number): Promise<Place | null>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  balanceOf(userId: number): Promise<number | null>;
};

/** From what is known of the draft itself: the phrases of its category may be others by now, or none. */
export const makeOpenDraft =
  ({ findDraft, placeOf, findConnection, balanceOf }: Deps) =>
  async (userId: number, draftId: number, isAdmin: boolean): Promise<OpenedDraft> => {
    const draft = await findDraft(userId, draftId);
    const place = draft && (await placeOf(userId, draft.categoryId));
    if (!place) return { gone: 'draft' };
    const { connectionId, keyword, tokens, details } = draft;
    const connection = connectionId === null ? null : await findConnection(userId, connectionId);
    if (!connection) return { gone: 'connection' };
    return {
      preview: toPreview(draft, { phrase: keyword, spent: tokens, returned: 0 }),
      offer: {
        ...place,
        connectionId: connection.id,
        site: connection.identifier,
        phrase: keyword,
        volume: null,
        clusters: 0,
        images: details.imagesWanted,
        text: details.price.text,
        pictures: details.price.images,
        balance: (await balanceOf(userId)) ?? 0,
        isAdmin,
        reused: false,
      },
    };
  };
