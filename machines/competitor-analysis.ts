import { assign, setup } from 'xstate';
import { type Failure, failedTheSame, isRefusal } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived, TokensCredited } from './flow-input.ts';
import { creditedActions, hearsOfTokens } from './fragments/tokens-credited.ts';
import { port } from './ports.ts';
import { fitsProjectField, projectFieldValue } from './project-fields.ts';

/** For whom a competitor is looked at, and for how much: loaded before the first question. */
export type AnalysisOffer = {
  projectId: number;
  projectName: string;
  /** Where gaps could become phrases, the newest first. */
  categories: { id: number; name: string }[];
  price: number;
  balance: number;
  isAdmin: boolean;
};

export type ReachPageInput = { url: string };
export type AnalyseCompetitorInput = {
  key: string;
  userId: number;
  projectId: number;
  url: string;
  /** What the person has agreed to pay. */
  price: number;
};
export type AddGapsInput = { key: string; userId: number; analysisId: number; categoryId: number };

/** What was found and is already stored with the project. */
export type CompetitorReport = {
  analysisId: number;
  url: string;
  positioning: string;
  strengths: string[];
  gaps: string[];
  recommendations: string[];
  /** Tokens that were charged; 0 for an admin. */
  spent: number;
};
export type GapsAdded = { categoryId: number; categoryName: string; added: number };

type Context = FlowInput &
  AnalysisOffer & {
    url: string | null;
    /** The latest answer is not an address. */
    isWrong: boolean;
    stage: string | null;
    late: boolean;
    /** Every agreement to pay, and every list of topics that is added, has a key of its own. */
    attempts: number;
    report: CompetitorReport | null;
    /** The category that gaps go to now, and where they went. */
    categoryId: number | null;
    added: GapsAdded | null;
    failure: Failure | null;
  };
type Event =
  | TextReceived
  | Cancelled
  | TokensCredited
  | { type: 'address.reopened' }
  | { type: 'cost.accepted' }
  | { type: 'progress.made'; stage: string }
  | { type: 'work.delayed' }
  | { type: 'gaps.wanted'; categoryId: number }
  | { type: 'report.kept' };
type Answered = { text: string };

const delayed = { 'work.delayed': { actions: 'rememberDelay' } } as const;

export const competitorAnalysisMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & AnalysisOffer; tags: 'busy' },
  actors: {
    reachPage: port<null, ReachPageInput>('reachPage'),
    analyseCompetitor: port<CompetitorReport, AnalyseCompetitorInput>('analyseCompetitor'),
    addGaps: port<GapsAdded, AddGapsInput>('addGaps'),
  },
  guards: {
    isAddress: (_, { text }: Answered) => fitsProjectField('website_url', text),
    isOwnCategory: ({ context }, { categoryId }: { categoryId: number }) =>
      context.categories.some(({ id }) => id === categoryId),
    isRefusal,
  },
  actions: {
    ...creditedActions<Context, Event>(),
    rememberAddress: assign({
      url: (_, { text }: Answered) => projectFieldValue('website_url', text),
      isWrong: false,
      failure: null,
    }),
    rejectAddress: assign({ isWrong: true, failure: null }),
    beginWork: assign({
      attempts: ({ context }) => context.attempts + 1,
      stage: null,
      late: false,
    }),
    rememberStage: assign({ stage: (_, { stage }: { stage: string }) => stage }),
    rememberDelay: assign({ late: true }),
    rememberReport: assign({
      report: (_, { report }: { report: CompetitorReport }) => report,
      failure: null,
    }),
    rememberCategory: assign({
      attempts: ({ context }) => context.attempts + 1,
      categoryId: (_, { categoryId }: { categoryId: number }) => categoryId,
    }),
    rememberAdded: assign({ added: (_, { added }: { added: GapsAdded }) => added, failure: null }),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedTheSame(context.failure, error),
    }),
    forgetFailure: assign({ failure: null, isWrong: false }),
  },
}).createMachine({
  id: 'CompetitorAnalysis',
  context: ({ input }) => ({
    ...input,
    url: null,
    isWrong: false,
    stage: null,
    late: false,
    attempts: 0,
    report: null,
    categoryId: null,
    added: null,
    failure: null,
  }),
  initial: 'url',
  states: {
    url: {
      on: {
        'text.received': [
          {
            guard: { type: 'isAddress', params: ({ event }) => event },
            target: 'url_checking',
            actions: { type: 'rememberAddress', params: ({ event }) => event },
          },
          { actions: 'rejectAddress' },
        ],
        cancelled: 'cancelled',
      },
    },
    url_checking: {
      tags: 'busy',
      invoke: {
        id: 'reachPage',
        src: 'reachPage',
        input: ({ context }) => ({ url: context.url! }),
        onDone: 'confirm',
        onError: { target: 'url', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    confirm: {
      on: {
        'cost.accepted': { target: 'analyzing', actions: 'beginWork' },
        'address.reopened': { target: 'url', actions: 'forgetFailure' },
        ...hearsOfTokens,
        cancelled: 'cancelled',
      },
    },
    analyzing: {
      tags: 'busy',
      on: {
        'progress.made': { actions: { type: 'rememberStage', params: ({ event }) => event } },
        ...delayed,
      },
      invoke: {
        id: 'analyseCompetitor',
        src: 'analyseCompetitor',
        input: ({ context: { run, attempts, userId, projectId, url, price } }) => ({
          key: `${run}:analyseCompetitor:${attempts}`,
          userId,
          projectId,
          url: url!,
          price,
        }),
        onDone: {
          target: 'results',
          actions: { type: 'rememberReport', params: ({ event }) => ({ report: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isRefusal', params: ({ event }) => event },
            target: 'confirm',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
          { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    results: {
      on: {
        'gaps.wanted': {
          guard: { type: 'isOwnCategory', params: ({ event }) => event },
          target: 'results_adding',
          actions: { type: 'rememberCategory', params: ({ event }) => event },
        },
        'report.kept': 'kept',
        cancelled: 'left',
      },
    },
    results_adding: {
      tags: 'busy',
      invoke: {
        id: 'addGaps',
        src: 'addGaps',
        input: ({ context: { run, attempts, userId, report, categoryId } }) => ({
          key: `${run}:addGaps:${attempts}`,
          userId,
          analysisId: report!.analysisId,
          categoryId: categoryId!,
        }),
        onDone: {
          target: 'results',
          actions: { type: 'rememberAdded', params: ({ event }) => ({ added: event.output }) },
        },
        onError: { target: 'results', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    kept: { type: 'final' },
    left: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
