import type { DoneActorEvent, EventObject } from 'xstate';
import { failedTheSame, isRefusal, toFailure } from '../failure.ts';
import type { TextReceived, TokensCredited } from '../flow-input.ts';
import { lengthMisfit, type Misfit } from '../misfit.ts';
import { sliceChange } from './change-slice.ts';
import type { PostDraft, PostOffer, PostOutcome, PublishedPost } from './post-ports.ts';
import {
  type CreditedSlice,
  creditedActions,
  creditedGuards,
  hearsIfShort,
  hearsOfTokens,
} from './tokens-credited.ts';
import { failed, typed, withEvent } from './with-event.ts';

/** Another version, or a change by words, is wanted this often without a charge. */
export const freePostVersions = 2;
/** What a person wants changed, in their own words. */
export const MOST_WISH = 500;

export type PostWork = {
  offer: PostOffer | null;
  draft: PostDraft | null;
  /** How far the writing has come. */
  stage: string | null;
  /** Every try to write anew has a key of its own. */
  attempts: number;
  wish: string | null;
  misfit: Misfit | null;
  /** Why the outcome is unknown. */
  doubt: string | null;
  published: PublishedPost | null;
  returned: number;
};

/** The part of the host's context that the work on one post needs. */
export type PostSlice = CreditedSlice & {
  run: string;
  userId: number;
  post: PostWork;
  late: boolean;
};

export type PostEvent =
  | TextReceived
  | TokensCredited
  | { type: 'cost.accepted' }
  | { type: 'progress.made'; stage: string }
  | { type: 'work.delayed' }
  | { type: 'draft.approved' }
  | { type: 'draft.declined' }
  /** The person wants to write the text themselves; and has thought better of it. */
  | { type: 'text.wanted' }
  | { type: 'review.resumed' }
  /** After a lost answer: the post is in the channel; it is not. */
  | { type: 'post.seen' }
  | { type: 'post.missed' };

export const noPostYet: PostWork = {
  offer: null,
  draft: null,
  stage: null,
  attempts: 0,
  wish: null,
  misfit: null,
  doubt: null,
  published: null,
  returned: 0,
};

type InSlice = { context: PostSlice };
type Failed = { error: unknown };
type Typed = { text: string };
type Outcome = { output: PostOutcome };

export const postGuards = {
  isFreeVersion: ({ context: { post } }: InSlice) => post.draft?.nextPrice === 0,
  isFreeWish: ({ context: { post } }: InSlice, { text }: Typed) =>
    post.draft?.nextPrice === 0 && wishMisfit(text) === null,
  isWish: (_: unknown, { text }: Typed) => wishMisfit(text) === null,
  isAnswerLost: (_: unknown, { output }: Outcome) => output.outcome === 'unknown',
  isRefusal,
  ...creditedGuards,
  isPostExpired: (_: unknown, { error }: Failed) => toFailure(error).code === 'DRAFT_EXPIRED',
};

const wishMisfit = (text: string): Misfit | null => lengthMisfit(text.trim(), 2, MOST_WISH);

