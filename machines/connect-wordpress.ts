import { assign, setup } from 'xstate';
import { type Failure, toFailure } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import { port } from './ports.ts';
import { fitsProjectField, tidy } from './project-fields.ts';

/** A WordPress that was reached, and what is asked next because of it. */
export type ReachedSite = {
  /** How people call it; unique among connections. */
  identifier: string;
  name: string;
  /** The site's own page on which a person grants access with one press; null where it has none. */
  authorization: { link: string; nonce: string } | null;
  /** Where it answered: the password goes to this address and nowhere else. */
  url: string;
  /** Another project of the same person that publishes there already. */
  otherProject: string | null;
};

export type ReachSiteInput = { run: string; userId: number; projectId: number; url: string };
export type TakeGrantInput = { userId: number; nonce: string };
export type Grant = { login: string; sealed: string };
export type ConnectWordPressInput = {
  key: string;
  /** What the password was sealed for. */
  run: string;
  userId: number;
  projectId: number;
  url: string;
  login: string;
  sealed: string;
};

type Input = FlowInput & {
  projectId: number;
  projectName: string;
  /** The project's own site, offered for one press. */
  ownSite: string | null;
  /** Set when a known connection gets new credentials: its address is not asked for again. */
  reconnect: { connectionId: number; url: string } | null;
};
type Context = Input & {
  url: string | null;
  site: ReachedSite | null;
  login: string | null;
  sealed: string | null;
  helpWanted: boolean;
  /** Every password has a key of its own. */
  attempts: number;
  invalid: boolean;
  connectionId: number | null;
  failure: Failure | null;
};
type Event =
  | TextReceived
  | Cancelled
  | { type: 'site.taken' }
  | { type: 'duplicate.accepted' }
  | { type: 'access.granted' }
  | { type: 'help.asked' }
  | { type: 'retried' }
  | { type: 'secret.received'; sealed: string; shape: string };
type Typed = { text: string };

