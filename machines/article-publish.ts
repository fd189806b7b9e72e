import { assign, setup } from 'xstate';
import { type Failure, toFailure } from './failure.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import { port } from './ports.ts';

/** Another version is wanted this often without a charge. */
export const freeRegenerations = 2;

/** What is about to be written, and for how much: shown before anything is charged. */
export type ArticleOffer = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  projectName: string;
  connectionId: number;
  site: string;
  phrase: string;
  volume: number | null;
  /** Clusters that no article was written about lately, this one among them. */
  clusters: number;
  /** A count: how many pictures. */
  images: number;
  /** Prices in tokens, of the text and of all pictures together. */
  text: number;
  pictures: number;
  /** Tokens. */
  balance: number;
  isAdmin: boolean;
  /** Every phrase was used lately, so this one comes again. */
  reused: boolean;
  /** Other sites on which it may stand already: their answer was lost. */
  mayBeOn?: string[];
};

/** An article that waits for a decision. The text itself lives in the database. */
export type ArticlePreview = {
  draftId: number;
  title: string;
  words: number;
  images: number;
  imagesWanted: number;
  sections: number;
  phrase: string;
  spent: number;
  returned: number;
  telegraphUrl: string | null;
  /** The beginning of the text, for when there is no page to open. */
  excerpt: string;
  regenerations: number;
  /** Of the next version; 0 while they are free. */
  nextPrice: number;
  warnings: string[];
};

export type GenerateArticleInput = { key: string; userId: number; offer: ArticleOffer };
export type RegenerateArticleInput = { key: string; userId: number; draftId: number };
/** The site by its name: connected anew, it is still the same. */
export type PublishArticleInput = { key: string; userId: number; draftId: number; site: string };
export type CancelDraftInput = { userId: number; draftId: number };

/** With what the site did not take, in words for the person. */
export type PublishedArticle = {
  /** Null: the project was deleted while the article went out. */
  publicationId: number | null;
  url: string | null;
  warnings: string[];
};

type Context = FlowInput & {
  offer: ArticleOffer;
  preview: ArticlePreview | null;
  /** How far the writing has come. */
  stage: string | null;
  late: boolean;
  /** Every try to write anew has a key of its own. */
  attempts: number;
  published: PublishedArticle | null;
  returned: number;
  failure: Failure | null;
};
type Event =
  | Cancelled
  | { type: 'cost.accepted' }
  | { type: 'progress.made'; stage: string }
  | { type: 'work.delayed' }
  | { type: 'draft.approved' }
  | { type: 'draft.declined' };

const delayed = { 'work.delayed': { actions: 'rememberDelay' } } as const;
const progress = {
  'progress.made': {
    actions: { type: 'rememberStage', params: ({ event }: { event: { stage: string } }) => event },
  },
  ...delayed,
} as const;

export const articlePublishMachine = setup({
  types: {} as {
    context: Context;
    events: Event;
    input: FlowInput & { offer: ArticleOffer; preview: ArticlePreview | null };
    tags: 'busy';
  },
  actors: {
    generateArticle: port<ArticlePreview, GenerateArticleInput>('generateArticle'),
    regenerateArticle: port<ArticlePreview, RegenerateArticleInput>('regenerateArticle'),
    publishArticle: port<PublishedArticle, PublishArticleInput>('publishArticle'),
    cancelDraft: port<{ returned: number }, CancelDraftInput>('cancelDraft'),
  },
  guards: {
    hasPreview: ({ context }) => context.preview !== null,
    /** Nothing was charged and nothing written: the question stands. */
    isRefusal: (_, { error }: { error: unknown }) =>
      ['OUT_OF_TOKENS', 'RATE_LIMIT'].includes(toFailure(error).code),
    isExpired: (_, { error }: { error: unknown }) => toFailure(error).code === 'DRAFT_EXPIRED',
  },
  actions: {
    beginWork: assign({ failure: null, stage: null, late: false }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    rememberStage: assign({ stage: (_, { stage }: { stage: string }) => stage }),
    rememberDelay: assign({ late: true }),
    rememberPreview: assign({ preview: (_, { preview }: { preview: ArticlePreview }) => preview }),
    rememberPublication: assign({ published: (_, p: { published: PublishedArticle }) => p.published }),
    rememberReturn: assign({ returned: (_, { returned }: { returned: number }) => returned }),
    rememberFailure: assign({ failure: (_, { error }: { error: unknown }) => toFailure(error) }),
  },
}).createMachine({
  id: 'ArticlePublish',
  context: ({ input }) => ({
    ...input,
    stage: null,
    late: false,
    attempts: 0,
    published: null,
    returned: 0,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [{ guard: 'hasPreview', target: 'preview' }, { target: 'confirm_cost' }],
    },
    confirm_cost: {
      on: { 'cost.accepted': { target: 'generating', actions: 'beginWork' }, cancelled: 'cancelled' },
    },
    generating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'generateArticle',
        src: 'generateArticle',
        input: ({ context: { run, userId, offer } }) => ({ key: `${run}:generate`, userId, offer }),
        onDone: {
          target: 'preview',
          actions: { type: 'rememberPreview', params: ({ event }) => ({ preview: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isRefusal', params: ({ event }) => event },
            target: 'confirm_cost',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
          { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    preview: {
      on: {
        'draft.approved': { target: 'publishing', actions: 'beginWork' },
        'draft.declined': { target: 'regenerating', actions: ['beginWork', 'countAttempt'] },
        cancelled: { target: 'cancelling', actions: 'beginWork' },
      },
    },
    publishing: {
      tags: 'busy',
      on: delayed,
      invoke: {
        id: 'publishArticle',
        src: 'publishArticle',
        // The same key for every press, also of whoever left and came back: what is on the site is not sent again.
        // Another site has another: what was uploaded to the first is not there.
        input: ({ context: { userId, preview, offer } }) => ({
          key: `draft:${preview!.draftId}:publish:${preview!.regenerations}:${offer.site}`,
          userId,
          draftId: preview!.draftId,
          site: offer.site,
        }),
        onDone: {
          target: 'published',
          actions: { type: 'rememberPublication', params: ({ event }) => ({ published: event.output }) },
        },
        onError: [
          { guard: { type: 'isExpired', params: ({ event }) => event }, target: 'expired' },
          { target: 'preview', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    regenerating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'regenerateArticle',
        src: 'regenerateArticle',
        input: ({ context: { run, userId, preview, attempts } }) => ({
          key: `${run}:regenerate:${attempts}`,
          userId,
          draftId: preview!.draftId,
        }),
        onDone: {
          target: 'preview',
          actions: { type: 'rememberPreview', params: ({ event }) => ({ preview: event.output }) },
        },
        onError: [
          { guard: { type: 'isExpired', params: ({ event }) => event }, target: 'expired' },
          { target: 'preview', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    cancelling: {
      tags: 'busy',
      invoke: {
        id: 'cancelDraft',
        src: 'cancelDraft',
        input: ({ context: { userId, preview } }) => ({ userId, draftId: preview!.draftId }),
        onDone: {
          target: 'cancelled',
          actions: { type: 'rememberReturn', params: ({ event }) => event.output },
        },
        onError: {
          target: 'preview',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    published: { type: 'final' },
    failed: { type: 'final' },
    expired: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
