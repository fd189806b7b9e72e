import type { Cluster, Phrase } from '../quality/choose-cluster.ts';

/** A cluster before it is summed up. Its main phrase is a wish that counts among equally searched ones. */
export type Group = Pick<Cluster, 'cluster_name' | 'cluster_type' | 'main_phrase' | 'phrases'>;

/** Totals and main phrases anew, the most searched first; a cluster without phrases is none. */
export const sumClusters = (groups: readonly Group[]): Cluster[] =>
  groups
    .filter(({ phrases }) => phrases.length > 0)
    .map(summed)
    .toSorted((one, other) => other.total_volume - one.total_volume);

export const byVolume = (one: Pick<Phrase, 'volume'>, other: Pick<Phrase, 'volume'>): number =>
  (other.volume ?? 0) - (one.volume ?? 0);

function summed(group: Group): Cluster {
  const phrases = group.phrases.toSorted(byVolume);
  const most = phrases.filter((phrase) => byVolume(phrase, phrases[0]!) === 0);
  const main = most.find(({ phrase }) => phrase === group.main_phrase) ?? most[0]!;
  const difficulties = phrases.flatMap(({ difficulty }) => difficulty ?? []);
  return {
    cluster_name: group.cluster_name,
    cluster_type: group.cluster_type,
    main_phrase: main.phrase,
    total_volume: sum(phrases.map(({ volume }) => volume ?? 0)),
    avg_difficulty: difficulties.length > 0 ? Math.floor(sum(difficulties) / difficulties.length) : null,
    phrases,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
