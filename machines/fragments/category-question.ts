import type { DoneActorEvent, EventObject } from 'xstate';
import { type Failure, failedAgain } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import type { Misfit } from '../misfit.ts';
import { port } from '../ports.ts';
import { isCategoryName, misfitOf, tidy } from '../project-fields.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { type Keyed, runKey } from './run-key.ts';
import { failed, typed } from './with-event.ts';

export type SaveCategoryInput = { key: string; userId: number; projectId: number; name: string };

/** The part of the host's context that the question needs. The project is known when it is asked. */
export type CategorySlice = Keyed & {
  userId: number;
  projectId: number | null;
  projectName: string | null;
  categoryId: number | null;
  /** As it was typed. */
  name: string | null;
  misfit: Misfit | null;
  failure: Failure | null;
};

export type CategoryEvent = TextReceived | { type: 'retried' };

export const categoryActors = {
  saveCategory: port<{ categoryId: number }, SaveCategoryInput>('saveCategory'),
};

type Typed = { text: string };
type InSlice = { context: CategorySlice };

export const categoryGuards = {
  isCategoryName: (_: unknown, { text }: Typed) => isCategoryName(text),
};

export const categoryActions = <Context extends CategorySlice, Event extends EventObject>() => {
  const change = sliceChange<CategorySlice, Context, Event>();
  return {
    rememberCategoryName: change<Typed>((_, { text }) => ({ name: tidy(text), misfit: null })),
    rejectCategoryName: change<Typed>((_, { text }) => ({ misfit: misfitOf('name', text) })),
    rememberCategory: change<{ categoryId: number }>((_, { categoryId }) => ({ categoryId })),
    rememberSaveFailure: change<{ error: unknown }>(({ failure }, { error }) => ({
      failure: failedAgain(failure, error),
      misfit: null,
    })),
  };
};

/** What a new category is about, and its saving. The host names the states and says where each end leads. */
export const categoryQuestion = <
  const Name extends string,
  const Saving extends string,
  const SaveFailed extends string,
  const Done extends string,
  const Ways extends object,
>({
  name,
  saving,
  saveFailed,
  done,
  ways,
}: {
  name: Name;
  saving: Saving;
  saveFailed: SaveFailed;
  done: Done;
  ways: Ways;
}) => ({
  ...named(name, {
    on: {
      'text.received': [
        { guard: typed('isCategoryName'), target: saving, actions: typed('rememberCategoryName') },
        { actions: typed('rejectCategoryName') },
      ],
      ...ways,
    },
  }),
  ...named(saving, {
    tags: 'busy',
    invoke: {
      id: 'saveCategory',
      src: 'saveCategory',
      input: ({ context }: InSlice) => ({
        key: runKey(context, 'saveCategory'),
        userId: context.userId,
        projectId: context.projectId!,
        name: context.name!,
      }),
      onDone: {
        target: done,
        actions: {
          type: 'rememberCategory',
          params: ({ event }: { event: DoneActorEvent<{ categoryId: number }> }) => event.output,
        },
      },
      onError: {
        target: saveFailed,
        actions: failed('rememberSaveFailure'),
      },
    },
  }),
  ...named(saveFailed, { on: { retried: saving, ...ways } }),
});
