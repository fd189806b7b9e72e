import { assign, setup } from 'xstate';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput, TokensCredited, WorkEvent } from './flow-input.ts';
import {
  type KeywordEvent,
  type KeywordOffer,
  keywordActions,
  keywordGuards,
  keywordQuestions,
  newKeywordSearch,
} from './fragments/keyword-questions.ts';
import {
  type KeywordWorkSlice,
  keywordActors,
  keywordWork,
  keywordWorkActions,
  keywordWorkFromCharge,
  keywordWorkGuards,
} from './fragments/keyword-work.ts';
import { hearsOfTokens } from './fragments/tokens-credited.ts';

type Context = KeywordWorkSlice;
type Event =
  | KeywordEvent
  | WorkEvent
  | Cancelled
  | TokensCredited
  | { type: 'answers.reopened' }
  | { type: 'cost.accepted' };

const ends = { done: 'results', failed: 'failed' } as const;
const working = keywordWork(ends);

export const keywordGenerationMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & KeywordOffer; tags: 'busy' },
  actors: keywordActors,
  guards: {
    ...keywordGuards,
    ...keywordWorkGuards,
    isClustering: (_, { stage }: { stage: string }) => stage === 'clustering',
    isEnriching: (_, { stage }: { stage: string }) => stage === 'enriching',
  },
  actions: {
    ...keywordActions<Context, Event>(),
    ...keywordWorkActions<Context, Event>(),
    forgetFailure: assign({ failure: null }),
  },
}).createMachine({
  id: 'KeywordGeneration',
  context: ({ input: { run, userId, origin, ...offer } }) => ({
    run,
    userId,
    origin,
    keywords: newKeywordSearch(offer),
    misfit: null,
    late: false,
    failure: null,
  }),
  initial: 'products',
  states: {
    ...keywordQuestions({
      products: 'products',
      geography: 'geography',
      quantity: 'quantity',
      asked: 'quantity',
      done: 'confirm',
      ways: { cancelled: 'cancelled' },
    }),
    confirm: {
      on: {
        'cost.accepted': { target: 'fetching', actions: 'beginKeywords' },
        'answers.reopened': { target: 'products', actions: 'forgetFailure' },
        ...hearsOfTokens,
        cancelled: 'cancelled',
      },
    },
    fetching: {
      ...keywordWorkFromCharge({ ...ends, refused: 'confirm' }),
      on: {
        // Progress is told in steps that a person can read: a stage may have come and gone unheard.
        'progress.made': [
          { guard: { type: 'isClustering', params: ({ event }) => event }, target: 'clustering' },
          { guard: { type: 'isEnriching', params: ({ event }) => event }, target: 'enriching' },
        ],
        'work.delayed': { actions: 'rememberDelay' },
      },
    },
    clustering: {
      ...working,
      on: {
        'progress.made': {
          guard: { type: 'isEnriching', params: ({ event }) => event },
          target: 'enriching',
        },
        'work.delayed': { actions: 'rememberDelay' },
      },
    },
    enriching: {
      ...working,
      on: { 'work.delayed': { actions: 'rememberDelay' } },
    },
    failed: {
      on: {
        'cost.accepted': { target: 'fetching', actions: 'beginKeywords' },
        ...hearsOfTokens,
        cancelled: 'left',
      },
    },
    results: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** Version 2 kept the answers side by side with everything else. */
export const keywordSearchGathered: Migration = ({ state, context }) => {
  const { run, userId, origin, misfit, late, failure, ...search } = context;
  const { products, geography, quantity, attempts, found, ...offer } = search;
  const keywords = { offer, products, geography, quantity, attempts, stage: null, found };
  return { state, context: { run, userId, origin, keywords, misfit, late, failure } };
};
