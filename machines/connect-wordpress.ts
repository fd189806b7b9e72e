import { assign, setup } from 'xstate';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noWordPressYet,
  type WordPressEvent,
  type WordPressSlice,
  wordPressActions,
  wordPressActors,
  wordPressGuards,
  wordPressQuestions,
} from './fragments/wordpress-questions.ts';

type Input = FlowInput & {
  projectId: number;
  projectName: string;
  ownSite: string | null;
  /** Set when a known connection gets new credentials: its address is not asked for again. */
  reconnect: { connectionId: number; url: string } | null;
};
type Context = WordPressSlice & Input;
type Event = WordPressEvent | Cancelled;

export const connectWordPressMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: wordPressActors,
  guards: {
    ...wordPressGuards,
    isReconnecting: ({ context }) => context.reconnect !== null,
  },
  actions: {
    ...wordPressActions<Context, Event>(),
    rememberKnownUrl: assign({
      wordpress: ({ context }) => ({ ...context.wordpress, url: context.reconnect!.url }),
    }),
  },
}).createMachine({
  id: 'ConnectWordPress',
  context: ({ input }) => ({ ...input, wordpress: noWordPressYet, connectionId: null, failure: null }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [
        { guard: 'isReconnecting', target: 'checking_url', actions: 'rememberKnownUrl' },
        { target: 'url' },
      ],
    },
    ...wordPressQuestions({
      url: 'url',
      checking: 'checking_url',
      duplicate: 'confirm_duplicate',
      login: 'login',
      granting: 'taking_grant',
      password: 'password',
      validating: 'validate_connection',
      ends: { connected: 'connected', failed: 'failed' },
      ways: { cancelled: 'cancelled' },
    }),
    connected: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** Version 2 kept the answers side by side with everything else. */
export const wordPressAnswersGathered: Migration = ({ state, context }) => {
  const { url, site, login, sealed, helpWanted, attempts, invalid, ...rest } = context;
  return {
    state,
    context: { ...rest, wordpress: { url, site, login, sealed, helpWanted, attempts, invalid } },
  };
};
