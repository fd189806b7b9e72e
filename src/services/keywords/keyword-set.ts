import type { Keywords } from '../quality/choose-cluster.ts';

/** What a generation or an upload ends with. */
export type KeywordSet = {
  keywords: Keywords;
  /** `ai`: invented, without volumes (E03a); `file`: the person's own, without volumes (E03b). */
  source: 'data' | 'ai' | 'file';
  /** `words`: the model failed, shared words decided; `category`: all in one cluster (X17); `none`: a flat list. */
  grouping: 'model' | 'words' | 'category' | 'none';
  /** Location code of the country whose searches were counted; null when no volume is known. */
  market: number | null;
};
