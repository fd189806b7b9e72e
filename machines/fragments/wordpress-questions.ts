import type { DoneActorEvent, EventObject } from 'xstate';
import { type Failure, failedTheSame, toFailure } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import { fitsProjectField, tidy } from '../project-fields.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { failed, typed, withEvent } from './with-event.ts';

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

/** What was answered so far. */
type WordPressAnswers = {
  url: string | null;
  site: ReachedSite | null;
  login: string | null;
  sealed: string | null;
  helpWanted: boolean;
  /** Every password has a key of its own. */
  attempts: number;
  invalid: boolean;
};

/** The part of the host's context that the questions need. The project is known when they are asked. */
export type WordPressSlice = {
  run: string;
  userId: number;
  projectId: number | null;
  projectName: string | null;
  /** The project's own site, offered for one press. */
  ownSite: string | null;
  wordpress: WordPressAnswers;
  connectionId: number | null;
  failure: Failure | null;
};

export type WordPressEvent =
  | TextReceived
  | { type: 'site.taken' }
  | { type: 'duplicate.accepted' }
  | { type: 'address.reopened' }
  | { type: 'login.reopened' }
  | { type: 'access.granted' }
  | { type: 'help.asked' }
  | { type: 'retried' }
  | { type: 'secret.received'; sealed: string; shape: string };

export const noWordPressYet: WordPressAnswers = {
  url: null,
  site: null,
  login: null,
  sealed: null,
  helpWanted: false,
  attempts: 0,
  invalid: false,
};

export const wordPressActors = {
  reachSite: port<ReachedSite, ReachSiteInput>('reachSite'),
  takeGrant: port<Grant, TakeGrantInput>('takeGrant'),
  connectWordPress: port<{ connectionId: number }, ConnectWordPressInput>('connectWordPress'),
};

type InSlice = { context: WordPressSlice };
type Typed = { text: string };
type Secret = { sealed: string; shape: string };
type Reached = { site: ReachedSite };
type Failed = { error: unknown };

const LONGEST_LOGIN = 100;

/** Four to six groups of four letters or digits, as WordPress shows them or run together. */
const groupsOfFour = /^(?:[a0]{4}\s*){3,5}[a0]{4}$/u;

export const wordPressGuards = {
  hasOwnSite: ({ context }: InSlice) => context.ownSite !== null,
  hasAddress: ({ context }: InSlice) => context.wordpress.url !== null,
  isAddress: (_: unknown, { text }: Typed) => fitsProjectField('website_url', text),
  isInOtherProject: (_: unknown, { site }: Reached) => site.otherProject !== null,
  isLogin: (_: unknown, { text }: Typed) => tidy(text).length >= 1 && tidy(text).length <= LONGEST_LOGIN,
  offersGrant: ({ context }: InSlice) => context.wordpress.site!.authorization !== null,
  hasSecret: ({ context }: InSlice) => context.wordpress.sealed !== null,
  isApplicationPassword: (_: unknown, { shape }: Secret) => groupsOfFour.test(shape),
  /** E25: nothing was tried, so the question stands. */
  isTooOften: (_: unknown, { error }: Failed) => toFailure(error).code === 'RATE_LIMIT',
};

export const wordPressActions = <Context extends WordPressSlice, Event extends EventObject>() => {
  const change = sliceChange<WordPressSlice, Context, Event>();
  const note = <Params>(noted: (slice: WordPressSlice, params: Params) => Partial<WordPressAnswers>) =>
    change<Params>((slice, params) => ({ wordpress: { ...slice.wordpress, ...noted(slice, params) } }));
  /** The failure before it stays until something succeeds: a second one that equals it has to look different. */
  const tried = <Params>(answered: (slice: WordPressSlice, params: Params) => Partial<WordPressAnswers>) =>
    note<Params>((slice, params) => ({ invalid: false, ...answered(slice, params) }));
  /** What was wrong before is settled. */
  const answer = <Params>(answered: (slice: WordPressSlice, params: Params) => Partial<WordPressAnswers>) =>
    change<Params>((slice, params) => ({
      wordpress: { ...slice.wordpress, invalid: false, ...answered(slice, params) },
      failure: null,
    }));
  const next = ({ wordpress }: WordPressSlice) => ({ attempts: wordpress.attempts + 1 });
  return {
    rememberUrl: tried<Typed>((_, { text }) => ({ url: tidy(text) })),
    // Without its scheme, which may be the one that we added: the site itself shows which one it has.
    takeOwnSite: tried(({ ownSite }) => ({ url: ownSite!.replace(/^https?:\/\//iu, '') })),
    forgetSite: answer(() => ({ site: null, login: null, sealed: null })),
    rememberSite: answer<Reached>((_, { site }) => ({ site })),
    rememberLogin: answer<Typed>((_, { text }) => ({ login: tidy(text) })),
    rememberSecret: tried<Secret>((slice, { sealed }) => ({ sealed, ...next(slice) })),
    rememberGrant: answer<Grant>((slice, { login, sealed }) => ({ login, sealed, ...next(slice) })),
    showHelp: note(() => ({ helpWanted: true })),
    rejectAnswer: answer(() => ({ invalid: true })),
    tryAgain: tried(() => ({})),
    rememberConnection: change<{ connectionId: number }>((_, { connectionId }) => ({
      connectionId,
      failure: null,
    })),
    rememberFailure: change<Failed>(({ failure }, { error }) => ({ failure: failedTheSame(failure, error) })),
  };
};

const told = <const Type extends string>(type: Type) => withEvent<Type, Secret>(type);
const reached = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: DoneActorEvent<ReachedSite> }) => ({ site: event.output }),
});
const given = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: DoneActorEvent<Grant> }) => event.output,
});
const connection = {
  type: 'rememberConnection',
  params: ({ event }: { event: DoneActorEvent<{ connectionId: number }> }) => event.output,
} as const;

