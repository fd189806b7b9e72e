import type { AspectRatio, PictureSize } from '../../content-settings.ts';
import type { AnswerTo } from './answers.ts';
import type { Task, TextTask } from './tasks.ts';

/** How services speak to models. The real thing is ask-model.ts; a test fills in its own. */

/** What a prompt is filled with. Strings of people and of the web are cleaned of template marks on the way. */
export type Variables = Readonly<Record<string, Variable>>;
export type Variable =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Variable[]
  | { readonly [name: string]: Variable };

type Asking = { variables: Variables; userId: number; signal?: AbortSignal };

export type Answer<Content> = {
  content: Content;
  modelUsed: string;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  generationTimeMs: number;
  /** As `article_v7`. */
  promptVersion: string;
  fallbackUsed: boolean;
};

export type AskModel = <Task extends TextTask>(task: Task, asking: Asking) => Promise<Answer<AnswerTo<Task>>>;

export type DrawPicture = (
  drawing: Asking & {
    aspectRatio: AspectRatio;
    size: PictureSize;
    /** Addresses or data URIs of pictures whose manner is to be taken. */
    references?: readonly string[];
  },
) => Promise<Answer<Buffer>>;

/** A prompt filled in. `system` carries nothing of the single case, so that it can be cached by the provider. */
export type RenderedPrompt = { system: string | null; user: string; version: string };
export type RenderPrompt = (task: Task, variables: Variables) => Promise<RenderedPrompt>;

/** One row of `token_expenses` for a call to a supplier: costs us dollars and the person nothing. */
export type ApiCost = {
  userId: number;
  operation: 'api_openrouter' | 'api_dataforseo' | 'api_firecrawl' | 'api_pagespeed' | 'api_yandex';
  costUsd: number;
  description: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
};
export type NoteCost = (cost: ApiCost) => Promise<void>;
