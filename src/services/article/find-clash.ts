import type { Clash } from '../../../machines/fragments/article-order.ts';
import { phraseKey, tellingStems } from '../keywords/phrase-text.ts';
import { type Cluster, isFlatList, type Keywords } from '../quality/choose-cluster.ts';
import { isSimilar, simhash } from '../quality/simhash.ts';

/** An article of the project that is out, or waits as a draft. */
export type EarlierArticle = {
  keyword: string;
  title: string | null;
  url: string | null;
  state: Clash['state'];
};

/** How much of two questions must be the same for a search engine to choose between their answers. */
const SAME_SHARE = 0.8;

/**
 * The article that a new one about this phrase would compete with: about a phrase of the same cluster, for which people
 * see the same results, or about the same words in another form or order. Null: there is none.
 */
export function findClash(
  phrase: string,
  keywords: Keywords,
  earlier: readonly EarlierArticle[],
): Clash | null {
  const cluster = isFlatList(keywords)
    ? undefined
    : (keywords as readonly Cluster[]).find(({ main_phrase }) => main_phrase === phrase);
  const searched = new Set([phrase, ...(cluster?.phrases.map((item) => item.phrase) ?? [])].map(phraseKey));
  const asks = new Set(tellingStems(phrase));
  const mark = simhash(phrase);
  const found = earlier.find(
    ({ keyword, title }) =>
      searched.has(phraseKey(keyword)) ||
      [keyword, title].some(
        (text) => text !== null && text !== '' && (isSameQuestion(text) || isSimilar(mark, simhash(text))),
      ),
  );
  if (!found) return null;
  const { title, keyword, url, state } = found;
  return { title: title || keyword, url, state };

  function isSameQuestion(text: string): boolean {
    const other = new Set(tellingStems(text));
    const shared = [...asks].filter((part) => other.has(part)).length;
    const all = new Set([...asks, ...other]).size;
    return all > 0 && shared / all >= SAME_SHARE;
  }
}
