import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
import { type Failure, failedAgain, toFailure } from '../failure.ts';
import { sliceChange } from './change-slice.ts';

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

export const connectionGuards = {
  /** X24: another person has it, and no other answer to these questions would change that. */
  isTaken: (_: unknown, { error }: Failed) => toFailure(error).code === 'TARGET_TAKEN',
};

export const connectionActions = <Context extends ConnectionSlice, Event extends EventObject>() => {
  const change = sliceChange<ConnectionSlice, Context, Event>();
  return {
    rememberConnection: change<Connected>((_, { connectionId }) => ({ connectionId })),
    rememberRefusal: change<Failed>(({ failure }, { error }) => ({ failure: failedAgain(failure, error) })),
  };
};

export const connected = {
  type: 'rememberConnection',
  params: ({ event }: { event: DoneActorEvent<Connected> }) => event.output,
} as const;

export const failed = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: ErrorActorEvent }) => event,
});

export const told = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: Secret }) => event,
});

/** So many communities or boards are offered; a session stays small, and a longer list is not read anyway. */
export const MOST_CHOICES = 24;
/** As many letters as a button shows. */
export const CHOICE_LETTERS = 40;
