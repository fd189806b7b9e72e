import type { RunStage } from '../../engine/operations.ts';
import { AiFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AskModel } from '../ai/ask.ts';
import { type Brief, companyVariables } from '../projects/brief.ts';
import type { Phrase } from '../quality/choose-cluster.ts';
import { makeAskClusters } from './ask-clusters.ts';
import { chooseSeeds } from './choose-seeds.ts';
import { enrichClusters } from './enrich-clusters.ts';
import { type FoundPhrases, type KeywordData, noData, type PhraseData } from './keyword-data.ts';
import type { KeywordSet } from './keyword-set.ts';
import { distinct, MOST_PHRASE_CHARS, phraseKey, tidyPhrase } from './phrase-text.ts';
import { placePhrases } from './place-phrases.ts';
import { byVolume } from './sum-clusters.ts';

export type KeywordOrder = {
  brief: Brief;
  /** The person's two answers. */
  products: string;
  geography: string;
  quantity: number;
  /** Keys of the phrases that the category has: they are neither looked for nor paid for again. */
  known: readonly string[];
  userId: number;
  /** Every paid step is a stage, so that a restart pays for none twice. */
  stage: RunStage;
  report: (step: 'fetching' | 'clustering' | 'enriching') => void;
  signal?: AbortSignal;
};

const RELATED_TO_TOP = 10;
const EXTRA_SHARE = 0.15;

export type GenerateKeywords = (order: KeywordOrder) => Promise<KeywordSet>;

/** Real searches first; models only group them. Without data (`dataForSeo` null, or E03a) a model invents a flat list. */
export function makeGenerateKeywords({
  dataForSeo,
  ask,
  log,
}: {
  dataForSeo: KeywordData | null;
  ask: AskModel;
  log: Log;
}): GenerateKeywords {
  const askClusters = makeAskClusters({ ask, log });

  return async (order) => {
    order.report('fetching');
    const fetched = dataForSeo && (await fetchPhrases(dataForSeo, order));
    return fetched ? group(dataForSeo, fetched, order) : invent(order);
  };

  async function fetchPhrases(data: KeywordData, order: KeywordOrder): Promise<FoundPhrases | null> {
    const { stage, userId, signal, quantity, known } = order;
    const seeds = await stage('seeds', () => seedsFor(order));
    const place = order.geography;
    const suggested = await stage('suggestions', () => data.suggestions(seeds, { userId, signal, place }));
    if (!suggested || suggested.phrases.length === 0) return null;

    const { market } = suggested;
    const top = best(suggested.phrases, [])
      .slice(0, RELATED_TO_TOP)
      .map(({ phrase }) => phrase);
    const related = await stage('related', () => data.related(top, { userId, signal, market }));
    const found = best([...suggested.phrases, ...(related?.phrases ?? [])], known);
    return { market, phrases: found.slice(0, quantity) };
  }

  async function group(
    data: KeywordData,
    { market, phrases }: FoundPhrases,
    order: KeywordOrder,
  ): Promise<KeywordSet> {
    const { stage, userId, signal, quantity } = order;
    if (phrases.length === 0) return { keywords: [], source: 'data', grouping: 'none', market: null };
    order.report('clustering');
    const extraCount = Math.ceil(quantity * EXTRA_SHARE);
    const answer = await stage('clusters', () => askClusters({ ...order, phrases, extraCount }));
    const groups = placePhrases(phrases, answer ?? [], extraCount);

    order.report('enriching');
    const all = groups.flatMap((cluster) => cluster.phrases.map(({ phrase }) => phrase));
    const numbers = await stage('volumes', () => data.volumes(all, { userId, signal, market }));
    return {
      keywords: enrichClusters(groups, numbers?.phrases ?? []),
      source: 'data',
      grouping: answer ? 'model' : 'words',
      market,
    };
  }

  /** Search wording for the jargon of a trade. A help, no more: without it the person's own words serve. */
  async function seedsFor(order: KeywordOrder): Promise<string[]> {
    const { brief, products, geography } = order;
    const { specialization, city } = brief.company;
    const variants = await searchWordings(order);
    return chooseSeeds({ products, specialization, geography: `${geography} ${city}`, variants });
  }

  async function searchWordings({ brief, products, geography, userId, signal }: KeywordOrder) {
    const variables = { ...companyVariables(brief), products, geography };
    try {
      return (await ask('seed_normalize', { variables, userId, signal })).content.variants;
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, userId }, 'seeds were not reworded');
      return [];
    }
  }

  async function invent(order: KeywordOrder): Promise<KeywordSet> {
    const { brief, products, geography, quantity, known, userId, signal, stage } = order;
    const keywords = await stage('invented', async () => {
      const variables = { ...companyVariables(brief), quantity, products, geography };
      const { content } = await ask('keywords', { variables, userId, signal });
      return invented(content.keywords, known).slice(0, quantity);
    });
    return { keywords, source: 'ai', grouping: 'none', market: null };
  }
}

/** The same search may come from several seeds, once with numbers and once without. */
const best = (phrases: readonly PhraseData[], known: readonly string[]): PhraseData[] =>
  unknown(
    distinct(phrases.toSorted(byVolume), ({ phrase }) => phrase),
    known,
  ).map((data) => ({ ...data, phrase: tidyPhrase(data.phrase) }));

function invented(
  answered: readonly { phrase: string; intent: string }[],
  known: readonly string[],
): Phrase[] {
  const phrases = distinct(answered, ({ phrase }) => phrase)
    .map(({ phrase, intent }) => ({ ...noData, phrase: tidyPhrase(phrase), intent, ai_suggested: true }))
    .filter(({ phrase }) => phrase.length <= MOST_PHRASE_CHARS);
  if (phrases.length === 0) throw new AiFailed('unusable', 'keywords: not one usable phrase');
  return unknown(phrases, known);
}

function unknown<Item extends { phrase: string }>(items: readonly Item[], known: readonly string[]): Item[] {
  const keys = new Set(known);
  return items.filter(({ phrase }) => !keys.has(phraseKey(phrase)));
}