export const postActions = <Context extends PostSlice, Event extends EventObject>() => {
  const changeSlice = sliceChange<PostSlice, Context, Event>();
  const change = <Params>(changed: (post: PostWork, params: Params) => Partial<PostWork>) =>
    changeSlice<Params>(({ post }, params) => ({ post: { ...post, ...changed(post, params) } }));
  return {
    beginPostWork: changeSlice(({ post }) => ({ post: { ...post, stage: null, misfit: null }, late: false })),
    /** To another question: what failed is not about that one. */
    turnFromPost: changeSlice(({ post }) => ({ post: { ...post, misfit: null }, failure: null })),
    countPostAttempt: change(({ attempts }) => ({ attempts: attempts + 1 })),
    rememberPostStage: change<{ stage: string }>((_, { stage }) => ({ stage })),
    rememberPostDelay: changeSlice(() => ({ late: true })),
    rememberWish: change<Typed>((_, { text }) => ({ wish: text.trim() })),
    forgetWish: change(() => ({ wish: null })),
    rejectWish: change<Typed>((_, { text }) => ({ misfit: wishMisfit(text) })),
    rememberDraft: changeSlice<{ draft: PostDraft }>(({ post }, { draft }) => ({
      post: { ...post, draft, wish: null, stage: null },
      late: false,
      failure: null,
    })),
    rememberPost: changeSlice<{ published: PublishedPost }>(({ post }, { published }) => ({
      post: { ...post, published },
      failure: null,
    })),
    rememberDoubt: changeSlice<Outcome>(({ post }, { output }) => ({
      post:
        output.outcome === 'unknown'
          ? { ...post, draft: { ...post.draft!, lost: output.lost }, doubt: output.message }
          : post,
      late: false,
      failure: null,
    })),
    rememberPostReturn: change<{ returned: number }>((_, { returned }) => ({ returned })),
    rememberPostFailure: changeSlice<Failed>(({ post, failure }, { error }) => ({
      post: { ...post, stage: null },
      late: false,
      failure: failedTheSame(failure, error),
    })),
    ...creditedActions<Context, Event>(),
  };
};

const drafted = {
  type: 'rememberDraft',
  params: ({ event }: { event: DoneActorEvent<PostDraft> }) => ({ draft: event.output }),
} as const;
const outcome = <const Type extends string>(type: Type) => withEvent<Type, DoneActorEvent<PostOutcome>>(type);
const delayed = { 'work.delayed': { actions: 'rememberPostDelay' } } as const;
const progress = {
  'progress.made': { actions: withEvent<'rememberPostStage', { stage: string }>('rememberPostStage') },
  ...delayed,
} as const;

const draftOf = ({ context: { userId, post } }: { context: PostSlice }) => ({
  userId,
  draftId: post.draft!.draftId,
});

/**
 * One post from its price to the channel. `atCost`, `atReview`: what else a person may do there; `kept`: it waits for
 * one who leaves; `ends`: where it leads. `left` ends a post whose answer was lost and whose owner has not decided: it waits for them.
 */
export const postStates = <
  const AtCost extends object,
  const AtReview extends object,
  const Published extends string,
  const Unsuccessful extends string,
  const Expired extends string,
  const Cancelled extends string,
  const Left extends string,
