import { setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  type CategoryEvent,
  type CategorySlice,
  categoryActions,
  categoryActors,
  categoryGuards,
  categoryQuestion,
} from './fragments/category-question.ts';

type Input = FlowInput & { projectId: number; projectName: string };
type Context = CategorySlice & Input;
type Event = CategoryEvent | Cancelled;

export const categoryCreateMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: categoryActors,
  guards: categoryGuards,
  actions: categoryActions<Context, Event>(),
}).createMachine({
  id: 'CategoryCreate',
  context: ({ input }) => ({ ...input, name: null, misfit: null, categoryId: null, failure: null }),
  initial: 'name',
  states: {
    ...categoryQuestion({
      name: 'name',
      saving: 'saving',
      saveFailed: 'save_failed',
      done: 'created',
      ways: { cancelled: 'cancelled' },
    }),
    created: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
