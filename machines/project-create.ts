import { setup } from 'xstate';
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
import { projectActors, projectSaving, projectSavingActions } from './fragments/project-saving.ts';
import { invalidBecameMisfit } from './misfit.ts';

type Context = FlowInput & ProjectSlice & { projectId: number | null };
type Event = ProjectEvent | Cancelled | { type: 'retried' };

const ways = { cancelled: 'cancelled' } as const;

export const projectCreateMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput; tags: 'busy' },
  actors: projectActors,
  guards: projectGuards,
  actions: { ...projectActions<Context, Event>(), ...projectSavingActions<Context, Event>() },
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
    ...projectSaving({ saving: 'saving', saveFailed: 'save_failed', done: 'created', ways }),
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
