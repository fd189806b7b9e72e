import type { DoneActorEvent, EventObject } from 'xstate';
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
import { failed, withEvent } from './with-event.ts';

export type VkGroupChoice = { id: number; name: string; members: number | null };

/** What a key opens, as VK tells of it. */
export type VkKey = {
  /** Of a community it is the key to that one; of a person, to all in which they may publish. */
  kind: 'community' | 'person';
  groups: VkGroupChoice[];
};

export type ReadVkKeyInput = { run: string; userId: number; sealed: string };
export type ConnectVkInput = ConnectInput & { groupId: number; sealed: string };

/** What was answered so far. */
type VkAnswers = {
  sealed: string | null;
  known: VkKey | null;
  groupId: number | null;
  page: number;
  helpWanted: boolean;
  /** Every try has a key of its own: counted over the whole run, also when it is asked anew. */
  attempts: number;
  invalid: boolean;
};

/** The part of the host's context that the questions need. */
export type VkSlice = ConnectionSlice & { vk: VkAnswers };

export type VkEvent =
  | SecretReceived
  | { type: 'group.chosen'; index: number }
  | { type: 'page.turned'; page: number }
  | { type: 'key.changed' }
  | { type: 'help.asked' }
  | { type: 'retried' };

export const noVkYet: VkAnswers = {
  sealed: null,
  known: null,
  groupId: null,
  page: 1,
  helpWanted: false,
  attempts: 0,
  invalid: false,
};

export const vkActors = {
  readVkKey: port<VkKey, ReadVkKeyInput>('readVkKey'),
  connectVk: port<{ connectionId: number }, ConnectVkInput>('connectVk'),
};

type InSlice = { context: VkSlice };
type Index = { index: number };

/** Letters and digits stand as `a` and `0`: VK's keys are long words, today after `vk1.a.`. */
const keyShape = /^[\w.-]{20,}$/u;

export const vkGuards = {
  ...connectionGuards,
  isVkKey: (_: unknown, { shape }: Secret) => keyShape.test(shape),
  hasVkKey: ({ context }: InSlice) => context.vk.sealed !== null,
  /** The key of a community opens that one alone: there is nothing to choose. */
  isKeyOfOneGroup: ({ context }: InSlice) => context.vk.known?.kind === 'community',
  isGroup: ({ context }: InSlice, { index }: Index) => context.vk.known?.groups[index] !== undefined,
};

export const vkActions = <Context extends VkSlice, Event extends EventObject>() => {
  const { note, answer } = answersIn<VkSlice, VkAnswers, Context, Event>(
    ({ vk }, more) => ({ vk: { ...vk, ...more } }),
    { invalid: false },
  );
  const next = ({ vk }: VkSlice) => ({ attempts: vk.attempts + 1 });
  return {
    ...connectionActions<Context, Event>(),
    askForVk: answer(({ vk: { attempts } }) => ({ ...noVkYet, attempts })),
    rememberVkKey: answer<Secret>((_, { sealed }) => ({ sealed, known: null, groupId: null })),
    rememberVkGroups: answer<{ known: VkKey }>((_, { known }) => ({ known, page: 1 })),
    rememberGroup: answer<Index>((slice, { index }) => ({
      groupId: slice.vk.known!.groups[index]!.id,
      ...next(slice),
    })),
    takeOnlyGroup: answer((slice) => ({ groupId: slice.vk.known!.groups[0]!.id, ...next(slice) })),
    turnGroupPage: answer<{ page: number }>((_, { page }) => ({ page })),
    forgetVkKey: answer(() => ({ sealed: null, known: null, groupId: null })),
    showVkHelp: note(() => ({ helpWanted: true })),
    rejectVkKey: answer(() => ({ invalid: true })),
  };
};

const chosen = <const Type extends string>(type: Type) => withEvent<Type, Index>(type);

/**
 * From a key of VK to a connected community. The host names the states, says what else a person may do at every
 * question (`ways`), and where the ends lead.
 */
export const vkQuestions = <
  const Token extends string,
  const Reading extends string,
  const Group extends string,
  const Saving extends string,
  const Connected extends string,
  const Failing extends string,
  const Ways extends object,
>({
  token,
  reading,
  group,
  saving,
  ends,
  ways,
}: {
  token: Token;
  reading: Reading;
  group: Group;
  saving: Saving;
  ends: { connected: Connected; failed: Failing };
  ways: Ways;
}) => ({
  ...named(token, {
    tags: 'secret',
    on: {
      'secret.received': [
        { guard: told('isVkKey'), target: reading, actions: told('rememberVkKey') },
        { actions: 'rejectVkKey' },
      ],
      'help.asked': { actions: 'showVkHelp' },
      retried: { guard: 'hasVkKey', target: reading },
      ...ways,
    },
  }),
  ...named(reading, {
    // A person who hears nothing for a while sends the key once more.
    tags: ['busy', 'secret'],
    invoke: {
      id: 'readVkKey',
      src: 'readVkKey',
      input: ({ context: { run, userId, vk } }: InSlice) => ({ run, userId, sealed: vk.sealed! }),
      onDone: {
        target: group,
        actions: {
          type: 'rememberVkGroups',
          params: ({ event }: { event: DoneActorEvent<VkKey> }) => ({ known: event.output }),
        },
      },
      onError: { target: token, actions: failed('rememberRefusal') },
    },
  }),
  ...named(group, {
    always: { guard: 'isKeyOfOneGroup', target: saving, actions: 'takeOnlyGroup' },
    on: {
      'group.chosen': { guard: chosen('isGroup'), target: saving, actions: chosen('rememberGroup') },
      'page.turned': {
        actions: { type: 'turnGroupPage', params: ({ event }: { event: { page: number } }) => event },
      },
      'key.changed': { target: token, actions: 'forgetVkKey' },
      ...ways,
    },
  }),
  ...named(saving, {
    tags: ['busy', 'secret'],
    invoke: {
      id: 'connectVk',
      src: 'connectVk',
      input: ({ context }: InSlice) => ({
        ...connectInput(context, 'vk', context.vk.attempts),
        groupId: context.vk.groupId!,
        sealed: context.vk.sealed!,
      }),
      onDone: { target: ends.connected, actions: connected },
      onError: [
        // Of the only one there is nothing else to choose: X24 ends it, anything else may pass with another try.
        { guard: failed('isTaken'), target: ends.failed, actions: failed('rememberRefusal') },
        { guard: 'isKeyOfOneGroup', target: token, actions: failed('rememberRefusal') },
        { target: group, actions: failed('rememberRefusal') },
      ],
    },
  }),
});
