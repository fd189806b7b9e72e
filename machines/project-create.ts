import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noAnswers,
  type ProjectEvent,
  type ProjectSlice,
  projectActions,
  projectGuards,
  projectQuestions,
} from './fragments/project-questions.ts';
import { invalidBecameMisfit } from './misfit.ts';
import { port } from './ports.ts';

export type SaveProjectInput = {
  key: string;
  userId: number;
  name: string;
  companyName: string;
  specialization: string;
  websiteUrl: string | null;
};

type Context = FlowInput & ProjectSlice & { projectId: number | null; failure: Failure | null };
type Event = ProjectEvent | Cancelled | { type: 'retried' };

const ways = { cancelled: 'cancelled' } as const;

export const projectCreateMachine = setup({
  types: {} as {
    context: Context;
    events: Event;
    input: FlowInput;
    tags: 'busy';
  },
  actors: {
    saveProject: port<{ projectId: number }, SaveProjectInput>('saveProject'),
  },
  guards: projectGuards,
  actions: {
    ...projectActions<Context, Event>(),
    rememberProject: assign({ projectId: (_, p: { projectId: number }) => p.projectId }),
    rememberFailure: assign({
      failure: ({ context }, p: { error: unknown }) => failedAgain(context.failure, p.error),
      misfit: null,
    }),
  },
}).createMachine({
  id: 'ProjectCreate',
  context: ({ input }) => ({
    ...input,
    answers: noAnswers,
    answered: false,
    misfit: null,
    projectId: null,
    failure: null,
  }),
  initial: 'name',
  states: {
    ...projectQuestions({
      name: 'name',
      company: 'company_name',
      specialization: 'specialization',
      website: 'website_url',
      done: 'saving',
      ways,
    }),
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveProject',
        src: 'saveProject',
        input: ({ context: { run, userId, answers } }) => ({
          key: `${run}:saveProject`,
          userId,
          name: answers.name!,
          companyName: answers.companyName!,
          specialization: answers.specialization!,
          websiteUrl: answers.websiteUrl,
        }),
        onDone: {
          target: 'created',
          actions: { type: 'rememberProject', params: ({ event }) => event.output },
        },
        onError: {
          target: 'save_failed',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    save_failed: {
      on: { retried: 'saving', ...ways },
    },
    created: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** Version 1 kept the answers side by side with everything else. */
export const projectAnswersGathered: Migration = (step) => {
  const { state, context } = invalidBecameMisfit(step)!;
  const { name, companyName, specialization, websiteUrl, ...rest } = context;
  return { state, context: { ...rest, answers: { name, companyName, specialization, websiteUrl } } };
};

/** Version 2 had states of its own for putting the answers aside; now the whole run is put aside where it stands. */
export const pausingBecameParking: Migration = ({ state, context }) =>
  state === 'pausing' || state === 'paused' ? null : { state, context };
