import type { Cluster, Phrase } from '../quality/choose-cluster.ts';
import type { PhraseData } from './keyword-data.ts';
import { phraseKey } from './phrase-text.ts';
import { type Group, sumClusters } from './sum-clusters.ts';

/** Puts the numbers in. A phrase that the model added stays only if people really search for it. */
export function enrichClusters(groups: readonly Group[], known: readonly PhraseData[]): Cluster[] {
  const numbers = new Map(known.map((data) => [phraseKey(data.phrase), data]));
  return sumClusters(
    groups.map((group) => ({
      ...group,
      phrases: group.phrases
        .map((phrase) => withNumbers(phrase, numbers.get(phraseKey(phrase.phrase))))
        .filter(({ ai_suggested, volume }) => !ai_suggested || (volume ?? 0) > 0),
    })),
  );
}

/** What is known already is not forgotten for a gap in the newer data. */
export function withNumbers(phrase: Phrase, data: Phrase | undefined): Phrase {
  if (!data) return phrase;
  const { volume, difficulty, cpc } = phrase;
  return {
    ...phrase,
    volume: data.volume ?? volume,
    difficulty: data.difficulty ?? difficulty,
    cpc: data.cpc ?? cpc,
    ...(data.intent !== undefined && { intent: data.intent }),
    ...(data.market !== undefined && data.volume !== null && { market: data.market }),
  };
}
