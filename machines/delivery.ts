import { assign, setup } from 'xstate';

export type DeliveryInput = {
  /** The same content is on its way to this channel, or was sent there within its window. */
  isRepeat: boolean;
  /** Nothing is known against the content: length, media, markup. */
  isSendable: boolean;
  /** How often the provider may be called before the delivery is dead, and again after each requeue. */
  attempts: number;
  /** The channel would rather have a post twice than not at all. */
  allowsDuplicates: boolean;
};
type Context = DeliveryInput & { attempt: number; attemptLimit: number };
type Refused = {
  type: 'send.refused';
  permanent: boolean;
  /** The platform took nothing because it was down or flooded, or we stopped: that uses up no attempt. */
  spared: boolean;
};
type Event =
  | { type: 'claim.made' }
  | { type: 'claim.returned' }
  | { type: 'attempt.recorded' }
  | { type: 'attempt.postponed' }
  | { type: 'send.confirmed' }
  | Refused
  | { type: 'result.lost' }
  | { type: 'call.omitted' }
  | { type: 'retry.allowed' }
  | { type: 'validation.failed' }
  | { type: 'repeat.found' }
  | { type: 'delivery.abandoned' }
  | { type: 'delivery.expired' }
  | { type: 'delivery.requeued' };

/** What a worker says of its call, also when it says so late and the delivery is unknown already. */
const answers = {
  'send.confirmed': 'sent',
  'send.refused': [
    {
      guard: { type: 'isPermanent', params: ({ event }: { event: Refused }) => event },
      target: 'failed_permanent',
    },
    {
      guard: { type: 'isSpared', params: ({ event }: { event: Refused }) => event },
      target: 'retry',
      actions: 'allowOneMore',
    },
    { guard: 'hasAttemptsLeft', target: 'retry' },
    { target: 'dead' },
  ],
} as const;

/** What may become of a delivery that waits for its turn. */
const waiting = {
  'claim.made': 'claimed',
  'validation.failed': 'failed_permanent',
  'repeat.found': 'deduped',
  'delivery.abandoned': 'dead',
  'delivery.expired': 'dead',
} as const;

/**
 * The life of one post on its way to one channel. No dialogue: PostgreSQL keeps it and refuses every other change
 * (`delivery_may_move` in schema.sql), and a test holds the two together. `new` is before there is a row.
 */
export const deliveryMachine = setup({
  types: {} as { context: Context; events: Event; input: DeliveryInput; tags: 'busy' },
  guards: {
    isRepeat: ({ context }) => context.isRepeat,
    isUnsendable: ({ context }) => !context.isSendable,
    isPermanent: (_, { permanent }: { permanent: boolean }) => permanent,
    isSpared: (_, { spared }: { spared: boolean }) => spared,
    hasAttemptsLeft: ({ context }) => context.attempt < context.attemptLimit,
    mayComeTwice: ({ context }) => context.allowsDuplicates && context.attempt < context.attemptLimit,
    mayNotComeTwice: ({ context }) => !context.allowsDuplicates,
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    allowOneMore: assign({ attemptLimit: ({ context }) => context.attemptLimit + 1 }),
    allowMoreAttempts: assign({ attemptLimit: ({ context }) => context.attempt + context.attempts }),
  },
}).createMachine({
  id: 'Delivery',
  context: ({ input }) => ({ ...input, attempt: 0, attemptLimit: input.attempts }),
  initial: 'new',
  states: {
    new: {
      always: [
        { guard: 'isRepeat', target: 'deduped' },
        { guard: 'isUnsendable', target: 'failed_permanent' },
        { target: 'queued' },
      ],
    },
    queued: { on: waiting },
    claimed: {
      on: {
        'attempt.recorded': { target: 'sending', actions: 'countAttempt' },
        'claim.returned': 'queued',
        'attempt.postponed': 'retry',
        'delivery.abandoned': 'dead',
      },
    },
    sending: {
      tags: 'busy',
      on: {
        ...answers,
        // The worker died while it still prepared the call.
        'call.omitted': { target: 'retry', actions: 'allowOneMore' },
        'result.lost': [
          { guard: 'mayNotComeTwice', target: 'unknown' },
          { guard: 'mayComeTwice', target: 'retry' },
          { target: 'dead' },
        ],
      },
    },
    unknown: { on: { ...answers, 'retry.allowed': 'retry', 'delivery.abandoned': 'dead' } },
    retry: { on: waiting },
    failed_permanent: { on: { 'delivery.requeued': { target: 'retry', actions: 'allowMoreAttempts' } } },
    dead: { on: { 'delivery.requeued': { target: 'retry', actions: 'allowMoreAttempts' } } },
    sent: { type: 'final' },
    deduped: { type: 'final' },
  },
});
