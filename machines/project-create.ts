import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noAnswers,
  type ProjectAnswers,
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
export type KeepProjectAnswersInput = { userId: number; answers: ProjectAnswers };

type Context = FlowInput & ProjectSlice & { projectId: number | null; failure: Failure | null };
type Event = ProjectEvent | Cancelled | { type: 'paused' } | { type: 'retried' };

/** From any of the four questions a person may stop for good, or stop and keep the answers. */
const ways = { paused: 'pausing', cancelled: 'cancelled' } as const;

export const projectCreateMachine = setup({
  types: {} as {
    context: Context;
    events: Event;
    input: FlowInput & { answers: ProjectAnswers | null };
    tags: 'busy';
  },
  actors: {
    saveProject: port<{ projectId: number }, SaveProjectInput>('saveProject'),
    keepProjectAnswers: port<null, KeepProjectAnswersInput>('keepProjectAnswers'),
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
  context: ({ input: { answers, ...input } }) => ({
    ...input,
    // The address is asked for again: it may have been skipped.
    answers: { ...(answers ?? noAnswers), websiteUrl: null },
    answered: false,
    misfit: null,
    projectId: null,
    failure: null,
  }),
  initial: 'first_unanswered',
  states: {
    first_unanswered: {
      always: [
        { guard: 'hasSpecialization', target: 'website_url' },
        { guard: 'hasCompanyName', target: 'specialization' },
        { guard: 'hasName', target: 'company_name' },
        { target: 'name' },
      ],
    },
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
    pausing: {
      tags: 'busy',
      invoke: {
        id: 'keepProjectAnswers',
        src: 'keepProjectAnswers',
        input: ({ context: { userId, answers } }) => ({ userId, answers }),
        onDone: 'paused',
        onError: [
          {
            guard: 'hasAnsweredAll',
            target: 'save_failed',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
          {
            target: 'first_unanswered',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
        ],
      },
    },
    created: { type: 'final' },
    paused: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** Version 1 kept the answers side by side with everything else. */
export const projectAnswersGathered: Migration = (step) => {
  const { state, context } = invalidBecameMisfit(step)!;
  const { name, companyName, specialization, websiteUrl, ...rest } = context;
  return { state, context: { ...rest, answers: { name, companyName, specialization, websiteUrl } } };
};
