/** What is known of the phrases that people search for. Two suppliers fill this: join-suppliers.ts says when which. */
export type KeywordData = {
  /** Searches that contain a seed. */
  suggestions(seeds: readonly string[], asking: Asking): Promise<FoundPhrases | null>;
  /** Searches that people make beside these. */
  related(phrases: readonly string[], asking: Asking): Promise<FoundPhrases | null>;
  /** Those of the phrases of which anything is known, in the spelling they were given. */
  volumes(phrases: readonly string[], asking: Asking): Promise<FoundPhrases | null>;
};

/** A market is where the searches were counted. Without one the usual markets are tried in turn. */
export type Asking = {
  userId: number;
  market?: number | null;
  /** Where the company works, as the person has said it: Yandex counts in cities too. */
  place?: string;
  signal?: AbortSignal;
};

/** Demand month by month, the oldest first; null: not known. Months count from 1. */
export type Season = (phrase: string, asking: Asking) => Promise<readonly SeasonMonth[] | null>;
export type SeasonMonth = { month: number; count: number };

/** In which cities people search for it, the most first; null: not known. `affinity`: 100 is the country's average. */
export type Places = (phrase: string, asking: Asking) => Promise<readonly PlaceDemand[] | null>;
export type PlaceDemand = { market: number; count: number; affinity: number };

/** Null in place of it: the supplier could not be asked. No phrases: it was, and knows nothing. */
export type FoundPhrases = { market: number | null; phrases: readonly PhraseData[] };

export type PhraseData = {
  phrase: string;
  /** Searches a month. */
  volume: number | null;
  /** 0 to 100. */
  difficulty: number | null;
  /** US dollars. */
  cpc: number | null;
  intent: Intent;
  /** Where its searches were counted, if that is not the older supplier's usual market. */
  market?: number;
};

type Intent = 'commercial' | 'informational';

/** E03c: a phrase of which nothing is known is kept without numbers. */
export const noData = { volume: null, difficulty: null, cpc: null, intent: 'informational' } as const;
