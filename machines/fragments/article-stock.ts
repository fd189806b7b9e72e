import type { EventObject } from 'xstate';
import type { Misfit } from '../misfit.ts';
import { port } from '../ports.ts';
import type { ArticleOffer, ArticlePreview, ArticleSlice } from './article-work.ts';
import { sliceChange } from './change-slice.ts';
import { type KeywordOffer, type KeywordSearch, noKeywordAnswers } from './keyword-questions.ts';

/**
 * What a person has, as far as the way to an article goes: looked at anew after every choice, so that what was deleted
 * elsewhere is noticed, what there is one of is chosen, and what there is none of is made here.
 */
export type ArticleStock = {
  counts: { projects: number; sites: number; categories: number };
  project: { id: number; name: string; site: string | null } | null;
  /** Null also where only a preview is wanted. */
  site: { id: number; identifier: string } | null;
  category: { id: number; name: string } | null;
  /** Null until there is a category. */
  readiness: Readiness | null;
  keywords: KeywordOffer | null;
  /** Null: something is missing for it. */
  offer: ArticleOffer | null;
  /** The draft that was asked about. */
  preview: ArticlePreview | null;
  /** Chosen before, and no longer there. */
  gone: Gone | null;
};

export type Readiness = {
  phrases: number;
  hasDescription: boolean;
  hasPrices: boolean;
  /** How many texts this person has published so far. */
  publications: number;
};

export type KeptChoice = Pick<ArticleOffer, 'categoryId' | 'phrase' | 'volume' | 'reused' | 'images'>;

export type Gone = 'project' | 'site' | 'category' | 'draft';

export type TakeStockInput = {
  userId: number;
  isAdmin: boolean;
  /** Where nothing is chosen yet: what the last article was about. */
  repeats: boolean;
  projectId: number | null;
  connectionId: number | null;
  previewOnly: boolean;
  categoryId: number | null;
  /** What the person has before them is not exchanged behind their back. */
  keep: KeptChoice | null;
  draftId: number | null;
};

/** The part of the host's context that the stock fills. */
export type StockSlice = ArticleSlice & {
  isAdmin: boolean;
  repeats: boolean;
  projectId: number | null;
  projectName: string | null;
  ownSite: string | null;
  connectionId: number | null;
  siteName: string | null;
  previewOnly: boolean;
  categoryId: number | null;
  categoryName: string | null;
  counts: ArticleStock['counts'];
  readiness: Readiness | null;
  keywords: KeywordSearch;
  gone: Gone | null;
  misfit: Misfit | null;
  /** Of the list that is shown. */
  page: number;
  /** The checklist was opened by the person: it is not passed over. */
  checking: boolean;
  /** The person was asked whether they want to leave. */
  leaving: boolean;
};

export type StockEvent =
  | { type: 'project.chosen'; projectId: number }
  | { type: 'site.chosen'; connectionId: number }
  | { type: 'preview.chosen' }
  | { type: 'topic.chosen'; categoryId: number }
  | { type: 'page.turned'; page: number };

export const nothingChosen = {
  projectName: null,
  ownSite: null,
  siteName: null,
  categoryName: null,
  counts: { projects: 0, sites: 0, categories: 0 },
  readiness: null,
  gone: null,
  misfit: null,
  page: 1,
  checking: false,
  leaving: false,
} as const;

export const stockActors = { takeStock: port<ArticleStock, TakeStockInput>('takeStock') };

type InSlice = { context: StockSlice };
type Taken = { stock: ArticleStock };

export const stockGuards = {
  hasProject: ({ context }: InSlice) => context.projectId !== null,
  hasProjects: ({ context }: InSlice) => context.counts.projects > 0,
  hasNoProjects: ({ context }: InSlice) => context.counts.projects === 0,
  hasSite: ({ context }: InSlice) => context.connectionId !== null || context.previewOnly,
  hasCategory: ({ context }: InSlice) => context.categoryId !== null,
  hasCategories: ({ context }: InSlice) => context.counts.categories > 0,
  hasNoCategories: ({ context }: InSlice) => context.counts.categories === 0,
  hasOffer: ({ context }: InSlice) => context.offer !== null,
  /** Phrases are the only condition; a description is worth a word before the first article. */
  isReady: ({ context }: InSlice) =>
    context.offer !== null && !context.checking && context.readiness?.hasDescription === true,
  isDraftGone: ({ context }: InSlice, { stock }: Taken) => context.preview !== null && stock.preview === null,
  isDraftThere: (_: unknown, { stock }: Taken) => stock.preview !== null,
};

export const stockActions = <Context extends StockSlice, Event extends EventObject>() => {
  const change = sliceChange<StockSlice, Context, Event>();
  const choose = <Params>(chosen: (params: Params) => Partial<StockSlice>) =>
    change<Params>((_, params) => ({
      ...chosen(params),
      ...{ page: 1, gone: null, failure: null, misfit: null, repeats: false },
    }));
  const noTopic = { categoryId: null, categoryName: null, readiness: null, offer: null } as const;
  const noSite = { connectionId: null, siteName: null, previewOnly: false } as const;
  return {
    chooseProject: choose<{ projectId: number }>(({ projectId }) => ({ projectId, ...noSite, ...noTopic })),
    chooseSite: choose<{ connectionId: number }>(({ connectionId }) => ({
      ...noSite,
      connectionId,
      offer: null,
    })),
    choosePreview: choose(() => ({ ...noSite, previewOnly: true, offer: null })),
    chooseTopic: choose<{ categoryId: number }>(({ categoryId }) => ({ ...noTopic, categoryId })),
    reopenProject: choose(() => ({ projectId: null, ...noSite, ...noTopic })),
    reopenSite: choose(() => ({ ...noSite, ...noTopic })),
    reopenTopic: choose(() => ({ ...noTopic })),
    turnPage: change<{ page: number }>((_, { page }) => ({ page })),
    openChecklist: change(() => ({ checking: true, failure: null })),
    passChecklist: change(() => ({ checking: false, failure: null })),
    askToLeave: change(() => ({ leaving: true })),
    stay: change(() => ({ leaving: false })),
    rememberStock: change<Taken>(({ keywords, preview, ...before }, { stock }) => ({
      counts: stock.counts,
      projectId: stock.project?.id ?? null,
      projectName: stock.project?.name ?? null,
      ownSite: stock.project?.site ?? null,
      connectionId: stock.site?.id ?? null,
      siteName: stock.site?.identifier ?? null,
      previewOnly: before.previewOnly && stock.project !== null && stock.site === null,
      categoryId: stock.category?.id ?? null,
      categoryName: stock.category?.name ?? null,
      readiness: stock.readiness,
      offer: stock.offer,
      preview: stock.preview ?? preview,
      gone: stock.gone,
      ...{ leaving: false, misfit: null },
      // Answers about another category are no answers about this one.
      keywords: {
        ...keywords,
        ...(keywords.offer?.categoryId !== stock.category?.id && noKeywordAnswers),
        offer: stock.keywords,
      },
    })),
  };
};

export const stockInput = ({ context }: InSlice): TakeStockInput => {
  const { userId, isAdmin, repeats, projectId, connectionId, previewOnly, categoryId } = context;
  const { offer, preview } = context;
  return {
    ...{ userId, isAdmin, repeats, projectId, connectionId, previewOnly, categoryId },
    keep: offer && keptOf(offer),
    draftId: preview?.draftId ?? null,
  };
};

const keptOf = ({ categoryId, phrase, volume, reused, images }: ArticleOffer): KeptChoice => ({
  ...{ categoryId, phrase, volume, reused, images },
});
