import { setup } from 'xstate';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noSiteYet,
  projectFromSite,
  type SiteEvent,
  type SiteSlice,
  siteActions,
  siteActors,
  siteGuards,
} from './fragments/project-from-site.ts';
import {
  noAnswers,
  type ProjectEvent,
  projectActions,
  projectGuards,
  projectQuestions,
} from './fragments/project-questions.ts';
import { projectActors, projectSaving, projectSavingActions } from './fragments/project-saving.ts';
import { invalidBecameMisfit } from './misfit.ts';

type Context = FlowInput & SiteSlice & { projectId: number | null };
type Event = ProjectEvent | SiteEvent | Cancelled | { type: 'retried' };

const ways = { cancelled: 'cancelled' } as const;

export const projectCreateMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput; tags: 'busy' },
  actors: { ...projectActors, ...siteActors },
  guards: { ...projectGuards, ...siteGuards },
  actions: {
    ...projectActions<Context, Event>(),
    ...siteActions<Context, Event>(),
    ...projectSavingActions<Context, Event>(),
  },
}).createMachine({
  id: 'ProjectCreate',
  context: ({ input }) => ({
    ...input,
    answers: noAnswers,
    answered: false,
    ...noSiteYet,
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
      reading: 'reading_site',
      done: 'saving',
      ways,
    }),
    ...projectFromSite({
      reading: 'reading_site',
      card: 'site_card',
      field: 'card_field',
      questions: 'name',
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

/** Until version 3 a site was only noted, not read. */
export const siteBecameReadable: Migration = ({ state, context }) => ({
  state,
  context: { ...context, ...noSiteYet },
});
