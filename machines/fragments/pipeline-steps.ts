import type { EventObject } from 'xstate';
import type { TokensCredited, WorkEvent } from '../flow-input.ts';
import {
  type CategoryEvent,
  type CategorySlice,
  categoryActions,
  categoryActors,
  categoryGuards,
  categoryQuestion,
} from './category-question.ts';
import { sliceChange } from './change-slice.ts';
import {
  type KeywordEvent,
  keywordActions,
  keywordGuards,
  keywordQuestions,
  newKeywordSearch,
} from './keyword-questions.ts';
import {
  type KeywordWorkSlice,
  keywordActors,
  keywordProgress,
  keywordWorkActions,
  keywordWorkFromCharge,
  keywordWorkGuards,
} from './keyword-work.ts';
import type { ChoiceEvent, PipelineSlice } from './pipeline-stock.ts';
import {
  noSiteYet,
  projectFromSite,
  type SiteEvent,
  siteActions,
  siteActors,
  siteGuards,
} from './project-from-site.ts';
import {
  noAnswers,
  type ProjectEvent,
  projectActions,
  projectGuards,
  projectQuestions,
} from './project-questions.ts';
import {
  type ProjectSavingSlice,
  projectActors,
  projectSaving,
  projectSavingActions,
} from './project-saving.ts';

/**
 * The steps that the way to an article and the way to a post have in common: project, topic, and the phrases that are
 * missing. Each is chosen from a list, taken without a word where there is one, or made here. The states have the
 * names of the specification; a look around (`taking_stock`, which the host has) follows every choice.
 */
export type StepsSlice = PipelineSlice &
  ProjectSavingSlice &
  CategorySlice &
  KeywordWorkSlice & { round: number };

export type StepsEvent =
  | ChoiceEvent
  | ProjectEvent
  | SiteEvent
  | CategoryEvent
  | KeywordEvent
  | WorkEvent
  | TokensCredited
  | { type: 'project.added' }
  | { type: 'topic.added' }
  | { type: 'project.reopened' }
  | { type: 'topic.reopened' }
  | { type: 'phrases.automatic' }
  | { type: 'phrases.described' }
  | { type: 'phrases.retried' }
  | { type: 'checklist.opened' }
  | { type: 'checklist.passed' }
  | { type: 'exit.declined' }
  | { type: 'resumed' };

export const noStepsYet = {
  answers: noAnswers,
  answered: false,
  ...noSiteYet,
  name: null,
  keywords: newKeywordSearch(null),
  round: 0,
} as const;

export const stepsActors = { ...projectActors, ...siteActors, ...categoryActors, ...keywordActors };

type InSlice = { context: StepsSlice };

export const stepsGuards = {
  ...projectGuards,
  ...siteGuards,
  ...categoryGuards,
  ...keywordGuards,
  ...keywordWorkGuards,
  hasQuantity: ({ context }: InSlice) => context.keywords.quantity !== null,
  hasAllAnswers: ({ context: { keywords } }: InSlice) =>
    keywords.geography !== null && keywords.quantity !== null,
};

/** Clears the answers once the project or category was made from them. */
export const answersForgotten = {
  answers: noAnswers,
  answered: false,
  siteCard: null,
  cardField: null,
  name: null,
  misfit: null,
} as const;

export const stepsActions = <Context extends StepsSlice, Event extends EventObject>() => {
  const change = sliceChange<StepsSlice, Context, Event>();
  return {
    ...projectActions<Context, Event>(),
    ...siteActions<Context, Event>(),
    ...projectSavingActions<Context, Event>(),
    ...categoryActions<Context, Event>(),
    ...keywordActions<Context, Event>(),
    ...keywordWorkActions<Context, Event>(),
    /** Another project, another category: other keys. */
    beginAnew: change(({ round }) => ({ round: round + 1, ...answersForgotten, failure: null })),
    takeAutomatic: change<{ phrases: number }>(({ keywords, categoryName }, { phrases }) => ({
      keywords: { ...keywords, products: categoryName, quantity: phrases },
    })),
    askForQuantity: change(({ keywords }) => ({ keywords: { ...keywords, quantity: null }, failure: null })),
    forgetFailure: change(() => ({ failure: null })),
  };
};

/** Steps 4 and 5 are not left by a stray press (E49). */
export const guardedExit = {
  cancelled: { actions: 'askToLeave' },
  'exit.declined': { actions: 'stay' },
} as const;
/** What the person chose may be gone, and what they have may have changed, when they come back. */
export const looksAgain = { resumed: 'taking_stock' } as const;
export const reopened = {
  'project.reopened': { target: 'select_project', actions: 'reopenProject' },
  'topic.reopened': { target: 'select_category', actions: 'reopenTopic' },
} as const;
export const turned = {
  'page.turned': {
    actions: { type: 'turnPage', params: ({ event }: { event: { page: number } }) => event },
  },
} as const;
export const toChecklist = {
  cancelled: { target: 'readiness_check', actions: 'forgetAnswers' },
} as const;

