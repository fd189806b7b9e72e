import { assign, setup } from 'xstate';
import { type Failure, toFailure } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import { lengthMisfit, type Misfit } from './misfit.ts';
import { port } from './ports.ts';
import { tidy } from './project-fields.ts';

export const keywordQuantities = [50, 100, 150, 200] as const;

/** What phrases are sought for, and for how much each: loaded before the first question. */
export type KeywordOffer = {
  categoryId: number;
  categoryName: string;
  /** Of the company, when it is known already. */
  city: string | null;
  pricePerPhrase: number;
  balance: number;
  isAdmin: boolean;
};

export type GenerateKeywordsInput = {
  key: string;
  userId: number;
  categoryId: number;
  products: string;
  geography: string;
  quantity: number;
  /** What the person has agreed to pay at most. */
  price: number;
};

/** What was found and is already saved. */
export type KeywordsFound = {
  clusters: number;
  phrases: number;
  /** Those that the category did not have before. */
  added: number;
  /** `ai`: invented, without search volumes; `file`: the person's own. */
  source: 'data' | 'ai' | 'file';
  /** What put the phrases into groups: a model, shared words, the category they are all of, or nothing. */
  grouping: 'model' | 'words' | 'category' | 'none';
  /** Location code of the country whose searches were counted. */
  market: number | null;
  spent: number;
  returned: number;
};

type Context = FlowInput &
  KeywordOffer & {
    products: string | null;
    geography: string | null;
    quantity: number | null;
    misfit: Misfit | null;
    late: boolean;
    /** Every agreement to pay has a key of its own. */
    attempts: number;
    found: KeywordsFound | null;
    failure: Failure | null;
  };
type Event =
  | TextReceived
  | Cancelled
  | { type: 'category.chosen' }
  | { type: 'city.chosen' }
  | { type: 'place.chosen'; place: string }
  | { type: 'answer.kept' }
  | { type: 'quantity.chosen'; quantity: number }
  | { type: 'answers.reopened' }
  | { type: 'cost.accepted' }
  | { type: 'progress.made'; stage: string }
  | { type: 'work.delayed' };
type Answered = { text: string };

const flow = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & KeywordOffer; tags: 'busy' },
  actors: {
    generateKeywords: port<KeywordsFound, GenerateKeywordsInput>('generateKeywords'),
  },
  guards: {
    isProducts: (_, { text }: Answered) => productsMisfit(text) === null,
    isGeography: (_, { text }: Answered) => geographyMisfit(text) === null,
    isQuantity: (_, { quantity }: { quantity: number }) =>
      keywordQuantities.some((offered) => offered === quantity),
    hasProducts: ({ context }) => context.products !== null,
    hasGeography: ({ context }) => context.geography !== null,
    hasCity: ({ context }) => context.city !== null,
    isClustering: (_, { stage }: { stage: string }) => stage === 'clustering',
    isEnriching: (_, { stage }: { stage: string }) => stage === 'enriching',
    /** Nothing was charged and nothing asked for: the question stands. */
    isRefusal: (_, { error }: { error: unknown }) =>
      ['OUT_OF_TOKENS', 'RATE_LIMIT'].includes(toFailure(error).code),
  },
  actions: {
    rememberProducts: assign({ products: (_, { text }: Answered) => tidyLines(text), misfit: null }),
    takeCategoryName: assign({ products: ({ context }) => context.categoryName, misfit: null }),
    rememberGeography: assign({ geography: (_, { text }: Answered) => tidy(text), misfit: null }),
    takeCity: assign({ geography: ({ context }) => context.city, misfit: null }),
    keepAnswer: assign({ misfit: null }),
    rejectProducts: assign({ misfit: (_, { text }: Answered) => productsMisfit(text) }),
    rejectGeography: assign({ misfit: (_, { text }: Answered) => geographyMisfit(text) }),
    rememberQuantity: assign({ quantity: (_, { quantity }: { quantity: number }) => quantity }),
    beginWork: assign({
      attempts: ({ context }) => context.attempts + 1,
      late: false,
      failure: null,
    }),
    rememberDelay: assign({ late: true }),
    rememberFound: assign({ found: (_, { found }: { found: KeywordsFound }) => found }),
    rememberFailure: assign({ failure: (_, { error }: { error: unknown }) => toFailure(error) }),
    forgetFailure: assign({ failure: null }),
  },
});

