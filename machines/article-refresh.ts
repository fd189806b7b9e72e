import { assign, setup } from 'xstate';
import { type Failure, failedTheSame, isRefusal } from './failure.ts';
import type { Cancelled, FlowInput, TokensCredited } from './flow-input.ts';
import { creditedActions, hearsOfTokens } from './fragments/tokens-credited.ts';
import { port } from './ports.ts';

/** Which published article would be renewed, and for how much: shown before anything is charged. */
export type RefreshOffer = {
  publicationId: number;
  keyword: string;
  url: string;
  price: number;
  balance: number;
  isAdmin: boolean;
};

export type ProposeRefreshInput = { key: string; userId: number; publicationId: number; price: number };
/** A proposed new version. The texts themselves live in the database. */
export type RefreshProposal = {
  refreshId: number;
  title: string;
  /** What is different in search, in words for the person; at most five. */
  changes: string[];
  /** Beginnings of paragraphs that are new and of those that go; at most four each. */
  added: string[];
  removed: string[];
  unchanged: number;
  words: { before: number; after: number };
  previewUrl: string | null;
  spent: number;
};
export type DecideRefreshInput = { userId: number; refreshId: number };

type Context = FlowInput &
  RefreshOffer & {
    late: boolean;
    /** Every agreement to pay has a key of its own. */
    attempts: number;
    proposal: RefreshProposal | null;
    returned: number;
    failure: Failure | null;
  };
/** `proposal`: one that was written before and waits for a decision. */
type Input = FlowInput & RefreshOffer & { proposal: RefreshProposal | null };

type Event =
  | Cancelled
  | TokensCredited
  | { type: 'cost.accepted' }
  | { type: 'draft.approved' }
  | { type: 'draft.declined' }
  | { type: 'work.delayed' };

export const articleRefreshMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: {
    proposeRefresh: port<RefreshProposal, ProposeRefreshInput>('proposeRefresh'),
    applyRefresh: port<{ url: string }, DecideRefreshInput>('applyRefresh'),
    declineRefresh: port<{ returned: number }, DecideRefreshInput>('declineRefresh'),
  },
  guards: { isRefusal, hasProposal: ({ context }) => context.proposal !== null },
  actions: {
    ...creditedActions<Context, Event>(),
    beginWork: assign({ attempts: ({ context }) => context.attempts + 1, late: false }),
    rememberDelay: assign({ late: true }),
    rememberProposal: assign({
      proposal: (_, { proposal }: { proposal: RefreshProposal }) => proposal,
      failure: null,
    }),
    rememberReturn: assign({ returned: (_, { returned }: { returned: number }) => returned }),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedTheSame(context.failure, error),
    }),
  },
}).createMachine({
  id: 'ArticleRefresh',
  context: ({ input }) => ({
    ...input,
    late: false,
    attempts: 0,
    returned: 0,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: { always: [{ guard: 'hasProposal', target: 'review' }, { target: 'confirm' }] },
    confirm: {
      on: {
        'cost.accepted': { target: 'proposing', actions: 'beginWork' },
        ...hearsOfTokens,
        cancelled: 'cancelled',
      },
    },
    proposing: {
      tags: 'busy',
      on: { 'work.delayed': { actions: 'rememberDelay' } },
      invoke: {
        id: 'proposeRefresh',
        src: 'proposeRefresh',
        input: ({ context: { run, attempts, userId, publicationId, price } }) => ({
          key: `${run}:proposeRefresh:${attempts}`,
          userId,
          publicationId,
          price,
        }),
        onDone: {
          target: 'review',
          actions: { type: 'rememberProposal', params: ({ event }) => ({ proposal: event.output }) },
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
    review: {
      on: {
        'draft.approved': { target: 'applying', actions: 'beginWork' },
        'draft.declined': 'declining',
        cancelled: 'declining',
      },
    },
    applying: {
      tags: 'busy',
      on: { 'work.delayed': { actions: 'rememberDelay' } },
      invoke: {
        id: 'applyRefresh',
        src: 'applyRefresh',
        input: ({ context: { userId, proposal } }) => ({ userId, refreshId: proposal!.refreshId }),
        onDone: 'applied',
        onError: {
          target: 'review',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    declining: {
      tags: 'busy',
      invoke: {
        id: 'declineRefresh',
        src: 'declineRefresh',
        input: ({ context: { userId, proposal } }) => ({ userId, refreshId: proposal!.refreshId }),
        onDone: {
          target: 'declined',
          actions: { type: 'rememberReturn', params: ({ event }) => event.output },
        },
        onError: {
          target: 'review',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    applied: { type: 'final' },
    declined: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
