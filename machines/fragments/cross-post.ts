import type { DoneActorEvent, EventObject } from 'xstate';
import { type Failure, failedTheSame } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import type { PostDraft, PostOutcome, PublishedPost } from './post-ports.ts';
import { type CreditedSlice, hearsOfTokens } from './tokens-credited.ts';
import { failed, withEvent } from './with-event.ts';

/** So many channels are offered at once: a session stays small, and a longer list is not ticked anyway. */
export const MOST_TARGETS = 8;

/** Another channel of the same project, to which a published post can go as well. */
export type CrossTarget = {
  connectionId: number;
  platform: string;
  place: string;
  /** Where it can be opened; null: nowhere without its readers' rights. */
  placeUrl: string | null;
  /** The picture of the post goes there as well. */
  picture?: boolean;
};

/** What a published post can become, and for how much: shown before anything is charged. */
export type CrossPlan = {
  targets: CrossTarget[];
  /** Tokens, for each of them. */
  price: number;
  balance: number;
};

export type PlanCrossPostInput = { userId: number; publicationId: number };
export type AdaptPostInput = { key: string; userId: number; publicationId: number; connectionId: number };

/** What became of a channel. `unknown`: its answer was lost, and its owner decides later. */
export type CrossOutcome = {
  connectionId: number;
  outcome: 'sent' | 'skipped' | 'failed' | 'unknown';
  url: string | null;
};

export type CrossWork = {
  /** Null: this run writes a post of its own. */
  publicationId: number | null;
  targets: CrossTarget[];
  price: number;
  /** Ticked, in the order in which they are done. */
  chosen: number[];
  outcomes: CrossOutcome[];
  draft: PostDraft | null;
  /** Every try to adapt has a key of its own. */
  attempts: number;
  /** Typed in the place of the adapted text. */
  text: string | null;
  /** Why the outcome is unknown. */
  doubt: string | null;
  /** The person has had enough: what is open is given back, and the rest is left alone. */
  ending: boolean;
};

/** The part of the host's context that a cross-post needs. */
export type CrossSlice = CreditedSlice & {
  run: string;
  userId: number;
  cross: CrossWork;
  late: boolean;
};

export type CrossEvent =
  | TextReceived
  /** Says what it leads to: people tick faster than a message is redrawn. */
  | { type: 'target.marked'; connectionId: number; wanted: boolean }
  | { type: 'targets.accepted' }
  | { type: 'target.skipped' };

export const noCrossPost: CrossWork = {
  publicationId: null,
  targets: [],
  price: 0,
  chosen: [],
  outcomes: [],
  draft: null,
  attempts: 0,
  text: null,
  doubt: null,
  ending: false,
};

export const crossActors = {
  planCrossPost: port<CrossPlan, PlanCrossPostInput>('planCrossPost'),
  adaptPost: port<PostDraft, AdaptPostInput>('adaptPost'),
};

type InSlice = { context: CrossSlice };
type Failed = { error: unknown };

/** The channel that is being served; undefined when all are. */
export const servedOf = ({ chosen, outcomes, targets }: CrossWork): CrossTarget | undefined =>
  targets.find(({ connectionId }) => connectionId === chosen[outcomes.length]);

export const crossGuards = {
  isCrossPost: ({ context }: InSlice) => context.cross.publicationId !== null,
  hasTicked: ({ context }: InSlice) => context.cross.chosen.length > 0,
  hasNextTarget: ({ context: { cross } }: InSlice) => !cross.ending && servedOf(cross) !== undefined,
};

