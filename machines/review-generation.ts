import { assign, setup } from 'xstate';
import { failedTheSame } from './failure.ts';
import type { Cancelled, FlowInput, TokensCredited } from './flow-input.ts';
import {
  type CreditedSlice,
  creditedActions,
  creditedGuards,
  hearsIfShort,
  hearsOfTokens,
} from './fragments/tokens-credited.ts';
import { port } from './ports.ts';

export const reviewQuantities = [3, 5, 10] as const;
export type ReviewQuantity = (typeof reviewQuantities)[number];

/** Another set is written this often without a charge. */
export const freeReviewSets = 2;

/** Whose reviews are to be written, and for how much each: shown before anything is charged. */
export type ReviewOffer = {
  categoryId: number;
  categoryName: string;
  pricePerReview: number;
  balance: number;
  isAdmin: boolean;
};

/** Written to show what customers could say. Never to be published as what they said. */
export type SampleReview = {
  author: string;
  /** YYYY-MM-DD */
  date: string;
  rating: number;
  text: string;
  pros: string;
  cons: string;
  sample: true;
};

/** `missing`: how many of those asked for did not come; they are not paid for. */
export type ReviewSet = {
  reviews: SampleReview[];
  missing: number;
  warnings: string[];
  spent: number;
  /** After the charge. */
  balance: number;
};

export type WriteReviewsInput = {
  key: string;
  userId: number;
  categoryId: number;
  quantity: ReviewQuantity;
  price: number;
  /** Texts of the set that was declined: the next one is to differ. */
  previous: string[];
};
export type SaveReviewsInput = { key: string; userId: number; categoryId: number; reviews: SampleReview[] };

type Context = FlowInput &
  CreditedSlice & {
    offer: ReviewOffer;
    quantity: ReviewQuantity | null;
    written: ReviewSet | null;
    /** The attempt that wrote the present set. */
    writtenIn: number;
    /** Sets after the first. One that failed does not count. */
    regenerations: number;
    /** For all sets together. */
    spent: number;
    /** Every try has a key of its own. */
    attempts: number;
    late: boolean;
  };
type Event =
  | Cancelled
  | TokensCredited
  | { type: 'quantity.chosen'; quantity: number }
  | { type: 'quantity.reopened' }
  | { type: 'cost.accepted' }
  | { type: 'draft.approved' }
  | { type: 'draft.declined' }
  | { type: 'work.delayed' };

type Counted = Pick<Context, 'offer' | 'quantity' | 'regenerations'>;
export const reviewPrice = ({ offer, quantity }: Counted): number => quantity! * offer.pricePerReview;
/** Of the next set; 0 while it is free. The price of the first holds for all. */
export const nextReviewPrice = (context: Counted): number =>
  context.regenerations < freeReviewSets ? 0 : reviewPrice(context);

const flow = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & ReviewOffer; tags: 'busy' },
  actors: {
    writeReviews: port<ReviewSet, WriteReviewsInput>('writeReviews'),
    saveReviews: port<null, SaveReviewsInput>('saveReviews'),
  },
  guards: {
    ...creditedGuards,
    isQuantity: (_, { quantity }: { quantity: number }) => isReviewQuantity(quantity),
  },
  actions: {
    ...creditedActions<Context, Event>(),
    rememberQuantity: assign({
      quantity: (_, { quantity }: { quantity: number }) => (isReviewQuantity(quantity) ? quantity : null),
      failure: null,
    }),
    beginWork: assign({ attempts: ({ context }) => context.attempts + 1, late: false }),
    rememberDelay: assign({ late: true }),
    rememberSet: assign(({ context }, { written }: { written: ReviewSet }) => ({
      written,
      balance: written.balance,
      writtenIn: context.attempts,
      spent: context.spent + written.spent,
      regenerations: context.written ? context.regenerations + 1 : 0,
      failure: null,
    })),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedTheSame(context.failure, error),
    }),
  },
});

const delayed = { 'work.delayed': { actions: 'rememberDelay' } } as const;

export const reviewGenerationMachine = flow.createMachine({
  id: 'ReviewGeneration',
  context: ({ input: { run, userId, origin, ...offer } }) => ({
    run,
    userId,
    origin,
    offer,
    quantity: null,
    written: null,
    writtenIn: 0,
    regenerations: 0,
    spent: 0,
    attempts: 0,
    late: false,
    failure: null,
  }),
  initial: 'quantity',
  states: {
    quantity: {
      on: {
        'quantity.chosen': {
          guard: { type: 'isQuantity', params: ({ event }) => event },
          target: 'confirm_cost',
          actions: { type: 'rememberQuantity', params: ({ event }) => event },
        },
        cancelled: 'cancelled',
      },
    },
    confirm_cost: {
      on: {
        'cost.accepted': { target: 'generating', actions: 'beginWork' },
        'quantity.reopened': 'quantity',
        ...hearsOfTokens,
        cancelled: 'cancelled',
      },
    },
    // A refusal and a failure lead to the same place: what was charged has come back, and the price is shown again.
    generating: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'writeReviews',
        src: 'writeReviews',
        input: ({ context }) => orderOf(context, reviewPrice(context)),
        onDone: {
          target: 'review',
          actions: { type: 'rememberSet', params: ({ event }) => ({ written: event.output }) },
        },
        onError: {
          target: 'confirm_cost',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    review: {
      on: {
        'draft.approved': { target: 'saving' },
        'draft.declined': { target: 'regenerating', actions: 'beginWork' },
        ...hearsIfShort,
        cancelled: 'discarded',
      },
    },
    // X18 and E10: whatever happens, the set that is there stays.
    regenerating: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'writeReviews',
        src: 'writeReviews',
        input: ({ context }) => orderOf(context, nextReviewPrice(context)),
        onDone: {
          target: 'review',
          actions: { type: 'rememberSet', params: ({ event }) => ({ written: event.output }) },
        },
        onError: { target: 'review', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveReviews',
        src: 'saveReviews',
        input: ({ context: { run, userId, offer, writtenIn, written } }) => ({
          key: `${run}:saveReviews:${writtenIn}`,
          userId,
          categoryId: offer.categoryId,
          reviews: written!.reviews,
        }),
        onDone: 'saved',
        onError: { target: 'review', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    saved: { type: 'final' },
    /** What was written is not kept; it was paid for, and that was said beforehand. */
    discarded: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

const isReviewQuantity = (quantity: number): quantity is ReviewQuantity =>
  reviewQuantities.some((offered) => offered === quantity);

const orderOf = (
  { run, userId, offer, quantity, attempts, written }: Context,
  price: number,
): WriteReviewsInput => ({
  key: `${run}:writeReviews:${attempts}`,
  userId,
  categoryId: offer.categoryId,
  quantity: quantity!,
  price,
  previous: written?.reviews.map(({ text }) => text) ?? [],
});
