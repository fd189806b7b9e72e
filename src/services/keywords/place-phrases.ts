import type { AnswerTo } from '../ai/answers.ts';
import type { Phrase } from '../quality/choose-cluster.ts';
import { groupByWords } from './group-by-words.ts';
import { noData, type PhraseData } from './keyword-data.ts';
import { MOST_PHRASE_CHARS, phraseKey, tidyPhrase } from './phrase-text.ts';
import type { Group } from './sum-clusters.ts';

export type ModelClusters = AnswerTo<'keyword_clusters'>['clusters'];

/**
 * The model groups and we keep the books: every phrase of ours stands exactly once, in our spelling; what the model
 * lost is grouped by words; what it added is marked, and there are at most `extraCount` of it.
 */
export function placePhrases(
  ours: readonly PhraseData[],
  clusters: ModelClusters,
  extraCount: number,
): Group[] {
  const waiting = new Map(ours.map((data) => [phraseKey(data.phrase), real(data)]));
  const placed = new Set<string>();
  let extrasLeft = extraCount;

  const groups = clusters.map((cluster) => {
    const phrases = cluster.phrases.flatMap(({ phrase }) => take(phrase) ?? []);
    const main = phrases.find(({ phrase }) => phraseKey(phrase) === phraseKey(cluster.main_phrase));
    return {
      cluster_name: tidyPhrase(cluster.cluster_name).slice(0, MOST_PHRASE_CHARS),
      cluster_type:
        cluster.cluster_type === 'product_page' ? ('product_page' as const) : ('article' as const),
      main_phrase: (main ?? phrases[0])?.phrase ?? '',
      phrases,
    };
  });
  return joinNamesakes([...groups, ...groupByWords([...waiting.values()])]);

  function take(text: string): Phrase | null {
    const key = phraseKey(text);
    if (key === '' || placed.has(key)) return null;
    const own = waiting.get(key);
    const taken = own ?? addition(text);
    if (!taken) return null;
    placed.add(key);
    waiting.delete(key);
    return taken;
  }

  function addition(text: string): Phrase | null {
    const phrase = tidyPhrase(text);
    if (extrasLeft === 0 || phrase.length > MOST_PHRASE_CHARS) return null;
    extrasLeft -= 1;
    return { ...noData, phrase, ai_suggested: true };
  }
}

/** Names are how people and buttons tell clusters apart. */
export function joinNamesakes(groups: readonly Group[]): Group[] {
  const byName = new Map<string, Group>();
  for (const group of groups.filter(({ phrases }) => phrases.length > 0)) {
    const cluster_name = group.cluster_name || group.main_phrase;
    const first = byName.get(phraseKey(cluster_name));
    byName.set(
      phraseKey(cluster_name),
      first ? { ...first, phrases: [...first.phrases, ...group.phrases] } : { ...group, cluster_name },
    );
  }
  return [...byName.values()];
}

const real = (data: PhraseData): Phrase => ({ ...data, ai_suggested: false });
