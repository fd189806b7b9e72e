import { assign, setup } from 'xstate';
import { toFailure } from './failure.ts';
import type { Parking } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  nothingChosen,
  type StockEvent,
  type StockSlice,
  stockActions,
  stockActors,
  stockGuards,
  stockInput,
} from './fragments/article-stock.ts';
import {
  type ArticleEvent,
  articleActions,
  articleActors,
  articleGuards,
  articleStates,
  noArticleYet,
} from './fragments/article-work.ts';
import {
  type CategoryEvent,
  type CategorySlice,
  categoryActions,
  categoryActors,
  categoryGuards,
  categoryQuestion,
} from './fragments/category-question.ts';
import {
  type KeywordEvent,
  keywordActions,
  keywordGuards,
  keywordQuestions,
  newKeywordSearch,
} from './fragments/keyword-questions.ts';
import {
  type KeywordWorkSlice,
  keywordActors,
  keywordProgress,
  keywordWorkActions,
  keywordWorkFromCharge,
  keywordWorkGuards,
} from './fragments/keyword-work.ts';
import {
  noAnswers,
  type ProjectEvent,
  projectActions,
  projectGuards,
  projectQuestions,
} from './fragments/project-questions.ts';
import {
  type ProjectSavingSlice,
  projectActors,
  projectSaving,
  projectSavingActions,
} from './fragments/project-saving.ts';
import {
  noWordPressYet,
  type WordPressEvent,
  type WordPressSlice,
  wordPressActions,
  wordPressActors,
  wordPressGuards,
  wordPressQuestions,
} from './fragments/wordpress-questions.ts';

/** So many phrases are sought for articles without asking how many. */
export const automaticPhrases = 100;

/** Where to begin: what is chosen already is not asked for. */
export type ArticleStart = {
  isAdmin: boolean;
  /** Begins with what the last article was about, where that is still there. */
  repeats: boolean;
  projectId: number | null;
  connectionId: number | null;
  previewOnly: boolean;
  categoryId: number | null;
};

type Input = FlowInput & ArticleStart;
type Context = FlowInput &
  StockSlice &
  ProjectSavingSlice &
  WordPressSlice &
  CategorySlice &
  KeywordWorkSlice & { round: number };

type Event =
  | Cancelled
  | StockEvent
  | ProjectEvent
  | WordPressEvent
  | CategoryEvent
  | KeywordEvent
  | ArticleEvent
  | { type: 'project.added' }
  | { type: 'site.added' }
  | { type: 'topic.added' }
  | { type: 'project.reopened' }
  | { type: 'site.reopened' }
  | { type: 'topic.reopened' }
  | { type: 'phrases.automatic' }
  | { type: 'phrases.described' }
  | { type: 'phrases.retried' }
  | { type: 'checklist.opened' }
  | { type: 'checklist.passed' }
  | { type: 'exit.declined' }
  | { type: 'resumed' };

/** Steps 4 and 5 are not left by a stray press (E49). */
const guardedExit = {
  cancelled: { actions: 'askToLeave' },
  'exit.declined': { actions: 'stay' },
} as const;
/** What the person chose may be gone, and what they have may have changed, when they come back. */
const looksAgain = { resumed: 'taking_stock' } as const;
const reopened = {
  'project.reopened': { target: 'select_project', actions: 'reopenProject' },
  'topic.reopened': { target: 'select_category', actions: 'reopenTopic' },
} as const;
const turned = {
  'page.turned': {
    actions: { type: 'turnPage', params: ({ event }: { event: { page: number } }) => event },
  },
} as const;
const toChecklist = { cancelled: { target: 'readiness_check', actions: 'forgetAnswers' } } as const;