>({
  atCost,
  atReview,
  kept,
  ends,
}: {
  atCost: AtCost;
  atReview: AtReview;
  kept?: true;
  ends: { published: Published; failed: Unsuccessful; expired: Expired; cancelled: Cancelled; left: Left };
}) => {
  const expired = { guard: failed('isPostExpired'), target: ends.expired } as const;
  const remembered = { actions: failed('rememberPostFailure') } as const;
  const cancelling = { cancelled: { target: 'cancelling', actions: 'beginPostWork' } } as const;
  return {
    confirm_cost: {
      on: {
        'cost.accepted': { target: 'generating', actions: 'beginPostWork' },
        ...hearsOfTokens,
        ...atCost,
      },
    },
    generating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'generatePost',
        src: 'generatePost',
        input: ({ context: { run, userId, post } }: { context: PostSlice }) => ({
          key: `${run}:post:${post.attempts}`,
          userId,
          offer: post.offer!,
          ...(kept && { kept }),
        }),
        onDone: { target: 'review', actions: drafted },
        onError: [
          { guard: failed('isRefusal'), target: 'confirm_cost', ...remembered },
          { target: ends.failed, ...remembered },
        ],
      },
    },
    review: {
      on: {
        'draft.approved': { target: 'publishing', actions: 'beginPostWork' },
        'draft.declined': [
          {
            guard: 'isFreeVersion',
            target: 'regenerating',
            actions: ['beginPostWork', 'forgetWish', 'countPostAttempt'],
          },
          { target: 'regenerate_cost', actions: ['turnFromPost', 'forgetWish'] },
        ],
        // What is typed here is a wish: «короче, без эмодзи».
        'text.received': [
          {
            guard: typed('isFreeWish'),
            target: 'regenerating',
            actions: ['beginPostWork', typed('rememberWish'), 'countPostAttempt'],
          },
          {
            guard: typed('isWish'),
            target: 'regenerate_cost',
            actions: ['turnFromPost', typed('rememberWish')],
          },
          { actions: typed('rejectWish') },
        ],
        'text.wanted': { target: 'review_text', actions: 'turnFromPost' },
        ...hearsIfShort,
        ...cancelling,
        ...atReview,
      },
    },
    regenerate_cost: {
      on: {
        'cost.accepted': { target: 'regenerating', actions: ['beginPostWork', 'countPostAttempt'] },
        'review.resumed': { target: 'review', actions: ['turnFromPost', 'forgetWish'] },
        ...hearsOfTokens,
        ...cancelling,
      },
    },
    regenerating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'regeneratePost',
        src: 'regeneratePost',
        input: ({ context: { run, userId, post } }: { context: PostSlice }) => ({
          key: `${run}:post:${post.attempts}`,
          userId,
          draftId: post.draft!.draftId,
          wish: post.wish,
        }),
        onDone: { target: 'review', actions: drafted },
        onError: [expired, { target: 'review', ...remembered }],
      },
    },
    review_text: {
      on: {
        'text.received': { target: 'saving_text', actions: ['beginPostWork', typed('rememberWish')] },
        'review.resumed': { target: 'review', actions: ['turnFromPost', 'forgetWish'] },
        ...cancelling,
      },
    },
    saving_text: {
      tags: 'busy',
      invoke: {
        id: 'savePostText',
        src: 'savePostText',
        input: ({ context }: { context: PostSlice }) => ({
          ...draftOf({ context }),
          text: context.post.wish!,
        }),
        onDone: { target: 'review', actions: drafted },
        onError: [expired, { target: 'review_text', ...remembered }],
      },
    },
    publishing: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'publishPost',
        src: 'publishPost',
        // The same key for every press until an answer is lost: what a platform took is not sent again.
        input: ({ context }: { context: PostSlice }) => ({
          ...draftOf({ context }),
          key: `draft:${context.post.draft!.draftId}:publish:${context.post.draft!.lost}`,
        }),
        onDone: [
          {
            guard: outcome('isAnswerLost'),
            target: 'publish_unknown',
            actions: outcome('rememberDoubt'),
          },
          {
            target: ends.published,
            actions: {
              type: 'rememberPost',
              params: ({ event }: { event: DoneActorEvent<PostOutcome> }) => ({
                published: event.output as PublishedPost,
              }),
            },
          },
        ],
        onError: [expired, { target: 'review', ...remembered }],
      },
    },
    publish_unknown: {
      on: {
        'post.seen': { target: 'confirming', actions: 'beginPostWork' },
        'draft.approved': { target: 'publishing', actions: 'beginPostWork' },
        'post.missed': { target: 'cancelling', actions: 'beginPostWork' },
        cancelled: ends.left,
      },
    },
    confirming: {
      tags: 'busy',
      invoke: {
        id: 'confirmPost',
        src: 'confirmPost',
        input: draftOf,
        onDone: {
          target: ends.published,
          actions: {
            type: 'rememberPost',
            params: ({ event }: { event: DoneActorEvent<PublishedPost> }) => ({ published: event.output }),
          },
        },
        onError: [expired, { target: 'publish_unknown', ...remembered }],
      },
    },
    cancelling: {
      tags: 'busy',
      invoke: {
        id: 'cancelPost',
        src: 'cancelPost',
        input: draftOf,
        onDone: {
          target: ends.cancelled,
          actions: {
            type: 'rememberPostReturn',
            params: ({ event }: { event: DoneActorEvent<{ returned: number }> }) => event.output,
          },
        },
        onError: { target: 'review', ...remembered },
      },
    },
  } as const;
};
