import type { SchemaTask } from './answers.ts';

export type TextTask = SchemaTask | 'description';
/** Their answers depend on the case that is played: services/trainer/ says of what shape. */
export type TrainerTask = 'trainer_turn' | 'trainer_review';
export type Task = TextTask | TrainerTask | 'image';

export type TaskSettings = {
  /** The first is asked; the router moves on to the next when it fails. */
  models: readonly [string, ...string[]];
  maxTokens: number;
  temperature?: number;
  timeoutMs: number;
  sort?: 'price' | 'throughput';
  /** USD per million tokens. */
  maxPrice?: { prompt: number; completion: number };
  reasoning?: boolean;
  searchContextSize?: 'high';
};

const deepseek = 'deepseek/deepseek-v3.2';
const claude = 'anthropic/claude-sonnet-4.5';
const gpt = 'openai/gpt-5.2';
const gemini = 'google/gemini-2.5-flash';

const USUAL_MS = 120_000;
const LONG_TEXT_MS = 180_000;

const budget = { models: [deepseek, gpt], sort: 'price', timeoutMs: USUAL_MS } as const;
const lively = { models: [deepseek, claude], sort: 'price', timeoutMs: USUAL_MS } as const;

const author = {
  maxTokens: 16_000,
  timeoutMs: LONG_TEXT_MS,
  sort: 'throughput',
  maxPrice: { prompt: 5, completion: 15 },
} as const;

/** Which models do what, within which limits. The one table. */
export const tasks: Readonly<Record<Task, TaskSettings>> = {
  article: { ...author, models: [claude, gpt, deepseek], temperature: 0.6 },
  article_outline: { ...budget, maxTokens: 3_000, temperature: 0.4 },
  // No weaker than the writer: a lesser model mends the remarks and spoils the rest.
  article_critique: { ...author, models: [claude, gpt], temperature: 0.3 },
  article_refresh: { ...author, models: [claude, gpt], temperature: 0.3 },
  article_revision: { ...author, models: [claude, gpt], temperature: 0.3 },
  article_research: {
    models: ['perplexity/sonar-pro-search'],
    maxTokens: 8_000,
    temperature: 0.3,
    timeoutMs: USUAL_MS,
    searchContextSize: 'high',
  },
  keyword_clusters: { ...budget, maxTokens: 12_000, temperature: 0.3 },
  keywords: { ...budget, maxTokens: 4_000, temperature: 0.5 },
  seed_normalize: { ...budget, maxTokens: 200, temperature: 0.1 },
  cross_post: { ...budget, maxTokens: 2_000, temperature: 0.7 },
  social_post: { ...lively, maxTokens: 2_000, temperature: 0.8 },
  review: { ...lively, maxTokens: 4_000, temperature: 0.9 },
  voice: { ...budget, maxTokens: 800, temperature: 0.3 },
  description: { ...lively, maxTokens: 1_000, temperature: 0.7 },
  competitor_analysis: { models: [gpt, claude], maxTokens: 4_000, temperature: 0.3, timeoutMs: USUAL_MS },
  site_profile: { ...budget, maxTokens: 3_000, temperature: 0.2, timeoutMs: 60_000 },
  image: {
    models: ['google/gemini-3.1-flash-image-preview', 'google/gemini-2.5-flash-image'],
    maxTokens: 4_000,
    timeoutMs: USUAL_MS,
  },
  image_director: {
    models: [deepseek, gemini],
    maxTokens: 2_000,
    temperature: 0.7,
    timeoutMs: USUAL_MS,
    sort: 'price',
    reasoning: true,
  },
  // A person waits in mid-conversation. Asked one by one, so that we know who spoke: services/trainer/ask-providers.ts.
  trainer_turn: { models: [gpt, gemini], maxTokens: 800, temperature: 0.8, timeoutMs: 30_000 },
  trainer_review: { models: [gpt, gemini], maxTokens: 2_500, temperature: 0.3, timeoutMs: 60_000 },
};