export const crossActions = <Context extends CrossSlice, Event extends EventObject>() => {
  const changeSlice = sliceChange<CrossSlice, Context, Event>();
  const change = <Params>(changed: (cross: CrossWork, params: Params) => Partial<CrossWork>) =>
    changeSlice<Params>(({ cross }, params) => ({ cross: { ...cross, ...changed(cross, params) } }));
  const ended = (cross: CrossWork, outcome: CrossOutcome['outcome'], url: string | null = null) => ({
    outcomes: [...cross.outcomes, { connectionId: servedOf(cross)!.connectionId, outcome, url }],
    ...{ draft: null, text: null, doubt: null },
  });
  return {
    rememberPlan: changeSlice<{ plan: CrossPlan }>(({ cross }, { plan: { targets, price, balance } }) => ({
      // All are on at first; after a look around, those that were ticked and are still there.
      cross: {
        ...{ ...cross, targets, price },
        chosen: targets
          .map(({ connectionId }) => connectionId)
          .filter((id) => cross.targets.length === 0 || cross.chosen.includes(id)),
      },
      balance,
    })),
    markTarget: change<{ connectionId: number; wanted: boolean }>(
      ({ targets, chosen }, { connectionId, wanted }) => ({
        chosen: targets
          .map((target) => target.connectionId)
          .filter((id) => (id === connectionId ? wanted : chosen.includes(id))),
      }),
    ),
    /** The failure stays until something succeeds: a second one that equals it has to be told otherwise. */
    beginCrossWork: changeSlice(({ cross }) => ({ cross: { ...cross, ending: false }, late: false })),
    countCrossAttempt: change(({ attempts }) => ({ attempts: attempts + 1 })),
    rememberAdapted: changeSlice<{ draft: PostDraft }>(({ cross }, { draft }) => ({
      cross: { ...cross, draft, text: null },
      failure: null,
    })),
    rememberOwnText: change<{ text: string }>((_, { text }) => ({ text })),
    rememberCrossDoubt: changeSlice<{ output: PostOutcome }>(({ cross }, { output }) => ({
      cross:
        output.outcome === 'unknown'
          ? { ...cross, draft: { ...cross.draft!, lost: output.lost }, doubt: output.message }
          : cross,
      failure: null,
    })),
    rememberCrossFailure: changeSlice<Failed>(({ failure }, { error }) => ({
      failure: failedTheSame(failure, error),
      late: false,
    })),
    /** The refund is part of what the person is told of the failure. */
    rememberCrossRefund: changeSlice<{ returned: number }>(({ failure, cross }, { returned }) => ({
      failure: failure && ({ ...failure, refunded: returned } satisfies Failure),
      cross: { ...cross, draft: null },
    })),
    noteSent: change<{ url: string | null }>((cross, { url }) => ended(cross, 'sent', url)),
    noteSkipped: change((cross) => ended(cross, 'skipped')),
    noteFailed: change((cross) => ended(cross, 'failed')),
    noteUnknown: change((cross) => ended(cross, 'unknown')),
    endCrossing: change(() => ({ ending: true })),
  };
};

const typed = {
  type: 'rememberOwnText',
  params: ({ event }: { event: TextReceived }) => ({ text: event.text.trim() }),
} as const;
const adapted = {
  type: 'rememberAdapted',
  params: ({ event }: { event: DoneActorEvent<PostDraft> }) => ({ draft: event.output }),
} as const;
const sent = {
  type: 'noteSent',
  params: ({ event }: { event: DoneActorEvent<PostOutcome | PublishedPost> }) => ({
    url: 'url' in event.output ? event.output.url : null,
  }),
} as const;
const lost = <const Type extends string>(type: Type) => withEvent<Type, DoneActorEvent<PostOutcome>>(type);
const draftOf = ({ context: { userId, cross } }: InSlice) => ({ userId, draftId: cross.draft!.draftId });
const delayed = { 'work.delayed': { actions: 'rememberPostDelay' } } as const;
const skipped = { target: 'cross_post_returning', actions: 'beginCrossWork' } as const;
const stopped = ['beginCrossWork', 'endCrossing'] as const;

/**
 * A published post, told anew for the project's other channels (E52). Channel by channel: adapted and charged, looked
 * at, published; each has a charge, a refund and an unknown of its own, and the post they come from stays as it is.
 * `ends`: where it leads; the host has the ports and guards of a post.
 */
