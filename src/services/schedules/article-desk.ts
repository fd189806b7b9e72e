import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import type { ArticlePreview, PublishArticleInput } from '../../../machines/fragments/article-ports.ts';
import type { Offer } from '../article/offer-article.ts';
import { PublishUnknown } from '../article/publish-article.ts';
import type { Use } from '../quality/choose-cluster.ts';
import type { Desk } from './desk.ts';

const ENOUGH_TOPICS = 3;

type Deps = {
  offerArticle(
    userId: number,
    categoryId: number,
    connectionId: number,
    isAdmin: boolean,
    wanted: string | null,
    held: readonly Use[],
  ): Promise<Offer>;
  isAdmin(userId: number): Promise<boolean>;
  generate(
    input: { key: string; userId: number; offer: ArticleOffer },
    signal: AbortSignal,
    report: () => void,
  ): Promise<ArticlePreview>;
  publish(input: PublishArticleInput, signal: AbortSignal): Promise<{ url: string | null }>;
  cancel(draft: { userId: number; draftId: number }): Promise<number | null>;
};

const blocked = { 'no-phrases': 'no_keywords', 'no-article-phrases': 'no_available_keyword' } as const;

export const makeArticleDesk = ({ offerArticle, isAdmin, generate, publish, cancel }: Deps): Desk => ({
  async offer({ userId, categoryId, connectionId }, wanted, held) {
    const offered = await offerArticle(userId, categoryId, connectionId, await isAdmin(userId), wanted, held);
    if ('blocked' in offered) return { blocked: blocked[offered.blocked] };
    if ('missing' in offered) return offered;
    const { offer } = offered;
    const { phrase, text, pictures, balance, reused, clusters } = offer;
    return {
      offer: {
        ...{ phrase, balance, reused },
        price: text + pictures,
        isAdmin: offer.isAdmin,
        few: clusters > 0 && clusters < ENOUGH_TOPICS,
        order: offer,
      },
    };
  },

  async write({ key, userId, signal }, order) {
    const offer = order as ArticleOffer;
    const preview = await generate({ key, userId, offer }, signal, () => undefined);
    const { draftId, title, spent, images, imagesWanted } = preview;
    return { draftId, title, spent, images, imagesWanted };
  },

  async publish({ key, userId, signal }, { draftId, place }) {
    try {
      const { url } = await publish({ key, userId, draftId, site: place }, signal);
      return { outcome: 'sent', url };
    } catch (error) {
      if (error instanceof PublishUnknown) return { outcome: 'unknown' };
      throw error;
    }
  },

  // An article's draft waits by itself.
  keep: async () => undefined,

  cancel: (userId, draftId) => cancel({ userId, draftId }),
});
