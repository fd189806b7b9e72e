import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import { port } from './ports.ts';
import { fitsProjectField, projectFieldValue, tidy } from './project-fields.ts';

export type ProjectAnswers = {
  name: string | null;
  companyName: string | null;
  specialization: string | null;
  websiteUrl: string | null;
};

export type SaveProjectInput = {
  key: string;
  userId: number;
  name: string;
  companyName: string;
  specialization: string;
  websiteUrl: string | null;
};
export type KeepProjectAnswersInput = { userId: number; answers: ProjectAnswers };

type Context = FlowInput &
  ProjectAnswers & { answered: boolean; invalid: boolean; projectId: number | null; failure: Failure | null };
type Event =
  | TextReceived
  | Cancelled
  | { type: 'website.skipped' }
  | { type: 'paused' }
  | { type: 'retried' };
type Answered = { text: string };

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
  guards: {
    hasAnsweredAll: ({ context }) => context.answered,
    hasName: ({ context }) => context.name !== null,
    hasCompanyName: ({ context }) => context.companyName !== null,
    hasSpecialization: ({ context }) => context.specialization !== null,
    isName: (_, { text }: Answered) => fitsProjectField('name', text),
    isCompanyName: (_, { text }: Answered) => fitsProjectField('company_name', text),
    isSpecialization: (_, { text }: Answered) => fitsProjectField('specialization', text),
    isWebsite: (_, { text }: Answered) => fitsProjectField('website_url', text),
  },
  actions: {
    rememberName: assign({ name: (_, { text }: Answered) => tidy(text), invalid: false, failure: null }),
    rememberCompanyName: assign({
      companyName: (_, { text }: Answered) => tidy(text),
      invalid: false,
      failure: null,
    }),
    rememberSpecialization: assign({
      specialization: (_, { text }: Answered) => tidy(text),
      invalid: false,
      failure: null,
    }),
    rememberWebsite: assign({
      websiteUrl: (_, { text }: Answered) => projectFieldValue('website_url', text),
      answered: true,
      invalid: false,
      failure: null,
    }),
    skipWebsite: assign({ websiteUrl: null, answered: true, invalid: false, failure: null }),
    rejectAnswer: assign({ invalid: true, failure: null }),
    rememberProject: assign({ projectId: (_, p: { projectId: number }) => p.projectId }),
    rememberFailure: assign({
      failure: ({ context }, p: { error: unknown }) => failedAgain(context.failure, p.error),
      invalid: false,
    }),
  },
}).createMachine({
  id: 'ProjectCreate',
  context: ({ input: { answers, ...input } }) => ({
    ...input,
    name: answers?.name ?? null,
    companyName: answers?.companyName ?? null,
    specialization: answers?.specialization ?? null,
    websiteUrl: null,
    answered: false,
    invalid: false,
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
    name: {
      on: {
        'text.received': [
          {
            guard: { type: 'isName', params: ({ event }) => event },
            target: 'company_name',
            actions: { type: 'rememberName', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        ...ways,
      },
    },
    company_name: {
      on: {
        'text.received': [
          {
            guard: { type: 'isCompanyName', params: ({ event }) => event },
            target: 'specialization',
            actions: { type: 'rememberCompanyName', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        ...ways,
      },
    },
    specialization: {
      on: {
        'text.received': [
          {
            guard: { type: 'isSpecialization', params: ({ event }) => event },
            target: 'website_url',
            actions: { type: 'rememberSpecialization', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        ...ways,
      },
    },
    website_url: {
      on: {
        'text.received': [
          {
            guard: { type: 'isWebsite', params: ({ event }) => event },
            target: 'saving',
            actions: { type: 'rememberWebsite', params: ({ event }) => event },
          },
          { actions: 'rejectAnswer' },
        ],
        'website.skipped': { target: 'saving', actions: 'skipWebsite' },
        ...ways,
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveProject',
        src: 'saveProject',
        input: ({ context }) => ({
          key: `${context.run}:saveProject`,
          userId: context.userId,
          name: context.name!,
          companyName: context.companyName!,
          specialization: context.specialization!,
          websiteUrl: context.websiteUrl,
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
        input: ({ context: { userId, name, companyName, specialization, websiteUrl } }) => ({
          userId,
          answers: { name, companyName, specialization, websiteUrl },
        }),
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