/**
 * One piece of work under one key, whichever of its three states is stored: a restored snapshot asks for the same
 * thing again, and the work goes on behind its finished stages.
 */
const working = flow.createStateConfig({
  tags: 'busy',
  invoke: {
    id: 'generateKeywords',
    src: 'generateKeywords',
    input: ({ context }) => ({
      key: `${context.run}:generateKeywords:${context.attempts}`,
      userId: context.userId,
      categoryId: context.categoryId,
      products: context.products!,
      geography: context.geography!,
      quantity: context.quantity!,
      price: context.quantity! * context.pricePerPhrase,
    }),
    onDone: {
      target: 'results',
      actions: { type: 'rememberFound', params: ({ event }) => ({ found: event.output }) },
    },
    onError: { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
  },
});

/** The charge comes before everything else: later it can no longer be refused. */
const beginning = flow.createStateConfig({
  ...working,
  invoke: {
    ...working.invoke,
    onError: [
      {
        guard: { type: 'isRefusal', params: ({ event }) => event },
        target: 'confirm',
        actions: { type: 'rememberFailure', params: ({ event }) => event },
      },
      { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
    ],
  },
});

export const keywordGenerationMachine = flow.createMachine({
  id: 'KeywordGeneration',
  context: ({ input }) => ({
    ...input,
    products: null,
    geography: null,
    quantity: null,
    misfit: null,
    late: false,
    attempts: 0,
    found: null,
    failure: null,
  }),
  initial: 'products',
  states: {
    products: {
      on: {
        'text.received': [
          {
            guard: { type: 'isProducts', params: ({ event }) => event },
            target: 'geography',
            actions: { type: 'rememberProducts', params: ({ event }) => event },
          },
          { actions: { type: 'rejectProducts', params: ({ event }) => event } },
        ],
        'category.chosen': { target: 'geography', actions: 'takeCategoryName' },
        'answer.kept': { guard: 'hasProducts', target: 'geography', actions: 'keepAnswer' },
        cancelled: 'cancelled',
      },
    },
    geography: {
      on: {
        'text.received': [
          {
            guard: { type: 'isGeography', params: ({ event }) => event },
            target: 'quantity',
            actions: { type: 'rememberGeography', params: ({ event }) => event },
          },
          { actions: { type: 'rejectGeography', params: ({ event }) => event } },
        ],
        'city.chosen': { guard: 'hasCity', target: 'quantity', actions: 'takeCity' },
        'place.chosen': {
          target: 'quantity',
          actions: { type: 'rememberGeography', params: ({ event }) => ({ text: event.place }) },
        },
        'answer.kept': { guard: 'hasGeography', target: 'quantity', actions: 'keepAnswer' },
        cancelled: 'cancelled',
      },
    },
    quantity: {
      on: {
        'quantity.chosen': {
          guard: { type: 'isQuantity', params: ({ event }) => event },
          target: 'confirm',
          actions: { type: 'rememberQuantity', params: ({ event }) => event },
        },
        cancelled: 'cancelled',
      },
    },
    confirm: {
      on: {
        'cost.accepted': { target: 'fetching', actions: 'beginWork' },
        'answers.reopened': { target: 'products', actions: 'forgetFailure' },
        cancelled: 'cancelled',
      },
    },
    fetching: {
      ...beginning,
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
      on: { 'cost.accepted': { target: 'fetching', actions: 'beginWork' }, cancelled: 'left' },
    },
    results: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** A list stays a list: a line of it is one kind of goods. */
const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map(tidy)
    .filter((line) => line !== '')
    .join('\n');

const productsMisfit = (text: string): Misfit | null => wordsMisfit(tidyLines(text), 3, 1_000);
const geographyMisfit = (text: string): Misfit | null => wordsMisfit(tidy(text), 2, 200);

const wordsMisfit = (text: string, min: number, max: number): Misfit | null =>
  lengthMisfit(text, min, max) ?? (/[\p{L}\p{N}]/u.test(text) ? null : 'wrong-format');
