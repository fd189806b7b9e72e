import type { AddGapsInput, GapsAdded } from '../../../machines/competitor-analysis.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone, NotFound } from '../../errors.ts';
import { articleClusters } from '../keywords/article-clusters.ts';
import { countKeywords, mergeKeywords } from '../keywords/edit-keywords.ts';
import type { PhraseData } from '../keywords/keyword-data.ts';
import { MOST_PHRASE_CHARS, tidyPhrase } from '../keywords/phrase-text.ts';
import type { Keywords } from '../quality/choose-cluster.ts';

type Deps<Tx> = {
  gapsOf(userId: number, analysisId: number): Promise<string[] | null>;
  /** Those of which anything is known; empty where the supplier is away. */
  numbersOf(phrases: readonly string[], userId: number, signal?: AbortSignal): Promise<readonly PhraseData[]>;
  category(userId: number, categoryId: number): Promise<{ categoryName: string } | null>;
  change(
    userId: number,
    categoryId: number,
    edit: (keywords: Keywords) => Keywords,
    on: Tx,
  ): Promise<Keywords | null>;
  operations: Pick<Operations<Tx>, 'inTransaction'>;
};

class AnalysisGone extends NotFound {
  constructor(analysisId: number) {
    super(`analysis ${analysisId}`, 'Этого анализа больше нет: хранятся последние двадцать.');
  }
}

/**
 * What a competitor says nothing of becomes topics for articles of our own. Pressed twice, it adds nothing more; asked
 * again under the same key, it tells what it has added.
 */
export const makeAddGaps =
  <Tx>({ gapsOf, numbersOf, category, change, operations }: Deps<Tx>) =>
  async ({ key, userId, ...order }: AddGapsInput, signal?: AbortSignal): Promise<GapsAdded> => {
    const { analysisId, categoryId } = order;
    const gaps = await gapsOf(userId, analysisId);
    if (!gaps) throw new AnalysisGone(analysisId);
    const place = await category(userId, categoryId);
    if (!place) throw new CategoryGone(categoryId);

    const phrases = gaps.map(toPhrase).filter((phrase) => phrase !== '');
    const fresh = articleClusters(phrases, await numbersOf(phrases, userId, signal));
    return operations.inTransaction({ key, userId, request: order }, async (tx) => {
      let before = 0;
      const edit = (old: Keywords) => {
        before = countKeywords(old).phrases;
        return mergeKeywords(old, fresh);
      };
      const merged = await change(userId, categoryId, edit, tx);
      if (!merged) throw new CategoryGone(categoryId);
      return { categoryId, categoryName: place.categoryName, added: countKeywords(merged).phrases - before };
    });
  };

/** A topic is written as a heading, a phrase as a search. */
const toPhrase = (gap: string): string => {
  const tidied = tidyPhrase(gap.replace(/[«»"?!.…]+/gu, ' ')).toLowerCase();
  if (tidied.length <= MOST_PHRASE_CHARS) return tidied;
  return tidied.slice(0, tidied.lastIndexOf(' ', MOST_PHRASE_CHARS) + 1 || MOST_PHRASE_CHARS).trim();
};
