import type { DoneActorEvent, EventObject } from 'xstate';
import { type Failure, failedAgain, toFailure } from '../failure.ts';
import { sliceChange } from './change-slice.ts';
import { withEvent } from './with-event.ts';

/** The part of a host's context that every way of connecting a channel needs. The project is known by then. */
export type ConnectionSlice = {
  run: string;
  userId: number;
  projectId: number | null;
  projectName: string | null;
  connectionId: number | null;
  failure: Failure | null;
};

type Failed = { error: unknown };
export type Connected = { connectionId: number };
export type Secret = { sealed: string; shape: string };
export type SecretReceived = { type: 'secret.received' } & Secret;

/** What every connecting service is given. */
export type ConnectInput = {
  key: string;
  /** What the platform's token was sealed for. */
  run: string;
  userId: number;
  projectId: number;
};

export const connectInput = (
  { run, userId, projectId }: ConnectionSlice,
  platform: string,
  attempts: number,
): ConnectInput => ({ key: `${run}:${platform}:${attempts}`, run, userId, projectId: projectId! });

export const connectionGuards = {
  /** X24: another person has it, and no other answer to these questions would change that. */
  isTaken: (_: unknown, { error }: Failed) => toFailure(error).code === 'TARGET_TAKEN',
};

export const connectionActions = <Context extends ConnectionSlice, Event extends EventObject>() => {
  const change = sliceChange<ConnectionSlice, Context, Event>();
  return {
    rememberConnection: change<Connected>((_, { connectionId }) => ({ connectionId, failure: null })),
    rememberRefusal: change<Failed>(({ failure }, { error }) => ({ failure: failedAgain(failure, error) })),
  };
};

/**
 * Changes to the answers that a fragment keeps in its slice; `put` lays new ones over the known. `note` does no more
 * than that, `answer` also settles what was wrong before.
 */
export const answersIn = <
  Slice extends ConnectionSlice,
  Answers extends object,
  Context extends Slice,
  Event extends EventObject,
>(
  put: (slice: Slice, answers: Partial<Answers>) => Partial<Slice>,
  settled: Partial<Answers> = {},
) => {
  const change = sliceChange<Slice, Context, Event>();
  type Given<Params> = (slice: Slice, params: Params) => Partial<Answers>;
  return {
    note: <Params>(noted: Given<Params>) =>
      change<Params>((slice, params) => put(slice, noted(slice, params))),
    answer: <Params>(answered: Given<Params>) =>
      change<Params>((slice, params) => ({
        ...put(slice, { ...settled, ...answered(slice, params) }),
        failure: null,
      })),
  };
};

export const connected = {
  type: 'rememberConnection',
  params: ({ event }: { event: DoneActorEvent<Connected> }) => event.output,
} as const;

export const told = <const Type extends string>(type: Type) => withEvent<Type, Secret>(type);

/** So many communities or boards are offered; a session stays small, and a longer list is not read anyway. */
export const MOST_CHOICES = 24;
/** As many letters as a button shows. */
export const CHOICE_LETTERS = 40;
