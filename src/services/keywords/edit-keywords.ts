import { type Cluster, isFlatList, type Keywords, type Phrase } from '../quality/choose-cluster.ts';
import { withNumbers } from './enrich-clusters.ts';
import { groupByWords } from './group-by-words.ts';
import { phraseKey } from './phrase-text.ts';
import { joinNamesakes } from './place-phrases.ts';
import { sumClusters } from './sum-clusters.ts';

/** Changes of a category's list. Things are named by their text, so that a second press of a button does no harm. */

export const countKeywords = (keywords: Keywords): { clusters: number; phrases: number } => ({
  clusters: isFlatList(keywords) ? 0 : keywords.length,
  phrases: phrasesOf(keywords).length,
});

/** An emptied cluster disappears. */
export function withoutPhrase(keywords: Keywords, phrase: string): Keywords {
  const stays = (item: Phrase): boolean => phraseKey(item.phrase) !== phraseKey(phrase);
  if (isFlatList(keywords)) return keywords.filter(stays);
  return clustersOf(keywords).flatMap((cluster) => {
    const phrases = cluster.phrases.filter(stays);
    return phrases.length === cluster.phrases.length ? cluster : sumClusters([{ ...cluster, phrases }]);
  });
}

export const withoutCluster = (keywords: Keywords, name: string): Keywords =>
  isFlatList(keywords)
    ? keywords
    : clustersOf(keywords).filter(({ cluster_name }) => phraseKey(cluster_name) !== phraseKey(name));

/**
 * The fresh beside the old, no phrase twice: it stays where it was and takes the numbers it lacked. A flat list that
 * meets clusters is clustered by words, for a list is either flat or not.
 */
export function mergeKeywords(old: Keywords, fresh: Keywords): Keywords {
  const found = new Map(phrasesOf(fresh).map((item) => [phraseKey(item.phrase), item]));
  const updated = (item: Phrase): Phrase =>
    item.volume === null ? withNumbers(item, found.get(phraseKey(item.phrase))) : item;
  const present = new Set(phrasesOf(old).map(({ phrase }) => phraseKey(phrase)));
  const isNew = ({ phrase }: Phrase): boolean => !present.has(phraseKey(phrase));

  const flat = [old, fresh].every((list) => list.length === 0 || isFlatList(list));
  if (flat) return [...phrasesOf(old).map(updated), ...phrasesOf(fresh).filter(isNew)];
  return sumClusters(
    joinNamesakes([
      ...groupsOf(old).map((group) => ({ ...group, phrases: group.phrases.map(updated) })),
      ...groupsOf(fresh).map((group) => ({ ...group, phrases: group.phrases.filter(isNew) })),
    ]),
  );
}

/** The most searched first. */
export const wantedPhrases = (keywords: Keywords): string[] =>
  phrasesOf(keywords)
    .toSorted((one, other) => (other.volume ?? 0) - (one.volume ?? 0))
    .map(({ phrase }) => phrase);

export const phrasesOf = (keywords: Keywords): readonly Phrase[] =>
  isFlatList(keywords) ? keywords : clustersOf(keywords).flatMap(({ phrases }) => phrases);

const groupsOf = (keywords: Keywords) =>
  isFlatList(keywords) ? groupByWords(keywords) : clustersOf(keywords);

/** For lists that are not flat: the compiler cannot tell from an item what the list is. */
const clustersOf = (keywords: Keywords): readonly Cluster[] => keywords as readonly Cluster[];