export const crossPostStates = <const Done extends string, const Impossible extends string>({
  ends,
}: {
  ends: { done: Done; impossible: Impossible };
}) =>
  ({
    cross_post_planning: {
      tags: 'busy',
      invoke: {
        id: 'planCrossPost',
        src: 'planCrossPost',
        input: ({ context: { userId, cross } }: InSlice) => ({
          userId,
          publicationId: cross.publicationId!,
        }),
        onDone: {
          target: 'cross_post_targets',
          actions: {
            type: 'rememberPlan',
            params: ({ event }: { event: DoneActorEvent<CrossPlan> }) => ({ plan: event.output }),
          },
        },
        onError: { target: ends.impossible, actions: failed('rememberCrossFailure') },
      },
    },
    cross_post_targets: {
      on: {
        'target.marked': {
          actions: {
            type: 'markTarget',
            params: ({ event }: { event: { connectionId: number; wanted: boolean } }) => event,
          },
        },
        'targets.accepted': { guard: 'hasTicked', target: 'cross_post_adapting', actions: 'beginCrossWork' },
        ...hearsOfTokens,
        resumed: 'cross_post_planning',
        cancelled: ends.done,
      },
    },
    cross_post_adapting: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'adaptPost',
        src: 'adaptPost',
        input: ({ context: { run, userId, cross } }: InSlice) => {
          const { connectionId } = servedOf(cross)!;
          const key = `${run}:cross:${connectionId}:${cross.attempts}`;
          return { key, userId, publicationId: cross.publicationId!, connectionId };
        },
        onDone: { target: 'cross_post_review', actions: adapted },
        onError: { target: 'cross_post_failed', actions: failed('rememberCrossFailure') },
      },
    },
    cross_post_review: {
      on: {
        'draft.approved': { target: 'cross_post_publishing', actions: 'beginCrossWork' },
        'text.received': { target: 'cross_post_saving', actions: ['beginCrossWork', typed] },
        'target.skipped': skipped,
        cancelled: { target: 'cross_post_returning', actions: stopped },
      },
    },
    cross_post_saving: {
      tags: 'busy',
      invoke: {
        id: 'saveCrossPostText',
        src: 'savePostText',
        input: ({ context }: InSlice) => ({
          ...draftOf({ context }),
          text: context.cross.text!,
          mayBeWish: true,
        }),
        onDone: { target: 'cross_post_review', actions: adapted },
        onError: { target: 'cross_post_review', actions: failed('rememberCrossFailure') },
      },
    },
    cross_post_publishing: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'publishCrossPost',
        src: 'publishPost',
        input: ({ context }: InSlice) => ({
          ...draftOf({ context }),
          key: `draft:${context.cross.draft!.draftId}:publish:${context.cross.draft!.lost}`,
        }),
        onDone: [
          { guard: lost('isAnswerLost'), target: 'cross_post_unknown', actions: lost('rememberCrossDoubt') },
          { target: 'first_cross_post', actions: sent },
        ],
        // What did not go out is given back before the person is told of it; what expired has been given back already.
        onError: [
          {
            guard: failed('isPostExpired'),
            target: 'cross_post_failed',
            actions: failed('rememberCrossFailure'),
          },
          { target: 'cross_post_refunding', actions: failed('rememberCrossFailure') },
        ],
      },
    },
    cross_post_refunding: {
      tags: 'busy',
      invoke: {
        id: 'refundCrossPost',
        src: 'cancelPost',
        input: draftOf,
        onDone: {
          target: 'cross_post_failed',
          actions: {
            type: 'rememberCrossRefund',
            params: ({ event }: { event: DoneActorEvent<{ returned: number }> }) => event.output,
          },
        },
        onError: { target: 'cross_post_review', actions: failed('rememberCrossFailure') },
      },
    },
    cross_post_failed: {
      on: {
        retried: { target: 'cross_post_adapting', actions: ['beginCrossWork', 'countCrossAttempt'] },
        'target.skipped': { target: 'first_cross_post', actions: ['beginCrossWork', 'noteFailed'] },
        ...hearsOfTokens,
        cancelled: { target: ends.done, actions: ['beginCrossWork', 'noteFailed'] },
      },
    },
    cross_post_unknown: {
      on: {
        'post.seen': { target: 'cross_post_confirming', actions: 'beginCrossWork' },
        'draft.approved': { target: 'cross_post_publishing', actions: 'beginCrossWork' },
        'post.missed': skipped,
        'target.skipped': { target: 'first_cross_post', actions: ['beginCrossWork', 'noteUnknown'] },
        cancelled: { target: ends.done, actions: ['beginCrossWork', 'noteUnknown'] },
      },
    },
    cross_post_confirming: {
      tags: 'busy',
      invoke: {
        id: 'confirmCrossPost',
        src: 'confirmPost',
        input: draftOf,
        onDone: { target: 'first_cross_post', actions: sent },
        onError: { target: 'cross_post_unknown', actions: failed('rememberCrossFailure') },
      },
    },
    cross_post_returning: {
      tags: 'busy',
      invoke: {
        id: 'returnCrossPost',
        src: 'cancelPost',
        input: draftOf,
        onDone: { target: 'first_cross_post', actions: 'noteSkipped' },
        onError: { target: 'cross_post_review', actions: failed('rememberCrossFailure') },
      },
    },
    first_cross_post: {
      always: [{ guard: 'hasNextTarget', target: 'cross_post_adapting' }, { target: ends.done }],
    },
  }) as const;