/** Step 1. `next`: where a chosen project leads. */
export const projectStep = <const Next extends string>({ next }: { next: Next }) => {
  const ways = {
    cancelled: [
      { guard: 'hasProjects', target: 'select_project', actions: 'forgetAnswers' },
      { target: 'left' },
    ],
  } as const;
  return {
    select_project: {
      always: [
        { guard: 'hasProject', target: next },
        { guard: 'hasNoProjects', target: 'create_project_name' },
      ],
      on: {
        'project.chosen': {
          target: 'taking_stock',
          actions: {
            type: 'chooseProject',
            params: ({ event }: { event: { projectId: number } }) => event,
          },
        },
        'project.added': { target: 'create_project_name', actions: 'beginAnew' },
        ...turned,
        cancelled: 'left',
      },
    },
    ...projectQuestions({
      name: 'create_project_name',
      company: 'create_project_company',
      specialization: 'create_project_spec',
      website: 'create_project_url',
      reading: 'create_project_reading',
      done: 'saving_project',
      ways,
    }),
    ...projectFromSite({
      reading: 'create_project_reading',
      card: 'create_project_card',
      field: 'create_project_field',
      questions: 'create_project_name',
      done: 'saving_project',
      ways,
    }),
    ...projectSaving({
      saving: 'saving_project',
      saveFailed: 'project_unsaved',
      done: 'taking_stock',
      ways: { cancelled: 'left' },
    }),
  } as const;
};

/** Step 3. `back`: the way to step 2, which every pipeline has its own of. */
export const categoryStep = <const Back extends object>({ back }: { back: Back }) =>
  ({
    select_category: {
      always: [
        { guard: 'hasCategory', target: 'readiness_check' },
        { guard: 'hasNoCategories', target: 'create_category_name' },
      ],
      on: {
        'topic.chosen': {
          target: 'taking_stock',
          actions: { type: 'chooseTopic', params: ({ event }: { event: { categoryId: number } }) => event },
        },
        'topic.added': { target: 'create_category_name', actions: 'beginAnew' },
        ...back,
        'project.reopened': reopened['project.reopened'],
        ...turned,
        ...looksAgain,
        cancelled: 'left',
      },
    },
    ...categoryQuestion({
      name: 'create_category_name',
      saving: 'saving_category',
      saveFailed: 'category_unsaved',
      done: 'taking_stock',
      ways: {
        cancelled: [
          { guard: 'hasCategories', target: 'select_category', actions: 'forgetAnswers' },
          { target: 'left' },
        ],
      },
    }),
  }) as const;

/**
 * Step 4: what is missing, and the phrases, without which nothing begins. `phrases`: so many are sought without asking
 * how many. `more`: what else can be filled in from here.
 */
export const readinessStep = <const More extends object>({
  phrases,
  more,
}: {
  phrases: number;
  more: More;
}) => {
  const takeAutomatic = { type: 'takeAutomatic', params: { phrases } } as const;
  return {
    readiness_check: {
      always: { guard: 'isReady', target: 'confirm_cost' },
      on: {
        'phrases.automatic': [
          {
            guard: 'hasCity',
            target: 'readiness_keywords_generating',
            actions: [takeAutomatic, 'takeCity', 'beginKeywords'],
          },
          { target: 'readiness_keywords_geo', actions: takeAutomatic },
        ],
        'phrases.described': { target: 'readiness_keywords_products', actions: 'askForQuantity' },
        'phrases.retried': {
          guard: 'hasAllAnswers',
          target: 'readiness_keywords_generating',
          actions: 'beginKeywords',
        },
        'checklist.passed': { guard: 'hasOffer', target: 'confirm_cost', actions: 'passChecklist' },
        'tokens.credited': 'taking_stock',
        'topic.reopened': reopened['topic.reopened'],
        ...more,
        ...looksAgain,
        ...guardedExit,
      },
    },
    ...keywordQuestions({
      products: 'readiness_keywords_products',
      geography: 'readiness_keywords_geo',
      quantity: 'readiness_keywords_qty',
      asked: 'first_quantity',
      done: 'first_search',
      ways: toChecklist,
    }),
    /** Automatic phrases have their number; only the city had to be asked for. */
    first_quantity: {
      always: [{ guard: 'hasQuantity', target: 'first_search' }, { target: 'readiness_keywords_qty' }],
    },
    first_search: { always: { target: 'readiness_keywords_generating', actions: 'beginKeywords' } },
    readiness_keywords_generating: {
      ...keywordWorkFromCharge({ done: 'taking_stock', failed: 'taking_stock', refused: 'taking_stock' }),
      on: keywordProgress,
    },
  } as const;
};