export const articlePipelineMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: {
    ...stockActors,
    ...projectActors,
    ...wordPressActors,
    ...categoryActors,
    ...keywordActors,
    ...articleActors,
  },
  guards: {
    ...stockGuards,
    ...projectGuards,
    ...wordPressGuards,
    ...categoryGuards,
    ...keywordGuards,
    ...keywordWorkGuards,
    ...articleGuards,
    hasQuantity: ({ context }) => context.keywords.quantity !== null,
    hasAllAnswers: ({ context: { keywords } }) => keywords.geography !== null && keywords.quantity !== null,
  },
  actions: {
    ...stockActions<Context, Event>(),
    ...projectActions<Context, Event>(),
    ...projectSavingActions<Context, Event>(),
    ...wordPressActions<Context, Event>(),
    ...categoryActions<Context, Event>(),
    ...keywordActions<Context, Event>(),
    ...keywordWorkActions<Context, Event>(),
    ...articleActions<Context, Event>(),
    /** Another project, another category: other keys. */
    beginAnew: assign({
      round: ({ context }) => context.round + 1,
      ...{ answers: noAnswers, answered: false, name: null, misfit: null, failure: null },
    }),
    beginConnecting: assign({
      wordpress: ({ context }) => ({ ...noWordPressYet, attempts: context.wordpress.attempts }),
      failure: null,
    }),
    takeAutomatic: assign({
      keywords: ({ context: { keywords, categoryName } }) => ({
        ...keywords,
        products: categoryName,
        quantity: automaticPhrases,
      }),
    }),
    askForQuantity: assign({
      keywords: ({ context }) => ({ ...context.keywords, quantity: null }),
      failure: null,
    }),
    rememberFailure: assign({ failure: (_, { error }: { error: unknown }) => toFailure(error) }),
    forgetFailure: assign({ failure: null }),
    /** Answers that have become a project, a connection or a category have served. */
    forgetAnswers: assign({
      wordpress: ({ context }) => ({ ...noWordPressYet, attempts: context.wordpress.attempts }),
      ...{ answers: noAnswers, answered: false, name: null, misfit: null },
    }),
  },
}).createMachine({
  id: 'ArticlePipeline',
  context: ({ input }) => ({
    ...input,
    ...nothingChosen,
    ...noArticleYet,
    offer: null,
    preview: null,
    answers: noAnswers,
    answered: false,
    wordpress: noWordPressYet,
    name: null,
    keywords: newKeywordSearch(null),
    round: 0,
  }),
  initial: 'taking_stock',
  states: {
    taking_stock: {
      tags: 'busy',
      invoke: {
        id: 'takeStock',
        src: 'takeStock',
        input: stockInput,
        onDone: [
          {
            guard: { type: 'isDraftGone', params: ({ event }) => ({ stock: event.output }) },
            target: 'expired',
          },
          {
            guard: { type: 'isDraftThere', params: ({ event }) => ({ stock: event.output }) },
            target: 'preview',
            actions: [
              { type: 'rememberStock', params: ({ event }) => ({ stock: event.output }) },
              'forgetAnswers',
            ],
          },
          {
            target: 'select_project',
            actions: [
              { type: 'rememberStock', params: ({ event }) => ({ stock: event.output }) },
              'forgetAnswers',
            ],
          },
        ],
        onError: {
          target: 'stock_unknown',
          actions: { type: 'rememberSaveFailure', params: ({ event }) => event },
        },
      },
    },
    stock_unknown: {
      on: { retried: { target: 'taking_stock', actions: 'forgetFailure' }, cancelled: 'left' },
    },

    select_project: {
      always: [
        { guard: 'hasProject', target: 'select_wp' },
        { guard: 'hasNoProjects', target: 'create_project_name' },
      ],
      on: {
        'project.chosen': {
          target: 'taking_stock',
          actions: { type: 'chooseProject', params: ({ event }) => event },
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
      done: 'saving_project',
      ways: {
        cancelled: [
          { guard: 'hasProjects', target: 'select_project', actions: 'forgetAnswers' },
          { target: 'left' },
        ],
      },
    }),
    ...projectSaving({
      saving: 'saving_project',
      saveFailed: 'project_unsaved',
      done: 'taking_stock',
      ways: { cancelled: 'left' },
    }),

    select_wp: {
      // A draft that waits only lacked a site; whether it has one now, its preview shows.
      always: [
        { guard: 'hasPreview', target: 'preview' },
        { guard: 'hasSite', target: 'select_category' },
      ],
      on: {
        'site.chosen': {
          target: 'taking_stock',
          actions: { type: 'chooseSite', params: ({ event }) => event },
        },
        // The project's own address is tried first: the person gave it before.
        'site.added': [
          { guard: 'hasOwnSite', target: 'checking_wp', actions: ['beginConnecting', 'takeOwnSite'] },
          { target: 'connect_wp_url', actions: 'beginConnecting' },
        ],
        'preview.chosen': { target: 'taking_stock', actions: 'choosePreview' },
        ...turned,
        'project.reopened': reopened['project.reopened'],
        ...looksAgain,
        cancelled: 'left',
      },
    },
    ...wordPressQuestions({
      url: 'connect_wp_url',
      checking: 'checking_wp',
      duplicate: 'connect_wp_duplicate',
      login: 'connect_wp_login',
      granting: 'taking_wp_grant',
      password: 'connect_wp_password',
      validating: 'validating_wp',
      ends: { connected: 'taking_stock', failed: 'select_wp' },
      // Where a draft waits, the choice of a site leads on to its preview.
      ways: { cancelled: { target: 'select_wp', actions: 'forgetAnswers' } },
    }),

    select_category: {
      always: [
        { guard: 'hasCategory', target: 'readiness_check' },
        { guard: 'hasNoCategories', target: 'create_category_name' },
      ],
      on: {
        'topic.chosen': {
          target: 'taking_stock',
          actions: { type: 'chooseTopic', params: ({ event }) => event },
        },
        'topic.added': { target: 'create_category_name', actions: 'beginAnew' },
        'site.reopened': { target: 'select_wp', actions: 'reopenSite' },
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

    readiness_check: {
      always: { guard: 'isReady', target: 'confirm_cost' },
      on: {
        'phrases.automatic': [
          {
            guard: 'hasCity',
            target: 'readiness_keywords_generating',
            actions: ['takeAutomatic', 'takeCity', 'beginKeywords'],
          },
          { target: 'readiness_keywords_geo', actions: 'takeAutomatic' },
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

    ...articleStates({
      atCost: {
        'checklist.opened': { target: 'readiness_check', actions: 'openChecklist' },
        ...reopened,
        ...looksAgain,
        ...guardedExit,
      },
      atPhrases: { cancelled: { target: 'confirm_cost', actions: 'forgetPhrases' }, ...looksAgain },
      atPreview: {
        'site.added': [
          { guard: 'hasOwnSite', target: 'checking_wp', actions: ['beginConnecting', 'takeOwnSite'] },
          { target: 'connect_wp_url', actions: 'beginConnecting' },
        ],
        ...looksAgain,
      },
      ends: { failed: 'failed', expired: 'expired', published: 'published', cancelled: 'cancelled' },
    }),
    published: { type: 'final' },
    failed: { type: 'final' },
    expired: { type: 'final' },
    cancelled: { type: 'final' },
    left: { type: 'final' },
  },
});

/** E49. A person who has chosen nothing yet has nothing to come back to. */
export const articleParking: Parking = {
  slot: 'pipeline',
  states: [
    ...['create_project_company', 'create_project_spec', 'create_project_url', 'project_unsaved'],
    ...['select_wp', 'connect_wp_url', 'connect_wp_duplicate', 'connect_wp_login', 'connect_wp_password'],
    ...['select_category', 'create_category_name', 'category_unsaved', 'readiness_check'],
    ...['readiness_keywords_products', 'readiness_keywords_geo', 'readiness_keywords_qty'],
    ...['confirm_cost', 'choose_phrase', 'preview', 'confirm_version'],
  ],
  cancelParks: ['select_wp', 'select_category', 'readiness_check', 'confirm_cost'],
};
