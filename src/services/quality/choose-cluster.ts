export type Cluster = {
  cluster_name: string;
  cluster_type: 'article' | 'product_page';
  main_phrase: string;
  total_volume: number;
  /** Null: nothing is known about any of its phrases. */
  avg_difficulty: number | null;
  phrases: readonly Phrase[];
};
/** Of a cluster, or an item of the old flat list (E36). Null is "no data" (E03), which is not zero. */
export type Phrase = {
  phrase: string;
  volume: number | null;
  difficulty: number | null;
  cpc: number | null;
  intent?: string;
  ai_suggested?: boolean;
  /** Where its searches were counted (src/markets.ts); absent: by Google, outside Russia. */
  market?: number;
};
export type Keywords = readonly Cluster[] | readonly Phrase[];

/** A phrase that was published about, or is being written about, anywhere in the project. */
export type Use = { keyword: string; at: Date };

export type Choice = {
  mainPhrase: string;
  /** Searches a month for the main phrase; null where nothing is known. */
  demand: number | null;
  /** Null for an item of the flat list. */
  cluster: Cluster | null;
  /** How many were not used lately, the chosen one among them. */
  fresh: number;
  /** Everything rested, so this phrase is used again before its time (E22). */
  reused: boolean;
  /** So few candidates that the texts will repeat themselves (E23). */
  fewCandidates: boolean;
};

/** An article competes with its own successor for months; a post is forgotten in a week. */
const restDays = { article: 90, social_post: 7 } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const ENOUGH_CANDIDATES = 3;

type Candidate = {
  mainPhrase: string;
  name: string;
  demand: number | null;
  volume: number;
  difficulty: number;
  cluster: Cluster | null;
};

/** What to write about next, the wanted phrase if it is still there; null when nothing fits (E40). */
export function chooseCluster(
  keywords: Keywords,
  contentType: 'article' | 'social_post',
  uses: readonly Use[],
  now: Date,
  wanted: string | null = null,
): Choice | null {
  const ranked = rankCandidates(keywords, contentType, uses, now);
  const chosen = ranked.find(({ mainPhrase }) => mainPhrase === wanted) ?? ranked[0];
  if (!chosen) return null;
  const { mainPhrase, demand, cluster, rests } = chosen;
  return {
    mainPhrase,
    demand,
    cluster,
    fresh: ranked.filter((candidate) => !candidate.rests).length,
    reused: rests,
    fewCandidates: ranked.length < ENOUGH_CANDIDATES,
  };
}

/** All that could be written about, the next one first: never used, then rested, then those that rest, the oldest first. */
export function rankCandidates(
  keywords: Keywords,
  contentType: 'article' | 'social_post',
  uses: readonly Use[],
  now: Date,
): (Candidate & { rests: boolean })[] {
  const lastUse = lastUses(uses);
  const usedAt = ({ mainPhrase }: Candidate) => lastUse.get(key(mainPhrase)) ?? Number.NEGATIVE_INFINITY;
  const restMs = restDays[contentType] * DAY_MS;
  const pool = candidatesOf(keywords, contentType)
    .toSorted(byWorth)
    .map((candidate) => ({ ...candidate, rests: now.getTime() - usedAt(candidate) < restMs }));
  const isNew = (candidate: Candidate) => usedAt(candidate) === Number.NEGATIVE_INFINITY;
  return [
    ...pool.filter(isNew),
    ...pool.filter((candidate) => !isNew(candidate) && !candidate.rests),
    // A stable sort: of those used at the same moment, the worthier stays first.
    ...pool.filter(({ rests }) => rests).toSorted((one, other) => usedAt(one) - usedAt(other)),
  ];
}

/** Old categories keep phrases without clusters; the first item tells. */
export const isFlatList = (keywords: Keywords): keywords is readonly Phrase[] =>
  keywords.length > 0 && !('cluster_name' in keywords[0]!);

function candidatesOf(keywords: Keywords, contentType: 'article' | 'social_post'): Candidate[] {
  if (isFlatList(keywords)) {
    return keywords.map(({ phrase, volume, difficulty }) => ({
      mainPhrase: phrase,
      name: phrase,
      demand: volume,
      volume: volume ?? 0,
      difficulty: difficulty ?? 0,
      cluster: null,
    }));
  }
  return (keywords as readonly Cluster[])
    .filter(({ cluster_type }) => contentType !== 'article' || cluster_type === 'article')
    .map((cluster) => ({
      mainPhrase: cluster.main_phrase,
      name: cluster.cluster_name,
      demand: cluster.phrases.find(({ phrase }) => phrase === cluster.main_phrase)?.volume ?? null,
      volume: cluster.total_volume,
      difficulty: cluster.avg_difficulty ?? 0,
      cluster,
    }));
}

/** Demand against difficulty: of a hundred searches, as many as are not already won by others. */
const worth = ({ volume, difficulty }: Candidate): number => volume * (1 - Math.min(difficulty, 100) / 100);

/** The name last: the same candidates always come in the same order. */
const byWorth = (one: Candidate, other: Candidate): number =>
  worth(other) - worth(one) ||
  other.volume - one.volume ||
  one.difficulty - other.difficulty ||
  (one.name < other.name ? -1 : Number(one.name > other.name));

function lastUses(uses: readonly Use[]): Map<string, number> {
  const latest = new Map<string, number>();
  for (const { keyword, at } of uses) {
    latest.set(key(keyword), Math.max(latest.get(key(keyword)) ?? Number.NEGATIVE_INFINITY, at.getTime()));
  }
  return latest;
}

const key = (phrase: string): string => phrase.trim().toLowerCase();
