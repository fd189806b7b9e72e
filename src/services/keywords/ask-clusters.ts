import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AskModel } from '../ai/ask.ts';
import { type Brief, companyVariables } from '../projects/brief.ts';
import type { PhraseData } from './keyword-data.ts';
import type { ModelClusters } from './place-phrases.ts';

type ClusterQuestion = {
  brief: Brief;
  phrases: readonly PhraseData[];
  extraCount: number;
  products: string;
  geography: string;
  userId: number;
  signal?: AbortSignal;
};

/** The model's grouping; null when no model gave one (E12). The phrases are bought by then and must not be lost. */
export function makeAskClusters({ ask, log }: { ask: AskModel; log: Log }) {
  return async ({
    brief,
    phrases,
    extraCount,
    products,
    geography,
    userId,
    signal,
  }: ClusterQuestion): Promise<ModelClusters | null> => {
    const variables = {
      ...companyVariables(brief),
      products,
      geography,
      raw_count: phrases.length,
      raw_keywords_json: JSON.stringify(phrases.map(({ phrase, volume }) => ({ phrase, volume }))),
      extra_count: extraCount,
    };
    try {
      return (await ask('keyword_clusters', { variables, userId, signal })).content.clusters;
    } catch (err) {
      signal?.throwIfAborted();
      if (!(err instanceof AppError)) throw err;
      log.warn({ err, userId }, 'keywords were not clustered by a model');
      return null;
    }
  };
}
