import { setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import { type PostDraft, type PostOffer, postActors } from './fragments/post-ports.ts';
import {
  noPostYet,
  type PostEvent,
  type PostSlice,
  postActions,
  postGuards,
  postStates,
} from './fragments/post-work.ts';

type Input = FlowInput & {
  offer: PostOffer;
  /** One that waits for a decision. */
  draft: PostDraft | null;
  /** Its answer was lost: does the person decide, or have they said that it is not there? */
  after: 'review' | 'lost-answer' | 'resend';
};
type Context = FlowInput & PostSlice & Pick<Input, 'after'>;
type Event = Cancelled | PostEvent;

export const socialPostPublishMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: postActors,
  guards: {
    ...postGuards,
    hasDraft: ({ context }) => context.post.draft !== null,
    isInDoubt: ({ context }) => context.after === 'lost-answer',
    isResent: ({ context }) => context.after === 'resend',
  },
  actions: postActions<Context, Event>(),
}).createMachine({
  id: 'SocialPostPublish',
  context: ({ input: { offer, draft, ...input } }) => ({
    ...input,
    post: { ...noPostYet, offer, draft },
    late: false,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [
        { guard: 'isInDoubt', target: 'publish_unknown' },
        { guard: 'isResent', target: 'publishing' },
        { guard: 'hasDraft', target: 'review' },
        { target: 'confirm_cost' },
      ],
    },
    ...postStates({
      atCost: { cancelled: 'cancelled' },
      atReview: {},
      ends: {
        published: 'published',
        failed: 'failed',
        expired: 'expired',
        cancelled: 'cancelled',
        left: 'left',
      },
    }),
    published: { type: 'final' },
    failed: { type: 'final' },
    expired: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
