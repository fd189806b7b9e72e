import { assign, setup } from 'xstate';
import { failedTheSame } from './failure.ts';
import type { Migration, Parking } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import { articleActors } from './fragments/article-ports.ts';
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
  articleGuards,
  articleStates,
  noArticleYet,
} from './fragments/article-work.ts';
import {
  type MaterialEvent,
  materialActions,
  materialActors,
  materialGuards,
  materialStates,
  materialWays,
  noMaterialYet,
} from './fragments/pipeline-material.ts';
import {
  answersForgotten,
  categoryStep,
  guardedExit,
  looksAgain,
  noStepsYet,
  projectStep,
  readinessStep,
  reopened,
  type StepsEvent,
  type StepsSlice,
  stepsActions,
  stepsActors,
  stepsGuards,
  toChecklist,
  turned,
} from './fragments/pipeline-steps.ts';
import {
  newPrices,
  type PriceEvent,
  priceActions,
  priceActors,
  priceFile,
  priceReading,
  priceText,
} from './fragments/price-work.ts';
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
type Context = FlowInput & StockSlice & StepsSlice & WordPressSlice;

type Event =
  | Cancelled
  | StockEvent
  | StepsEvent
  | WordPressEvent
  | MaterialEvent
  | PriceEvent
  | ArticleEvent
  | { type: 'prices.opened' }
  | { type: 'pictures.opened' }
  | { type: 'site.added' }
  | { type: 'site.reopened' };

export const articlePipelineMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: {
    ...stockActors,
    ...stepsActors,
    ...wordPressActors,
    ...materialActors,
    ...priceActors,
    ...articleActors,
  },
  guards: {
    ...stockGuards,
    ...stepsGuards,
    ...wordPressGuards,
    ...materialGuards,
    ...articleGuards,
  },
  actions: {
    ...stockActions<Context, Event>(),
    ...stepsActions<Context, Event>(),
    ...wordPressActions<Context, Event>(),
    ...materialActions<Context, Event>(),
    ...priceActions<Context, Event>(),
    ...articleActions<Context, Event>(),
    beginConnecting: assign({
      wordpress: ({ context }) => ({ ...noWordPressYet, attempts: context.wordpress.attempts }),
      failure: null,
    }),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedTheSame(context.failure, error),
    }),
    forgetAnswers: assign({
      wordpress: ({ context }) => ({ ...noWordPressYet, attempts: context.wordpress.attempts }),
      ...answersForgotten,
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
    ...noStepsYet,
    ...noMaterialYet,
    prices: newPrices(null),
    wordpress: noWordPressYet,
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

    ...projectStep({ next: 'select_wp' }),

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
      // E50: the answers before the one that was refused stay.
      ends: { connected: 'taking_stock', failed: 'connect_wp_password' },
      // Where a draft waits, the choice of a site leads on to its preview.
      ways: {
        'preview.chosen': { target: 'taking_stock', actions: 'choosePreview' },
        cancelled: { target: 'select_wp', actions: ['forgetAnswers', 'forgetFailure'] },
      },
    }),

    ...categoryStep({ back: { 'site.reopened': { target: 'select_wp', actions: 'reopenSite' } } }),
    ...readinessStep({
      phrases: automaticPhrases,
      more: {
        ...materialWays,
        'prices.opened': { target: 'readiness_prices', actions: 'openMaterial' },
        'pictures.opened': { guard: 'hasOffer', target: 'configure_images', actions: 'openMaterial' },
      },
    }),
    ...materialStates,
    readiness_prices: {
      on: {
        ...priceText({ reading: 'readiness_prices_reading' }),
        ...priceFile({ reading: 'readiness_prices_reading' }),
        ...looksAgain,
        ...toChecklist,
      },
    },
    readiness_prices_reading: priceReading({ done: 'taking_stock', refused: 'readiness_prices' }),
    configure_images: {
      on: {
        'pictures.set': {
          guard: { type: 'isPictureCount', params: ({ event }) => event },
          target: 'readiness_check',
          actions: { type: 'setPictures', params: ({ event }) => event },
        },
        ...looksAgain,
        ...toChecklist,
      },
    },

    ...articleStates({
      atCost: {
        'checklist.opened': { target: 'readiness_check', actions: 'openChecklist' },
        ...reopened,
        ...looksAgain,
        ...guardedExit,
      },
      atPhrases: { cancelled: { target: 'confirm_cost', actions: 'forgetPhrases' }, ...looksAgain },
      atQuestions: looksAgain,
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

/** Until version 1 a category's description, prices and own phrases were not filled in on the way. */
export const categoryFilledOnTheWay: Migration = ({ state, context }) => ({
  state,
  context: { ...context, ...noMaterialYet, prices: newPrices(null) },
});

/** E49. A person who has chosen nothing yet has nothing to come back to. */
export const articleParking: Parking = {
  slot: 'pipeline',
  states: [
    ...['create_project_company', 'create_project_spec', 'create_project_url', 'project_unsaved'],
    ...['create_project_card', 'create_project_field'],
    ...['select_wp', 'connect_wp_url', 'connect_wp_duplicate', 'connect_wp_login', 'connect_wp_password'],
    ...['select_category', 'create_category_name', 'category_unsaved', 'readiness_check'],
    ...['readiness_keywords_products', 'readiness_keywords_geo', 'readiness_keywords_qty'],
    ...['readiness_keywords_upload', 'readiness_description', 'readiness_description_review'],
    ...['readiness_prices', 'configure_images'],
    ...['confirm_cost', 'own_knowledge', 'own_avoid', 'choose_phrase', 'preview', 'confirm_version'],
    ...['confirm_html', 'html_taken', 'reading_text'],
  ],
  cancelParks: ['select_wp', 'select_category', 'readiness_check', 'confirm_cost'],
};
