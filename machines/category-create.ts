import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import type { Misfit } from './misfit.ts';
import { port } from './ports.ts';
import { isCategoryName, misfitOf, tidy } from './project-fields.ts';

export type SaveCategoryInput = { key: string; userId: number; projectId: number; name: string };

type Input = FlowInput & { projectId: number; projectName: string };
type Context = Input & {
  name: string | null;
  misfit: Misfit | null;
  categoryId: number | null;
  failure: Failure | null;
};
type Event = TextReceived | Cancelled | { type: 'retried' };

export const categoryCreateMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: {
    saveCategory: port<{ categoryId: number }, SaveCategoryInput>('saveCategory'),
  },
  guards: {
    isName: (_, { text }: { text: string }) => isCategoryName(text),
  },
  actions: {
    rememberName: assign({ name: (_, { text }: { text: string }) => tidy(text), misfit: null }),
    rejectName: assign({ misfit: (_, { text }: { text: string }) => misfitOf('name', text) }),
    rememberCategory: assign({ categoryId: (_, p: { categoryId: number }) => p.categoryId }),
    rememberFailure: assign({
      failure: ({ context }, p: { error: unknown }) => failedAgain(context.failure, p.error),
    }),
  },
}).createMachine({
  id: 'CategoryCreate',
  context: ({ input }) => ({ ...input, name: null, misfit: null, categoryId: null, failure: null }),
  initial: 'name',
  states: {
    name: {
      on: {
        'text.received': [
          {
            guard: { type: 'isName', params: ({ event }) => event },
            target: 'saving',
            actions: { type: 'rememberName', params: ({ event }) => event },
          },
          { actions: { type: 'rejectName', params: ({ event }) => event } },
        ],
        cancelled: 'cancelled',
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveCategory',
        src: 'saveCategory',
        input: ({ context }) => ({
          key: `${context.run}:saveCategory`,
          userId: context.userId,
          projectId: context.projectId,
          name: context.name!,
        }),
        onDone: {
          target: 'created',
          actions: { type: 'rememberCategory', params: ({ event }) => event.output },
        },
        onError: {
          target: 'save_failed',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    save_failed: {
      on: { retried: 'saving', cancelled: 'cancelled' },
    },
    created: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
