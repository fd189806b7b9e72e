import type { EventObject } from 'xstate';
import type { Failure } from '../failure.ts';
import type { Misfit } from '../misfit.ts';
import { sliceChange } from './change-slice.ts';
import { type KeywordOffer, type KeywordSearch, noKeywordAnswers } from './keyword-questions.ts';

/**
 * What a person has, as far as the way to any text goes: looked at anew after every choice, so that what was deleted
 * elsewhere is noticed, what there is one of is chosen, and what there is none of is made here. Where the text goes is
 * for each pipeline to add.
 */
export type PipelineStock = {
  counts: { projects: number; categories: number };
  project: { id: number; name: string; site: string | null } | null;
  category: { id: number; name: string } | null;
  /** Null until there is a category. */
  readiness: Readiness | null;
  keywords: KeywordOffer | null;
};

export type Readiness = {
  phrases: number;
  hasDescription: boolean;
  hasPrices: boolean;
  /** How many texts this person has published so far. */
  publications: number;
};

/** The part of the host's context that both pipelines share. */
export type PipelineSlice = {
  userId: number;
  isAdmin: boolean;
  /** Begins with what the last text of the kind was about, where that is still there. */
  repeats: boolean;
  projectId: number | null;
  projectName: string | null;
  connectionId: number | null;
  categoryId: number | null;
  categoryName: string | null;
  counts: PipelineStock['counts'];
  readiness: Readiness | null;
  keywords: KeywordSearch;
  gone: string | null;
  misfit: Misfit | null;
  failure: Failure | null;
  /** Of the list that is shown. */
  page: number;
  /** The checklist was opened by the person: it is not passed over. */
  checking: boolean;
  /** The person was asked whether they want to leave. */
  leaving: boolean;
};

export type ChoiceEvent =
  | { type: 'project.chosen'; projectId: number }
  | { type: 'topic.chosen'; categoryId: number }
  | { type: 'page.turned'; page: number };

export const nothingChosenYet = {
  projectName: null,
  categoryName: null,
  readiness: null,
  gone: null,
  misfit: null,
  page: 1,
  checking: false,
  leaving: false,
} as const;

/** After any choice: the next list begins at its first page, and what was wrong before is settled. */
export const choiceMade = { page: 1, gone: null, failure: null, misfit: null, repeats: false } as const;

type InSlice = { context: PipelineSlice };

export const choiceGuards = {
  hasProject: ({ context }: InSlice) => context.projectId !== null,
  hasProjects: ({ context }: InSlice) => context.counts.projects > 0,
  hasNoProjects: ({ context }: InSlice) => context.counts.projects === 0,
  hasCategory: ({ context }: InSlice) => context.categoryId !== null,
  hasCategories: ({ context }: InSlice) => context.counts.categories > 0,
  hasNoCategories: ({ context }: InSlice) => context.counts.categories === 0,
};

export const choiceActions = <Context extends PipelineSlice, Event extends EventObject>() => {
  const change = sliceChange<PipelineSlice, Context, Event>();
  return {
    turnPage: change<{ page: number }>((_, { page }) => ({ page })),
    openChecklist: change(() => ({ checking: true, failure: null })),
    passChecklist: change(() => ({ checking: false, failure: null })),
    askToLeave: change(() => ({ leaving: true })),
    stay: change(() => ({ leaving: false })),
  };
};

/** What the shared slice becomes by a look around. */
export const stockTaken = (
  { keywords }: Pick<PipelineSlice, 'keywords'>,
  { counts: { projects, categories }, project, category, readiness, ...stock }: PipelineStock,
) => ({
  counts: { projects, categories },
  projectId: project?.id ?? null,
  projectName: project?.name ?? null,
  categoryId: category?.id ?? null,
  categoryName: category?.name ?? null,
  readiness,
  ...{ leaving: false, misfit: null },
  // Answers about another category are no answers about this one.
  keywords: {
    ...keywords,
    ...(keywords.offer?.categoryId !== category?.id && noKeywordAnswers),
    offer: stock.keywords,
  },
});