/**
 * From the address of a WordPress site to a connection that works. The host names the states, says what else a person
 * may do at every question (`ways`), and where a connection and a refusal lead.
 */
export const wordPressQuestions = <
  const Url extends string,
  const Checking extends string,
  const Duplicate extends string,
  const Login extends string,
  const Granting extends string,
  const Password extends string,
  const Validating extends string,
  const Connected extends string,
  const Failing extends string,
  const Ways extends object,
>({
  url,
  checking,
  duplicate,
  login,
  granting,
  password,
  validating,
  ends,
  ways,
}: {
  url: Url;
  checking: Checking;
  duplicate: Duplicate;
  login: Login;
  granting: Granting;
  password: Password;
  validating: Validating;
  ends: { connected: Connected; failed: Failing };
  ways: Ways;
}) => {
  const anotherAddress = { 'address.reopened': { target: url, actions: 'forgetSite' } } as const;
  return {
    ...named(url, {
      on: {
        'text.received': [
          { guard: typed('isAddress'), target: checking, actions: typed('rememberUrl') },
          { actions: 'rejectAnswer' },
        ],
        'site.taken': { guard: 'hasOwnSite', target: checking, actions: 'takeOwnSite' },
        retried: { guard: 'hasAddress', target: checking, actions: 'tryAgain' },
        ...ways,
      },
    }),
    ...named(checking, {
      tags: 'busy',
      invoke: {
        id: 'reachSite',
        src: 'reachSite',
        input: ({ context: { run, userId, projectId, wordpress } }: InSlice) => ({
          run,
          userId,
          projectId: projectId!,
          url: wordpress.url!,
        }),
        onDone: [
          { guard: reached('isInOtherProject'), target: duplicate, actions: reached('rememberSite') },
          { target: login, actions: reached('rememberSite') },
        ],
        onError: { target: url, actions: failed('rememberFailure') },
      },
    }),
    ...named(duplicate, { on: { 'duplicate.accepted': login, ...anotherAddress, ...ways } }),
    ...named(login, {
      on: {
        'text.received': [
          { guard: typed('isLogin'), target: password, actions: typed('rememberLogin') },
          { actions: 'rejectAnswer' },
        ],
        'access.granted': { guard: 'offersGrant', target: granting, actions: 'tryAgain' },
        ...anotherAddress,
        ...ways,
      },
    }),
    ...named(granting, {
      tags: 'busy',
      invoke: {
        id: 'takeGrant',
        src: 'takeGrant',
        input: ({ context: { userId, wordpress } }: InSlice) => ({
          userId,
          nonce: wordpress.site!.authorization!.nonce,
        }),
        onDone: { target: validating, actions: given('rememberGrant') },
        onError: { target: login, actions: failed('rememberFailure') },
      },
    }),
    ...named(password, {
      tags: 'secret',
      on: {
        'secret.received': [
          { guard: told('isApplicationPassword'), target: validating, actions: told('rememberSecret') },
          { actions: 'rejectAnswer' },
        ],
        'help.asked': { actions: 'showHelp' },
        retried: { guard: 'hasSecret', target: validating, actions: 'tryAgain' },
        // The site is looked at once more: its link for granting access serves once.
        'login.reopened': { target: checking, actions: 'forgetSite' },
        ...ways,
      },
    }),
    ...named(validating, {
      // A person who hears nothing for a while sends the password once more.
      tags: ['busy', 'secret'],
      invoke: {
        id: 'connectWordPress',
        src: 'connectWordPress',
        input: ({ context: { run, userId, projectId, wordpress } }: InSlice) => ({
          key: `${run}:connect:${wordpress.attempts}`,
          run,
          userId,
          projectId: projectId!,
          url: wordpress.site!.url,
          login: wordpress.login!,
          sealed: wordpress.sealed!,
        }),
        onDone: { target: ends.connected, actions: connection },
        onError: [
          { guard: failed('isTooOften'), target: password, actions: failed('rememberFailure') },
          { target: ends.failed, actions: failed('rememberFailure') },
        ],
      },
    }),
  };
};
