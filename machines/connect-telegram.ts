import { setup } from 'xstate';
import type { MessengerName } from './channel-address.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  type MessengerEvent,
  type MessengerSlice,
  messengerActions,
  messengerActors,
  messengerGuards,
  messengerQuestions,
  noMessengerYet,
} from './fragments/messenger-questions.ts';

type Input = FlowInput & {
  projectId: number;
  projectName: string;
  platform: MessengerName;
  /** Set when a known connection is looked after: its channel is not asked for again. */
  reconnect: { connectionId: number; target: string; title: string; own: boolean } | null;
};
type Context = MessengerSlice & Omit<Input, 'platform'>;
type Event = MessengerEvent | Cancelled;

/** Channels of Telegram, and chats of MAX with `platform: 'max'`: the same two questions. */
export const connectTelegramMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: messengerActors,
  guards: {
    ...messengerGuards,
    hasOwnBot: ({ context }) => context.reconnect?.own === true,
    isReconnecting: ({ context }) => context.reconnect !== null,
  },
  actions: messengerActions<Context, Event>(),
}).createMachine({
  id: 'ConnectTelegram',
  context: ({ input: { platform, ...input } }) => ({
    ...input,
    messenger: { ...noMessengerYet(platform), ...known(input.reconnect) },
    connectionId: null,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [
        { guard: 'hasOwnBot', target: 'validate' },
        { guard: 'isReconnecting', target: 'token' },
        { target: 'channel' },
      ],
    },
    ...messengerQuestions({
      channel: 'channel',
      token: 'token',
      searching: 'awaiting_chat',
      verifying: 'validate',
      ends: { connected: 'connected', failed: 'failed' },
      ways: { cancelled: 'cancelled' },
      atChannel: {},
    }),
    connected: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

function known(reconnect: Input['reconnect']) {
  if (!reconnect) return {};
  const { target, title, own } = reconnect;
  return { target, title, own };
}
