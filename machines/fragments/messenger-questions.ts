import type { DoneActorEvent, EventObject } from 'xstate';
import { isMaxLink, type MessengerName, readMaxTarget, readTelegramTarget } from '../channel-address.ts';
import type { TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import {
  answersIn,
  type ConnectInput,
  type ConnectionSlice,
  connected,
  connectInput,
  connectionActions,
  connectionGuards,
  type Secret,
  type SecretReceived,
  told,
} from './connection-slice.ts';
import { named } from './named.ts';
import { failed, typed, withEvent } from './with-event.ts';

/** The chooser's request: an answer to another one is not for this question. */
export const CHANNEL_REQUEST = 1;

export type SharedChat = {
  requestId: number;
  chatId: string;
  title: string | null;
  username: string | null;
};

export type AwaitChatInput = { run: string; userId: number; sealed: string };
export type FoundChat = { target: string; title: string | null };
export type ConnectChannelInput = ConnectInput & {
  platform: MessengerName;
  target: string;
  /** Null: our own bot is the channel's administrator. */
  sealed: string | null;
};

/** What was answered so far. */
type MessengerAnswers = {
  platform: MessengerName;
  /** The channel, as a messenger's API takes it; null until it is known. */
  target: string | null;
  /** As the person knows it. */
  title: string | null;
  /** Our own bot publishes, so that no token is asked for. */
  own: boolean;
  sealed: string | null;
  /** Every try has a key of its own: counted over the whole run, also when it is asked anew. */
  attempts: number;
  invalid: boolean;
};

/** The part of the host's context that the questions need. */
export type MessengerSlice = ConnectionSlice & { messenger: MessengerAnswers };

export type MessengerEvent =
  | TextReceived
  | { type: 'chat.shared'; chat: SharedChat }
  | { type: 'chat.unknown' }
  | { type: 'channel.changed' }
  | SecretReceived
  | { type: 'retried' };

export const noMessengerYet = (platform: MessengerName): MessengerAnswers => ({
  platform,
  target: null,
  title: null,
  own: false,
  sealed: null,
  attempts: 0,
  invalid: false,
});

export const messengerActors = {
  awaitChat: port<FoundChat, AwaitChatInput>('awaitChat'),
  connectChannel: port<{ connectionId: number }, ConnectChannelInput>('connectChannel'),
};

type InSlice = { context: MessengerSlice };
type Typed = { text: string };
type Shared = { chat: SharedChat };

type Traits = {
  readTarget(text: string): string | null;
  /** Letters and digits of a token stand as `a` and `0` in its shape. */
  token: RegExp;
  /** The messenger's own list of channels, which makes our bot an administrator of the chosen one. */
  hasChooser: boolean;
  /** A chat with an unknown id is found when the person adds their bot to it. */
  findsChats: boolean;
};

const traits: Readonly<Record<MessengerName, Traits>> = {
  telegram: {
    ...{ readTarget: readTelegramTarget, token: /^0{6,}:[a0_-]{30,}$/u },
    ...{ hasChooser: true, findsChats: false },
  },
  max: { readTarget: readMaxTarget, token: /^[\w.:=-]{20,}$/u, hasChooser: false, findsChats: true },
};
/** Its chooser stands in the place of the usual keys while a channel is asked for. */
export const hasChooser = (platform: MessengerName): boolean => traits[platform].hasChooser;
const traitsIn = ({ context }: InSlice): Traits => traits[context.messenger.platform];

export const messengerGuards = {
  ...connectionGuards,
  isAnswerOfChooser: (slice: InSlice, { chat }: Shared) =>
    traitsIn(slice).hasChooser && chat.requestId === CHANNEL_REQUEST,
  isChannel: (slice: InSlice, { text }: Typed) => traitsIn(slice).readTarget(text) !== null,
  isLinkWithoutNumber: (slice: InSlice, { text }: Typed) => traitsIn(slice).findsChats && isMaxLink(text),
  canBeFound: (slice: InSlice) => traitsIn(slice).findsChats,
  isBotToken: (slice: InSlice, { shape }: Secret) => traitsIn(slice).token.test(shape),
  isBotTokenOfLostChat: (slice: InSlice, { shape }: Secret) =>
    slice.context.messenger.target === null && traitsIn(slice).token.test(shape),
  hasBotToken: ({ context }: InSlice) =>
    context.messenger.sealed !== null && context.messenger.target !== null,
  hasBotTokenOfLostChat: ({ context }: InSlice) =>
    context.messenger.sealed !== null && context.messenger.target === null,
  isOwnBot: ({ context }: InSlice) => context.messenger.own,
  canRepeatOwn: ({ context }: InSlice) => context.messenger.own && context.messenger.target !== null,
};

export const messengerActions = <Context extends MessengerSlice, Event extends EventObject>() => {
  const { note, answer } = answersIn<MessengerSlice, MessengerAnswers, Context, Event>(
    ({ messenger }, more) => ({ messenger: { ...messenger, ...more } }),
    { invalid: false },
  );
  const next = ({ messenger }: MessengerSlice) => ({ attempts: messenger.attempts + 1 });
  return {
    ...connectionActions<Context, Event>(),
    askForChannel: answer<{ platform: MessengerName }>(({ messenger: { attempts } }, { platform }) => ({
      ...noMessengerYet(platform),
      attempts,
    })),
    rememberSharedChat: answer<Shared>((slice, { chat }) => ({
      ...{ target: chat.chatId, title: chat.username ? `@${chat.username}` : chat.title },
      ...{ own: true, sealed: null, ...next(slice) },
    })),
    rememberChannel: answer<Typed>(({ messenger }, { text }) => {
      const target = traits[messenger.platform].readTarget(text);
      return { target, title: target, own: false, sealed: null };
    }),
    searchForChat: answer(() => ({ target: null, title: null, own: false, sealed: null })),
    rememberFoundChat: answer<FoundChat>((slice, { target, title }) => ({ target, title, ...next(slice) })),
    rememberBotToken: answer<Secret>((slice, { sealed }) => ({ sealed, own: false, ...next(slice) })),
    // What was wrong before stays known: the same refusal is then told as a second one.
    tryChannelAgain: note((slice) => ({ invalid: false, ...next(slice) })),
    forgetChannel: answer(() => ({ target: null, title: null, own: false, sealed: null })),
    rejectChannel: answer(() => ({ invalid: true })),
    askChannelAnew: note(() => ({ invalid: false })),
  };
};

const shared = <const Type extends string>(type: Type) => withEvent<Type, Shared>(type);
const found = {
  type: 'rememberFoundChat',
  params: ({ event }: { event: DoneActorEvent<FoundChat> }) => event.output,
} as const;
/**
 * From a channel of Telegram or a chat of MAX to a connection that may publish there. First the chooser, by which our
 * own bot becomes the channel's administrator; beside it the channel's address and a bot of the person's own. The
 * host names the states, says what else a person may do at every question (`ways`), and where the ends lead.
 */
export const messengerQuestions = <
  const Channel extends string,
  const Token extends string,
  const Searching extends string,
  const Verifying extends string,
  const Connected extends string,
  const Failing extends string,
  const Ways extends object,
  const AtChannel extends object,
>({
  channel,
  token,
  searching,
  verifying,
  ends,
  ways,
  atChannel,
}: {
  channel: Channel;
  token: Token;
  /** Waits until the person has added their bot to the chat. */
  searching: Searching;
  verifying: Verifying;
  ends: { connected: Connected; failed: Failing };
  ways: Ways;
  /** What else may happen at the first question. */
  atChannel: AtChannel;
}) => ({
  ...named(channel, {
    on: {
      'chat.shared': {
        guard: shared('isAnswerOfChooser'),
        target: verifying,
        actions: shared('rememberSharedChat'),
      },
      'text.received': [
        { guard: typed('isChannel'), target: token, actions: typed('rememberChannel') },
        { guard: typed('isLinkWithoutNumber'), target: token, actions: 'searchForChat' },
        { actions: 'rejectChannel' },
      ],
      'chat.unknown': { guard: 'canBeFound', target: token, actions: 'searchForChat' },
      retried: { guard: 'canRepeatOwn', target: verifying, actions: 'tryChannelAgain' },
      ...atChannel,
      ...ways,
    },
  }),
  ...named(token, {
    tags: 'secret',
    on: {
      'secret.received': [
        { guard: told('isBotTokenOfLostChat'), target: searching, actions: told('rememberBotToken') },
        { guard: told('isBotToken'), target: verifying, actions: told('rememberBotToken') },
        { actions: 'rejectChannel' },
      ],
      'chat.shared': {
        guard: shared('isAnswerOfChooser'),
        target: verifying,
        actions: shared('rememberSharedChat'),
      },
      retried: [
        { guard: 'hasBotToken', target: verifying, actions: 'tryChannelAgain' },
        { guard: 'hasBotTokenOfLostChat', target: searching, actions: 'tryChannelAgain' },
      ],
      'channel.changed': { target: channel, actions: 'forgetChannel' },
      ...ways,
    },
  }),
  ...named(searching, {
    tags: ['busy', 'secret'],
    on: { 'channel.changed': { target: channel, actions: 'forgetChannel' }, ...ways },
    invoke: {
      id: 'awaitChat',
      src: 'awaitChat',
      input: ({ context: { run, userId, messenger } }: InSlice) => ({
        run,
        userId,
        sealed: messenger.sealed!,
      }),
      onDone: { target: verifying, actions: found },
      onError: { target: token, actions: failed('rememberRefusal') },
    },
  }),
  ...named(verifying, {
    // A person who hears nothing for a while sends the token once more.
    tags: ['busy', 'secret'],
    invoke: {
      id: 'connectChannel',
      src: 'connectChannel',
      input: ({ context }: InSlice) => ({
        ...connectInput(context, 'channel', context.messenger.attempts),
        platform: context.messenger.platform,
        target: context.messenger.target!,
        sealed: context.messenger.sealed,
      }),
      onDone: { target: ends.connected, actions: connected },
      onError: [
        { guard: failed('isTaken'), target: ends.failed, actions: failed('rememberRefusal') },
        { guard: 'isOwnBot', target: channel, actions: failed('rememberRefusal') },
        { target: token, actions: failed('rememberRefusal') },
      ],
    },
  }),
});
