import { assign, setup } from 'xstate';
import type { MessengerName } from './channel-address.ts';
import type { Migration, Parking } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  type CrossEvent,
  type CrossSlice,
  crossActions,
  crossActors,
  crossGuards,
  crossPostStates,
  noCrossPost,
} from './fragments/cross-post.ts';
import {
  hasChooser,
  type MessengerEvent,
  type MessengerSlice,
  messengerActions,
  messengerActors,
  messengerGuards,
  messengerQuestions,
  noMessengerYet,
} from './fragments/messenger-questions.ts';
import {
  noPinterestYet,
  type PinterestEvent,
  type PinterestSlice,
  pinterestActions,
  pinterestActors,
  pinterestGuards,
  pinterestQuestions,
} from './fragments/pinterest-questions.ts';
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
  turned,
} from './fragments/pipeline-steps.ts';
import { postActors } from './fragments/post-ports.ts';
import {
  noPostStockYet,
  type PostStock,
  type PostStockEvent,
  type PostStockSlice,
  pastChooser,
  postStockActions,
  postStockActors,
  postStockGuards,
  postStockInput,
} from './fragments/post-stock.ts';
import { noPostYet, type PostEvent, postActions, postGuards, postStates } from './fragments/post-work.ts';
import {
  noVkYet,
  type VkEvent,
  type VkSlice,
  vkActions,
  vkActors,
  vkGuards,
  vkQuestions,
} from './fragments/vk-questions.ts';

/** So many phrases are sought for posts without asking how many: a post needs one, and the cheapest set will do. */
export const phrasesForPosts = 50;

/** Where to begin: what is chosen already is not asked for. */
export type PostStart = {
  isAdmin: boolean;
  /** Begins with what the last post was about, where that is still there. */
  repeats: boolean;
  projectId: number | null;
  connectionId: number | null;
  categoryId: number | null;
  /** Set for a post that is out already, and is to go to other channels as well. */
  publicationId?: number;
};

type Input = FlowInput & PostStart;
type Context = FlowInput &
  PostStockSlice &
  StepsSlice &
  MessengerSlice &
  VkSlice &
  PinterestSlice &
  CrossSlice;

type Event =
  | Cancelled
  | PostStockEvent
  | StepsEvent
  | MaterialEvent
  | MessengerEvent
  | VkEvent
  | PinterestEvent
  | PostEvent
  | CrossEvent
  | { type: 'messenger.added'; platform: MessengerName }
  | { type: 'vk.added' }
  | { type: 'pinterest.added' };

const taken = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: { output: PostStock } }) => ({ stock: event.output }),
});
/** The way back from connecting a channel, and where it ends. */
const connecting = {
  ends: { connected: 'taking_stock', failed: 'select_connection' },
  ways: { cancelled: { target: 'select_connection', actions: ['forgetAnswers', 'forgetFailure'] } },
} as const;
const channelReopened = {
  'channel.reopened': { target: 'select_connection', actions: 'reopenChannel' },
} as const;