export const connectWordPressMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: {
    reachSite: port<ReachedSite, ReachSiteInput>('reachSite'),
    takeGrant: port<Grant, TakeGrantInput>('takeGrant'),
    connectWordPress: port<{ connectionId: number }, ConnectWordPressInput>('connectWordPress'),
  },
  guards: {
    isReconnecting: ({ context }) => context.reconnect !== null,
    hasOwnSite: ({ context }) => context.ownSite !== null,
    isAddress: (_, { text }: Typed) => fitsProjectField('website_url', text),
    isInOtherProject: (_, { site }: { site: ReachedSite }) => site.otherProject !== null,
    isLogin: (_, { text }: Typed) => tidy(text).length >= 1 && tidy(text).length <= LONGEST_LOGIN,
    offersGrant: ({ context }) => context.site!.authorization !== null,
    hasSecret: ({ context }) => context.sealed !== null,
    isApplicationPassword: (_, { shape }: { shape: string }) => groupsOfFour.test(shape),
    /** E25: nothing was tried, so the question stands. */
    isTooOften: (_, { error }: { error: unknown }) => toFailure(error).code === 'RATE_LIMIT',
  },
  actions: {
    rememberKnownUrl: assign({ url: ({ context }) => context.reconnect!.url }),
    rememberUrl: assign({
      url: (_, { text }: Typed) => tidy(text),
      invalid: false,
      failure: null,
    }),
    // Without its scheme, which may be the one that we added: the site itself shows which one it has.
    takeOwnSite: assign({
      url: ({ context }) => context.ownSite!.replace(/^https?:\/\//iu, ''),
      invalid: false,
      failure: null,
    }),
    rememberSite: assign({ site: (_, { site }: { site: ReachedSite }) => site }),
    rememberLogin: assign({ login: (_, { text }: Typed) => tidy(text), invalid: false, failure: null }),
    rememberSecret: assign({
      sealed: (_, { sealed }: { sealed: string }) => sealed,
      attempts: ({ context }) => context.attempts + 1,
      invalid: false,
      failure: null,
    }),
    rememberGrant: assign({
      login: (_, { login }: Grant) => login,
      sealed: (_, { sealed }: Grant) => sealed,
      attempts: ({ context }) => context.attempts + 1,
    }),
    showHelp: assign({ helpWanted: true }),
    rejectAnswer: assign({ invalid: true, failure: null }),
    forgetComplaint: assign({ invalid: false, failure: null }),
    rememberConnection: assign({ connectionId: (_, p: { connectionId: number }) => p.connectionId }),
    rememberFailure: assign({ failure: (_, { error }: { error: unknown }) => toFailure(error) }),
  },
}).createMachine({
  id: 'ConnectWordPress',
  context: ({ input }) => ({
    ...input,
    url: null,
    site: null,
    login: null,
    sealed: null,
    helpWanted: false,
    attempts: 0,
    invalid: false,
    connectionId: null,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [
        { guard: 'isReconnecting', target: 'checking_url', actions: 'rememberKnownUrl' },
        { target: 'url' },
      ],
    },
    url: {
      on: {
        'text.received': [
          {
            guard: { type: 'isAddress', params: ({ event }) => event },
            target: 'checking_url',
            actions: { type: 'rememberUrl', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        'site.taken': { guard: 'hasOwnSite', target: 'checking_url', actions: 'takeOwnSite' },
        cancelled: 'cancelled',
      },
    },
    checking_url: {
      tags: 'busy',
      invoke: {
        id: 'reachSite',
        src: 'reachSite',
        input: ({ context: { run, userId, projectId, url } }) => ({ run, userId, projectId, url: url! }),
        onDone: [
          {
            guard: { type: 'isInOtherProject', params: ({ event }) => ({ site: event.output }) },
            target: 'confirm_duplicate',
            actions: { type: 'rememberSite', params: ({ event }) => ({ site: event.output }) },
          },
          {
            target: 'login',
            actions: { type: 'rememberSite', params: ({ event }) => ({ site: event.output }) },
          },
        ],
        onError: { target: 'url', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    confirm_duplicate: {
      on: { 'duplicate.accepted': 'login', cancelled: 'cancelled' },
    },
    login: {
      on: {
        'text.received': [
          {
            guard: { type: 'isLogin', params: ({ event }) => event },
            target: 'password',
            actions: { type: 'rememberLogin', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        'access.granted': { guard: 'offersGrant', target: 'taking_grant', actions: 'forgetComplaint' },
        cancelled: 'cancelled',
      },
    },
    taking_grant: {
      tags: 'busy',
      invoke: {
        id: 'takeGrant',
        src: 'takeGrant',
        input: ({ context: { userId, site } }) => ({ userId, nonce: site!.authorization!.nonce }),
        onDone: {
          target: 'validate_connection',
          actions: { type: 'rememberGrant', params: ({ event }) => event.output },
        },
        onError: { target: 'login', actions: { type: 'rememberFailure', params: ({ event }) => event } },
      },
    },
    password: {
      tags: 'secret',
      on: {
        'secret.received': [
          {
            guard: { type: 'isApplicationPassword', params: ({ event }) => event },
            target: 'validate_connection',
            actions: { type: 'rememberSecret', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        'help.asked': { actions: 'showHelp' },
        retried: { guard: 'hasSecret', target: 'validate_connection', actions: 'forgetComplaint' },
        cancelled: 'cancelled',
      },
    },
    validate_connection: {
      // Who hears nothing for a while sends the password once more.
      tags: ['busy', 'secret'],
      invoke: {
        id: 'connectWordPress',
        src: 'connectWordPress',
        input: ({ context: { run, userId, projectId, site, login, sealed, attempts } }) => ({
          key: `${run}:connect:${attempts}`,
          run,
          userId,
          projectId,
          url: site!.url,
          login: login!,
          sealed: sealed!,
        }),
        onDone: {
          target: 'connected',
          actions: { type: 'rememberConnection', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'isTooOften', params: ({ event }) => event },
            target: 'password',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
          { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    connected: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

const LONGEST_LOGIN = 100;

/** Four to six groups of four letters or digits, as WordPress shows them or run together. */
const groupsOfFour = /^(?:[a0]{4}\s*){3,5}[a0]{4}$/u;
