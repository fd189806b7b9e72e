import { pino } from 'pino';
import type { RunStage } from '../../../src/engine/operations.ts';
import type { AnswerTo } from '../../../src/services/ai/answers.ts';
import type { AskModel, Variables } from '../../../src/services/ai/ask.ts';
import type { FoundPhrases, KeywordData, PhraseData } from '../../../src/services/keywords/keyword-data.ts';
import type { Brief } from '../../../src/services/projects/brief.ts';

export const silent = pino({ level: 'silent' });

export const brief: Brief = {
  company: {
    name: 'Сладкий дом',
    specialization: 'кондитерская на дому',
    description: '',
    experience: '',
    advantages: '',
    city: 'Казань',
    phone: '',
    websiteUrl: '',
    telegram: '',
    vk: '',
    pinterest: '',
  },
  topic: { name: 'Торты на заказ', description: '', prices: '', reviews: [] },
};

export const data = (
  phrase: string,
  volume: number | null = 0,
  difficulty: number | null = 10,
): PhraseData => ({
  phrase,
  volume,
  difficulty,
  cpc: 0.1,
  intent: 'informational',
});

type KeywordTask = 'keyword_clusters' | 'keywords' | 'seed_normalize';
type Script = { [Task in KeywordTask]?: AnswerTo<Task> | Error | ((variables: Variables) => AnswerTo<Task>) };

/** A model that answers by the script, and remembers what it was asked. */
export function scriptedModel(script: Script) {
  const asked: { task: string; variables: Variables }[] = [];
  const ask = (async (task: KeywordTask, { variables }: { variables: Variables }) => {
    asked.push({ task, variables });
    const said = script[task];
    if (said === undefined) throw new Error(`nobody expected ${task}`);
    if (said instanceof Error) throw said;
    return { content: typeof said === 'function' ? said(variables) : said };
  }) as unknown as AskModel;
  return { ask, asked };
}

/** A supplier with fixed answers; null is an outage. Remembers what it was asked. */
export function fixedData(answers: Partial<Record<keyof KeywordData, FoundPhrases | null>>) {
  const asked: { call: string; phrases: readonly string[]; market: number | null | undefined }[] = [];
  const answer =
    (call: keyof KeywordData): KeywordData['volumes'] =>
    async (phrases, { market }) => {
      asked.push({ call, phrases, market });
      return answers[call] ?? null;
    };
  const source: KeywordData = {
    suggestions: answer('suggestions'),
    related: answer('related'),
    volumes: answer('volumes'),
  };
  return { source, asked };
}

/** Stages that outlive a failed run, as JSON does. */
export function lastingStages() {
  const results = new Map<string, string>();
  const stage: RunStage = async (name, work) => {
    if (!results.has(name)) results.set(name, JSON.stringify(await work()));
    return JSON.parse(results.get(name)!);
  };
  return { stage, names: () => [...results.keys()] };
}