export const socialPipelineMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: {
    ...postStockActors,
    ...stepsActors,
    ...materialActors,
    ...messengerActors,
    ...vkActors,
    ...pinterestActors,
    ...postActors,
    ...crossActors,
  },
  guards: {
    ...postStockGuards,
    ...stepsGuards,
    ...materialGuards,
    ...messengerGuards,
    ...vkGuards,
    ...pinterestGuards,
    ...postGuards,
    ...crossGuards,
  },
  actions: {
    ...postStockActions<Context, Event>(),
    ...stepsActions<Context, Event>(),
    ...materialActions<Context, Event>(),
    ...messengerActions<Context, Event>(),
    ...vkActions<Context, Event>(),
    ...pinterestActions<Context, Event>(),
    ...postActions<Context, Event>(),
    ...crossActions<Context, Event>(),
    lendKeys: assign({
      keys: (_, { platform }: { platform: MessengerName }) =>
        hasChooser(platform) ? ('chooser' as const) : ('usual' as const),
    }),
    /** Keys and boards that became a connection have served. Every try keeps its number. */
    forgetAnswers: assign(({ context }) => ({
      messenger: {
        ...noMessengerYet(context.messenger.platform),
        attempts: context.messenger.attempts,
      },
      vk: { ...noVkYet, attempts: context.vk.attempts },
      pinterest: { ...noPinterestYet, attempts: context.pinterest.attempts },
      ...answersForgotten,
    })),
    returnKeys: assign(({ context }) => pastChooser(context)),
  },
}).createMachine({
  id: 'SocialPipeline',
  context: ({ input: { publicationId = null, ...input } }) => ({
    ...input,
    ...noPostStockYet,
    ...noStepsYet,
    ...noMaterialYet,
    messenger: noMessengerYet('telegram'),
    vk: noVkYet,
    pinterest: noPinterestYet,
    post: noPostYet,
    cross: { ...noCrossPost, publicationId },
    late: false,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [{ guard: 'isCrossPost', target: 'cross_post_planning' }, { target: 'taking_stock' }],
    },
    taking_stock: {
      tags: 'busy',
      invoke: {
        id: 'takePostStock',
        src: 'takePostStock',
        input: postStockInput,
        onDone: [
          { guard: taken('isDraftGone'), target: 'expired' },
          {
            guard: taken('isAnswerAwaited'),
            target: 'publish_unknown',
            actions: [taken('rememberStock'), 'forgetAnswers'],
          },
          {
            guard: taken('isDraftThere'),
            target: 'review',
            actions: [taken('rememberStock'), 'forgetAnswers'],
          },
          { target: 'select_project', actions: [taken('rememberStock'), 'forgetAnswers'] },
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

    ...projectStep({ next: 'select_connection' }),

    select_connection: {
      always: { guard: 'hasChannel', target: 'select_category' },
      on: {
        'channel.chosen': {
          target: 'taking_stock',
          actions: { type: 'chooseChannel', params: ({ event }) => event },
        },
        'messenger.added': {
          target: 'connect_tg_channel',
          actions: [
            { type: 'askForChannel', params: ({ event }) => event },
            { type: 'lendKeys', params: ({ event }) => event },
          ],
        },
        'vk.added': { target: 'connect_vk_token', actions: ['forgetAnswers', 'askForVk'] },
        'pinterest.added': { target: 'opening_pinterest', actions: ['forgetAnswers', 'askForPinterest'] },
        ...turned,
        'project.reopened': reopened['project.reopened'],
        ...looksAgain,
        cancelled: 'left',
      },
    },
    ...messengerQuestions({
      channel: 'connect_tg_channel',
      token: 'connect_tg_token',
      searching: 'connect_tg_search',
      verifying: 'connect_tg_verify',
      ...connecting,
      ways: {
        cancelled: {
          target: 'select_connection',
          actions: ['forgetAnswers', 'forgetFailure', 'returnKeys'],
        },
      },
      atChannel: { resumed: { actions: 'askChannelAnew' } },
    }),
    ...vkQuestions({
      token: 'connect_vk_token',
      reading: 'reading_vk_key',
      group: 'connect_vk_group',
      saving: 'connecting_vk',
      ...connecting,
    }),
    ...pinterestQuestions({
      opening: 'opening_pinterest',
      oauth: 'connect_pinterest_oauth',
      reading: 'reading_pinterest_boards',
      board: 'connect_pinterest_board',
      saving: 'connecting_pinterest',
      ...connecting,
    }),

    ...categoryStep({ back: channelReopened }),
    ...readinessStep({ phrases: phrasesForPosts, more: materialWays }),
    ...materialStates,

    ...postStates({
      kept: true,
      atCost: {
        'checklist.opened': { target: 'readiness_check', actions: 'openChecklist' },
        ...reopened,
        ...channelReopened,
        ...looksAgain,
        ...guardedExit,
      },
      atReview: looksAgain,
      ends: {
        published: 'published',
        failed: 'failed',
        expired: 'expired',
        cancelled: 'cancelled',
        left: 'undecided',
      },
    }),
    ...crossPostStates({ ends: { done: 'cross_posted', impossible: 'cross_post_impossible' } }),
    cross_posted: { type: 'final' },
    cross_post_impossible: { type: 'final' },
    published: { type: 'final' },
    failed: { type: 'final' },
    expired: { type: 'final' },
    cancelled: { type: 'final' },
    undecided: { type: 'final' },
    left: { type: 'final' },
  },
});

/** Until version 1 a post that was out went to no other channel. */
export const crossPostAdded: Migration = ({ state, context }) => ({
  state,
  context: { ...context, cross: noCrossPost },
});

/** E49. A person who has chosen nothing yet has nothing to come back to. */
export const socialParking: Parking = {
  slot: 'pipeline',
  states: [
    ...['create_project_company', 'create_project_spec', 'create_project_url', 'project_unsaved'],
    ...['create_project_card', 'create_project_field'],
    ...[
      'select_connection',
      'connect_tg_channel',
      'connect_tg_token',
      'connect_vk_token',
      'connect_vk_group',
    ],
    ...['connect_pinterest_oauth', 'connect_pinterest_board'],
    ...['select_category', 'create_category_name', 'category_unsaved', 'readiness_check'],
    ...['readiness_keywords_products', 'readiness_keywords_geo', 'readiness_keywords_qty'],
    ...['readiness_keywords_upload', 'readiness_description', 'readiness_description_review'],
    ...['confirm_cost', 'review', 'regenerate_cost', 'review_text', 'publish_unknown'],
    ...['cross_post_targets', 'cross_post_review', 'cross_post_failed', 'cross_post_unknown'],
  ],
  cancelParks: ['select_connection', 'select_category', 'readiness_check', 'confirm_cost'],
};
