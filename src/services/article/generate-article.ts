import type { ArticlePreview, GenerateArticleInput } from '../../../machines/fragments/article-ports.ts';
import { type AppError, CategoryGone, DraftExpired } from '../../errors.ts';
import { type Price, settled, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Slots } from '../money/rate-limits.ts';
import { MOST_REFERENCES } from '../pictures/copy-photos.ts';
import { isFlatList, type Keywords } from '../quality/choose-cluster.ts';
import { notes } from './article-notes.ts';
import { type KeepDraft, toContent, toPreview } from './draft-preview.ts';
import type { ArticleOrder, ArticleStage, WriteArticle } from './write-article.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<CategoryBrief | null>;
  /** What the connection knows of its site, beyond what the project knows. */
  siteOf(
    userId: number,
    connectionId: number,
    phrase: string,
    signal: AbortSignal,
  ): Promise<Pick<ArticleOrder, 'ownLinks' | 'schemaType'>>;
  purse(version: {
    key: string;
    userId: number;
    categoryId: number;
    connectionId: number | null;
    keyword: string;
    price: Price;
  }): Purse;
  limitedWork: LimitedWork;
  writeArticle: WriteArticle;
  keep: KeepDraft;
};

/** From the accepted price to a draft that can be looked at; or the tokens back. */
export const makeGenerateArticle =
  ({ briefOf, siteOf, purse, limitedWork, writeArticle, keep }: Deps) =>
  (
    { key, userId, offer }: GenerateArticleInput,
    signal: AbortSignal,
    report: (stage: ArticleStage) => void,
  ): Promise<ArticlePreview> => {
    const { categoryId, connectionId, phrase } = offer;
    const price: Price = { text: offer.text, images: offer.pictures };
    const ownPurse = purse({ key, userId, categoryId, connectionId, keyword: phrase, price });
    // Not part of what is ordered: orders of earlier releases have no such field and must still be found by their keys.
    const { picturePrice: _, ...request } = offer;
    const call = { key, userId, request, signal };

    return limitedWork(call, articleNeeds(offer.images, offer.own), ownPurse, async (stage, lease) => {
      const order = await stage('order', async () => {
        const brief = await briefOf(userId, categoryId);
        if (!brief) throw new CategoryGone(categoryId);
        const site = connectionId === null ? {} : await siteOf(userId, connectionId, phrase, lease);
        return { ...toOrder(brief, phrase, offer.images, offer.own), ...site };
      });
      const draft = await writeArticle(order, { userId, stage, signal: lease, report });
      report('preview');
      // Own photos cost nothing.
      const cost = settled(price, { words: draft.words, images: draft.images.length - draft.ownPhotos });
      const more = offer.reused ? [notes.reused(phrase)] : [];
      const content = toContent(draft, order.company.name, cost, more);
      const kept = await keep.first({ key, userId, stage, signal: lease }, content);
      if (!kept) throw await reasonOfTheEnd();
      const spent = total(cost);
      return { result: toPreview(kept, { phrase, spent, returned: total(price) - spent }), spent };
    });

    /** Deleted with its category, or its day was over before it was written (X01). */
    async function reasonOfTheEnd(): Promise<AppError> {
      return (await briefOf(userId, categoryId)) ? new DraftExpired(key) : new CategoryGone(categoryId);
    }
  };

/** Of the hour's limits. A picture that did not come does not count. Not asked for free versions. */
export function articleNeeds(images: number, own = 0) {
  const slots = (pictures: number): Slots => ({ text_generation: 1, image_generation: pictures });
  return {
    slots: slots(images),
    used: (preview: ArticlePreview) => slots(Math.max(0, preview.images - own)),
  };
}

/** `own`: how many photos of the person's own stand in it, before the drawn ones. */
export function toOrder(brief: CategoryBrief, phrase: string, images: number, own = 0): ArticleOrder {
  const { company, topic, projectId, text, colors } = brief;
  return {
    company,
    topic,
    projectId,
    mainPhrase: phrase,
    cluster: clusterOf(brief.keywords, phrase),
    text,
    images: { ...brief.images, count: images },
    ...(brief.photos.length > 0 && {
      ownPhotos: brief.photos.slice(0, own),
      references: brief.photos.slice(0, MOST_REFERENCES),
    }),
    colors,
  };
}

/** A phrase of the old flat list stands for itself, with its numbers. */
function clusterOf(keywords: Keywords, phrase: string): ArticleOrder['cluster'] {
  if (!isFlatList(keywords)) return keywords.find(({ main_phrase }) => main_phrase === phrase) ?? null;
  const item = keywords.find((one) => one.phrase === phrase);
  if (!item) return null;
  return {
    cluster_name: phrase,
    cluster_type: 'article',
    main_phrase: phrase,
    total_volume: item.volume ?? 0,
    avg_difficulty: item.difficulty ?? 0,
    phrases: [item],
  };
}
