import type { Cluster } from '../quality/choose-cluster.ts';
import { noData, type PhraseData } from './keyword-data.ts';
import { sumClusters } from './sum-clusters.ts';

/** Every phrase an article of its own, with what is known of its demand. */
export const articleClusters = (phrases: readonly string[], numbers: readonly PhraseData[]): Cluster[] =>
  sumClusters(
    phrases.map((phrase) => ({
      cluster_name: phrase,
      cluster_type: 'article',
      main_phrase: phrase,
      phrases: [
        { ...(numbers.find((data) => data.phrase === phrase) ?? noData), phrase, ai_suggested: true },
      ],
    })),
  );
