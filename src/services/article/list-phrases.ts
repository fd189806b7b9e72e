import type { ListPhrasesInput, OfferedPhrases } from '../../../machines/fragments/article-order.ts';
import { CategoryGone } from '../../errors.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import { rankCandidates, type Use } from '../quality/choose-cluster.ts';
import { type EarlierArticle, findClash } from './find-clash.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<CategoryBrief | null>;
  usesOf(categoryId: number): Promise<Use[]>;
  earlierOf(userId: number, categoryId: number): Promise<EarlierArticle[]>;
  now?: () => Date;
};

const PAGE_SIZE = 10;

/** What else an article of this category could be about, in the order in which the rotation would take it. */
export const makeListPhrases =
  ({ briefOf, usesOf, earlierOf, now = () => new Date() }: Deps) =>
  async ({ userId, categoryId, except, page }: ListPhrasesInput): Promise<OfferedPhrases> => {
    const [brief, uses, earlier] = await Promise.all([
      briefOf(userId, categoryId),
      usesOf(categoryId),
      earlierOf(userId, categoryId),
    ]);
    if (!brief) throw new CategoryGone(categoryId);
    const others = rankCandidates(brief.keywords, 'article', uses, now()).filter(
      ({ mainPhrase }) => mainPhrase !== except,
    );
    const from = (page - 1) * PAGE_SIZE;
    const items = others.slice(from, from + PAGE_SIZE).map(({ mainPhrase, demand, rests }) => ({
      phrase: mainPhrase,
      volume: demand,
      used: rests,
      clash: findClash(mainPhrase, brief.keywords, earlier),
    }));
    return { page, items, hasMore: others.length > from + PAGE_SIZE };
  };
