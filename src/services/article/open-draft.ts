import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import { type ArticlePreview, refundOf } from '../../../machines/fragments/article-ports.ts';
import { takesArticles } from '../../platforms/platforms.ts';
import { prices } from '../../prices.ts';
import type { HomelessDraft } from '../../screens/pages/publishing.ts';
import type { Connection } from '../../store/connections.ts';
import type { Draft } from '../../store/draft.ts';
import { toPreview } from './draft-preview.ts';

/** A draft that waits for a decision, with where it would go; or for a site to go to; or no longer. */
export type OpenedDraft =
  | { offer: ArticleOffer; preview: ArticlePreview }
  /** Without a site: which one it should be is for the person to say. */
  | { offer: ArticleOffer; preview: ArticlePreview; homeless: HomelessDraft }
  | { gone: true };

type Place = Pick<ArticleOffer, 'categoryId' | 'categoryName' | 'projectId' | 'projectName'>;
type Deps = {
  findDraft(userId: number, draftId: number): Promise<Draft | null>;
  placeOf(userId: number, categoryId: number): Promise<Place | null>;
  listConnections(userId: number, projectId: number): Promise<Connection[] | null>;
  balanceOf(userId: number): Promise<number | null>;
};

/**
 * From what is known of the draft itself: the phrases of its category may be others by now, or none. It goes to the
 * wanted site of its project, else to its own, else to the only one there is.
 */
export const makeOpenDraft =
  ({ findDraft, placeOf, listConnections, balanceOf }: Deps) =>
  async (
    userId: number,
    draftId: number,
    isAdmin: boolean,
    wanted: number | null = null,
  ): Promise<OpenedDraft> => {
    const draft = await findDraft(userId, draftId);
    const place = draft && (await placeOf(userId, draft.categoryId));
    if (!place) return { gone: true };
    const { title, keyword, tokens, details } = draft;
    const { mayBeOn = [] } = details;
    const { categoryId, projectId } = place;
    const sites = ((await listConnections(userId, projectId)) ?? []).filter(({ platform }) =>
      takesArticles(platform),
    );
    const site = targetAmong(sites, wanted, draft.connectionId);
    const named = sites.map(({ id, identifier }) => ({ id, identifier }));
    const preview = toPreview(draft, { phrase: keyword, spent: tokens, returned: 0 });
    const refund = refundOf(preview);
    return {
      ...(!site && { homeless: { draftId, title, categoryId, projectId, sites: named, mayBeOn, refund } }),
      preview: { ...preview, ...(site && mayBeOn.includes(site.identifier) && { inDoubt: true }) },
      offer: {
        ...place,
        connectionId: site?.id ?? null,
        site: site?.identifier ?? null,
        phrase: keyword,
        volume: null,
        clusters: 0,
        images: details.imagesWanted,
        text: details.price.text,
        pictures: details.price.images,
        picturePrice: prices.image,
        balance: (await balanceOf(userId)) ?? 0,
        isAdmin,
        reused: false,
        mayBeOn: mayBeOn.filter((other) => other !== site?.identifier),
      },
    };
  };

function targetAmong(
  sites: readonly Connection[],
  wanted: number | null,
  own: number | null,
): Connection | undefined {
  const only = sites.length === 1 ? sites[0] : undefined;
  return sites.find(({ id }) => id === wanted) ?? sites.find(({ id }) => id === own) ?? only;
}
