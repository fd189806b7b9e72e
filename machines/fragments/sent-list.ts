import type { DoneActorEvent } from 'xstate';
import type { FlowInput, TextReceived } from '../flow-input.ts';
import type { FileReceived, Material } from '../sent-material.ts';
import { failed } from './with-event.ts';

/** A list for a category, as a person sends it: phrases, prices. */
export type SentList<Category extends { categoryId: number }> = {
  /** Null as long as the host knows no category. */
  category: Category | null;
  /** What the person sent, while it is worked on. */
  material: Material | null;
  /** Every list that is sent has a key of its own: never set back, not for another category either. */
  attempts: number;
};

export type ListInput = { key: string; userId: number; categoryId: number; material: Material };

type AnyList = SentList<{ categoryId: number }>;

/** The list is there: work on it begins under a new key. */
export const taken = <List extends AnyList>(list: List, material: Material): List => ({
  ...list,
  material,
  attempts: list.attempts + 1,
});

/** What a person may answer with. */
export const takesText = <const Target extends string, const Action extends string>(
  target: Target,
  type: Action,
) => ({
  'text.received': {
    target,
    actions: { type, params: ({ event }: { event: TextReceived }) => ({ text: event.text }) },
  },
});
export const takesFile = <const Target extends string, const Action extends string>(
  target: Target,
  type: Action,
) => ({
  'file.received': {
    target,
    actions: { type, params: ({ event }: { event: FileReceived }) => ({ file: event.file }) },
  },
});

/** One piece of work under one key, whichever of a host's states is stored; a list that is refused leads back. */
export const listWork =
  <
    const Src extends string,
    const Remember extends string,
    const Refuse extends string,
    Context extends FlowInput,
    Output,
    Remembered,
  >({
    src,
    listOf,
    remember,
    remembered,
    refuse,
  }: {
    src: Src;
    listOf: (context: Context) => AnyList;
    remember: Remember;
    remembered: (output: Output) => Remembered;
    refuse: Refuse;
  }) =>
  <const Done extends string, const Refused extends string>({
    done,
    refused,
  }: {
    done: Done;
    refused: Refused;
  }) => ({
    tags: 'busy' as const,
    invoke: {
      id: src,
      src,
      input: ({ context }: { context: Context }): ListInput => {
        const { category, material, attempts } = listOf(context);
        return {
          key: `${context.run}:${src}:${attempts}`,
          userId: context.userId,
          categoryId: category!.categoryId,
          material: material!,
        };
      },
      onDone: {
        target: done,
        actions: {
          type: remember,
          params: ({ event }: { event: DoneActorEvent<Output> }) => remembered(event.output),
        },
      },
      onError: {
        target: refused,
        actions: failed(refuse),
      },
    },
  });
