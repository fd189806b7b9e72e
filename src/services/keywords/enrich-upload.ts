import type { RunStage } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';
import type { AskModel } from '../ai/ask.ts';
import type { Brief } from '../projects/brief.ts';
import { makeAskClusters } from './ask-clusters.ts';
import { type KeywordData, noData, type PhraseData } from './keyword-data.ts';
import type { KeywordSet } from './keyword-set.ts';
import { phraseKey } from './phrase-text.ts';
import { placePhrases } from './place-phrases.ts';
import { type Group, sumClusters } from './sum-clusters.ts';

export type UploadedPhrases = {
  brief: Brief;
  /** As read-phrases.ts gives them. */
  phrases: readonly string[];
  userId: number;
  stage: RunStage;
  report: (step: 'enriching' | 'clustering') => void;
  signal?: AbortSignal;
};

export type EnrichUpload = (upload: UploadedPhrases) => Promise<KeywordSet>;

/** The person's own list: numbers first, then clusters. None of its phrases is lost and none is added. */
export function makeEnrichUpload({
  dataForSeo,
  ask,
  log,
}: {
  dataForSeo: KeywordData | null;
  ask: AskModel;
  log: Log;
}): EnrichUpload {
  const askClusters = makeAskClusters({ ask, log });

  return async ({ brief, phrases: texts, userId, stage, report, signal }) => {
    report('enriching');
    const known = await stage(
      'volumes',
      async () => dataForSeo?.volumes(texts, { userId, signal, place: brief.company.city }) ?? null,
    );
    const phrases = withKnown(texts, known?.phrases ?? []);
    if (!known) return { keywords: phrases, source: 'file', grouping: 'none', market: null };

    report('clustering');
    const { topic, company } = brief;
    const answer = await stage('clusters', () =>
      askClusters({
        brief,
        phrases,
        extraCount: 0,
        products: topic.name,
        // The prompt cannot do without one, and a company need not have told its city.
        geography: company.city || 'Россия',
        userId,
        signal,
      }),
    );
    const groups = answer ? placePhrases(phrases, answer, 0) : [oneCluster(topic.name, phrases)];
    return {
      keywords: sumClusters(groups),
      source: 'data',
      grouping: answer ? 'model' : 'category',
      market: known.market,
    };
  };
}

function withKnown(texts: readonly string[], known: readonly PhraseData[]): PhraseData[] {
  const numbers = new Map(known.map((data) => [phraseKey(data.phrase), data]));
  return texts.map((phrase) => ({ ...(numbers.get(phraseKey(phrase)) ?? noData), phrase }));
}

/** X17. */
const oneCluster = (category: string, phrases: readonly PhraseData[]): Group => ({
  cluster_name: category,
  cluster_type: 'article',
  main_phrase: '',
  phrases: phrases.map((phrase) => ({ ...phrase, ai_suggested: false })),
});
