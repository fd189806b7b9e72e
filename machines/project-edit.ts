import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import type { Misfit } from './misfit.ts';
import { port } from './ports.ts';
import {
  fitsProjectField,
  misfitOf,
  type ProjectField,
  projectFieldRules,
  projectFieldValue,
} from './project-fields.ts';

export type SaveProjectFieldInput = {
  key: string;
  userId: number;
  projectId: number;
  field: ProjectField;
  value: string | null;
};

type Input = FlowInput & { projectId: number; field: ProjectField; current: string | null };
type Context = Input & { value: string | null; misfit: Misfit | null; failure: Failure | null };
type Cleared = { projectId: number; field: string };
type Event = TextReceived | Cancelled | ({ type: 'value.cleared' } & Cleared) | { type: 'retried' };

export const projectEditMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: {
    saveProjectField: port<null, SaveProjectFieldInput>('saveProjectField'),
  },
  guards: {
    fitsField: ({ context }, { text }: { text: string }) => fitsProjectField(context.field, text),
    // The button names its field: pressed on an older question, it must not empty the one asked now.
    mayClear: ({ context }, { projectId, field }: Cleared) =>
      context.projectId === projectId && context.field === field && projectFieldRules[context.field].optional,
  },
  actions: {
    rememberValue: assign({
      value: ({ context }, { text }: { text: string }) => projectFieldValue(context.field, text),
      misfit: null,
    }),
    clearValue: assign({ value: null, misfit: null }),
    rejectValue: assign({
      misfit: ({ context }, { text }: { text: string }) => misfitOf(context.field, text),
    }),
    rememberFailure: assign({
      failure: ({ context }, p: { error: unknown }) => failedAgain(context.failure, p.error),
    }),
  },
}).createMachine({
  id: 'ProjectEdit',
  context: ({ input }) => ({ ...input, value: null, misfit: null, failure: null }),
  initial: 'field_value',
  states: {
    field_value: {
      on: {
        'text.received': [
          {
            guard: { type: 'fitsField', params: ({ event }) => event },
            target: 'saving',
            actions: { type: 'rememberValue', params: ({ event }) => event },
          },
          { actions: { type: 'rejectValue', params: ({ event }) => event } },
        ],
        'value.cleared': {
          guard: { type: 'mayClear', params: ({ event }) => event },
          target: 'saving',
          actions: 'clearValue',
        },
        cancelled: 'cancelled',
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveProjectField',
        src: 'saveProjectField',
        input: ({ context: { run, userId, projectId, field, value } }) => ({
          key: `${run}:saveProjectField`,
          userId,
          projectId,
          field,
          value,
        }),
        onDone: 'saved',
        onError: {
          target: 'save_failed',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    save_failed: {
      on: { retried: 'saving', cancelled: 'cancelled' },
    },
    saved: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
