import type { DoneActorEvent, EventObject } from 'xstate';
import { failedTheSame, isRefusal, toFailure } from '../failure.ts';
import type { TextReceived, WorkEvent } from '../flow-input.ts';
import { lengthMisfit, type Misfit } from '../misfit.ts';
import {
  noOrderYet,
  type OrderEvent,
  type OrderSlice,
  orderActions,
  orderGuards,
  orderStates,
} from './article-order.ts';
import { type ArticlePreview, type PublishedArticle, refundOf, type TakenHtml } from './article-ports.ts';
import { sliceChange } from './change-slice.ts';
import { hearsIfShort, hearsOfTokens } from './tokens-credited.ts';
import { failed, typed } from './with-event.ts';

/** Another version is wanted this often without a charge. */
export const freeRegenerations = 2;
/** What a person wants changed, in their own words. */
export const MOST_WISH = 500;

const wishMisfit = (text: string): Misfit | null => lengthMisfit(text.trim(), 3, MOST_WISH);

/** How a draft goes to the site: to be read by all, or as a draft of its owner's. */
type ToSite = 'publish' | 'save';

/** The part of the host's context that the work on one article needs. */
export type ArticleSlice = OrderSlice & {
  run: string;
  preview: ArticlePreview | null;
  /** How far the writing has come. */
  stage: string | null;
  late: boolean;
  /** Every try to write anew has a key of its own. */
  attempts: number;
  /** What to change in the text. Absent in sessions of earlier releases. */
  wish?: string | null;
  wishMisfit?: Misfit | null;
  /** What failed last of the two. Absent in sessions of earlier releases. */
  tried?: ToSite;
  published: PublishedArticle | null;
  returned: number;
};

export type ArticleEvent =
  | OrderEvent
  | WorkEvent
  | { type: 'draft.approved' }
  | { type: 'draft.declined' }
  /** Kept on the site as a draft, to be finished there. */
  | { type: 'site_draft.wanted' }
  | { type: 'html.wanted' }
  | { type: 'html.accepted' }
  /** The whole text, in the chat. */
  | { type: 'text.opened' }
  | TextReceived
  | { type: 'price.accepted' }
  | { type: 'back' };

export const noArticleYet = {
  ...noOrderYet,
  stage: null,
  late: false,
  attempts: 0,
  published: null,
  returned: 0,
  failure: null,
} as const;

type InSlice = { context: ArticleSlice };

type Failed = { error: unknown };

export const articleGuards = {
  hasPreview: ({ context }: InSlice) => context.preview !== null,
  /** Asked about once more before tokens are spent on it. */
  isNextPaid: ({ context }: InSlice) => context.preview !== null && context.preview.nextPrice > 0,
  /** Taking the HTML makes this charge final: the person says so first. */
  hasRefund: ({ context }: InSlice) => refundOf(context.preview) > 0,
  isFreeWish: ({ context }: InSlice, { text }: { text: string }) =>
    context.preview?.nextPrice === 0 && wishMisfit(text) === null,
  isWish: (_: unknown, { text }: { text: string }) => wishMisfit(text) === null,
  /** Without a site there is only something to look at. */
  hasTarget: ({ context }: InSlice) => context.offer !== null && context.offer.site !== null,
  isRefusal,
  ...orderGuards,
  isExpired: (_: unknown, { error }: Failed) => toFailure(error).code === 'DRAFT_EXPIRED',
};

export const articleActions = <Context extends ArticleSlice, Event extends EventObject>() => {
  const change = sliceChange<ArticleSlice, Context, Event>();
  return {
    beginWork: change(() => ({ stage: null, late: false, wishMisfit: null })),
    rememberWish: change<{ text: string }>((_, { text }) => ({ wish: text.trim(), wishMisfit: null })),
    rejectWish: change<{ text: string }>((_, { text }) => ({ wishMisfit: wishMisfit(text) })),
    forgetWish: change(() => ({ wish: null, wishMisfit: null })),
    countAttempt: change(({ attempts }) => ({ attempts: attempts + 1 })),
    rememberStage: change<{ stage: string }>((_, { stage }) => ({ stage })),
    rememberDelay: change(() => ({ late: true })),
    rememberPreview: change<{ preview: ArticlePreview }>((before, { preview }) => ({
      preview: { ...preview, ...(before.preview?.inDoubt && { inDoubt: true }) },
      wish: null,
      failure: null,
    })),
    rememberPublication: change<{ published: PublishedArticle }>((_, { published }) => ({ published })),
    rememberTaken: change<TakenHtml>(({ preview }, { final }) => ({
      preview: preview && { ...preview, final },
      failure: null,
    })),
    rememberReturn: change<{ returned: number }>((_, { returned }) => ({ returned })),
    rememberFailure: change<Failed>(({ failure }, { error }) => ({ failure: failedTheSame(failure, error) })),
    rememberTried: change<{ deed: ToSite }>(({ preview, failure }, { deed }) => ({
      tried: deed,
      preview: preview && { ...preview, ...(failure && doubts[failure.code]) },
    })),
    ...orderActions<Context, Event>(),
  };
};

/** What a failure to publish says of the site; any other failure says nothing of it. */
const doubts: Readonly<Record<string, { inDoubt: boolean }>> = {
  PUBLISH_UNKNOWN: { inDoubt: true },
  PUBLISH: { inDoubt: false },
};

const anotherVersion = { target: 'regenerating', actions: ['beginWork', 'countAttempt'] } as const;
const previewed = {
  type: 'rememberPreview',
  params: ({ event }: { event: DoneActorEvent<ArticlePreview> }) => ({ preview: event.output }),
} as const;
const backToPreview = { back: 'preview', cancelled: 'preview' } as const;
const delayed = { 'work.delayed': { actions: 'rememberDelay' } } as const;
const progress = {
  'progress.made': {
    actions: { type: 'rememberStage', params: ({ event }: { event: { stage: string } }) => event },
  },
  ...delayed,
} as const;

/**
 * From the price to the post: one truth for every flow that has an article written. The states have the names of the
 * specification; the host says what else a person may do at the price and at the preview, and where each end leads.
 */
export const articleStates = <
  const AtCost extends object,
  const AtPhrases extends object,
  const AtQuestions extends object,
  const AtPreview extends object,
  const Failing extends string,
  const Expired extends string,
  const Published extends string,
  const Cancelled extends string,
>({
  atCost,
  atPhrases,
  atQuestions,
  atPreview,
  ends,
}: {
  atCost: AtCost;
  atPhrases: AtPhrases;
  atQuestions: AtQuestions;
  atPreview: AtPreview;
  ends: { failed: Failing; expired: Expired; published: Published; cancelled: Cancelled };
}) => {
  const publication = <const Id extends string>(id: Id, deed: ToSite) =>
    ({
      tags: 'busy',
      on: delayed,
      invoke: {
        id,
        src: 'publishArticle',
        // The same key for every press, also of a person who left and came back: what is on the site is not sent
        // again. Another site has another: what was uploaded to the first is not there.
        input: ({ context: { userId, preview, offer } }: InSlice) => ({
          key: `draft:${preview!.draftId}:${deed}:${preview!.regenerations}:${offer!.site}`,
          userId,
          draftId: preview!.draftId,
          site: offer!.site!,
          ...(deed === 'save' && { asDraft: true }),
        }),
        onDone: {
          target: ends.published,
          actions: {
            type: 'rememberPublication',
            params: ({ event }: { event: DoneActorEvent<PublishedArticle> }) => ({ published: event.output }),
          },
        },
        onError: [
          { guard: failed('isExpired'), target: ends.expired },
          {
            target: 'preview',
            actions: [failed('rememberFailure'), { type: 'rememberTried', params: { deed } }],
          },
        ],
      },
    }) as const;
  return {
    ...orderStates({ atCost, atPhrases, atQuestions }),
    generating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'generateArticle',
        src: 'generateArticle',
        input: ({ context: { run, userId, offer, offerChanges } }: InSlice) => ({
          key: offerChanges === 0 ? `${run}:generate` : `${run}:generate:${offerChanges}`,
          userId,
          offer: offer!,
        }),
        onDone: { target: 'preview', actions: previewed },
        // A refused order keeps its key: the next one may be for another phrase, category or site, and needs its own.
        onError: [
          {
            guard: failed('isRefusal'),
            target: 'confirm_cost',
            actions: [failed('rememberFailure'), 'countOffer'],
          },
          { target: ends.failed, actions: failed('rememberFailure') },
        ],
      },
    },
    preview: {
      on: {
        'draft.approved': { guard: 'hasTarget', target: 'publishing', actions: 'beginWork' },
        'site_draft.wanted': { guard: 'hasTarget', target: 'saving_draft', actions: 'beginWork' },
        'html.wanted': [
          { guard: 'hasRefund', target: 'confirm_html' },
          { target: 'taking_html', actions: 'beginWork' },
        ],
        'text.opened': 'reading_text',
        'draft.declined': [
          { guard: 'isNextPaid', target: 'confirm_version', actions: 'forgetWish' },
          { target: 'regenerating', actions: ['forgetWish', 'beginWork', 'countAttempt'] },
        ],
        // What is typed here is a wish: «короче вступление, добавьте про доставку».
        'text.received': [
          {
            guard: typed('isFreeWish'),
            target: 'regenerating',
            actions: [typed('rememberWish'), 'beginWork', 'countAttempt'],
          },
          { guard: typed('isWish'), target: 'confirm_version', actions: typed('rememberWish') },
          { actions: typed('rejectWish') },
        ],
        ...hearsIfShort,
        cancelled: { target: 'cancelling', actions: 'beginWork' },
        ...atPreview,
      },
    },
    confirm_version: {
      on: {
        'price.accepted': anotherVersion,
        ...hearsOfTokens,
        back: { target: 'preview', actions: 'forgetWish' },
        cancelled: { target: 'preview', actions: 'forgetWish' },
      },
    },
    // The charge becomes final with the file (X09): asked once, before.
    confirm_html: {
      on: {
        'html.accepted': { target: 'taking_html', actions: 'beginWork' },
        ...backToPreview,
      },
    },
    taking_html: {
      tags: 'busy',
      invoke: {
        id: 'takeHtml',
        src: 'takeHtml',
        input: ({ context: { userId, preview } }: InSlice) => ({ userId, draftId: preview!.draftId }),
        onDone: {
          target: 'html_taken',
          actions: {
            type: 'rememberTaken',
            params: ({ event }: { event: DoneActorEvent<TakenHtml> }) => event.output,
          },
        },
        onError: [
          { guard: failed('isExpired'), target: ends.expired },
          { target: 'preview', actions: failed('rememberFailure') },
        ],
      },
    },
    // The file goes with the screen: a process that dies before it is sent leaves a screen that is still to be shown.
    html_taken: { on: backToPreview },
    reading_text: { on: backToPreview },
    saving_draft: publication('saveDraft', 'save'),
    publishing: publication('publishArticle', 'publish'),
    regenerating: {
      tags: 'busy',
      on: progress,
      invoke: {
        id: 'regenerateArticle',
        src: 'regenerateArticle',
        input: ({ context: { run, userId, preview, attempts, wish } }: InSlice) => ({
          key: `${run}:regenerate:${attempts}`,
          userId,
          draftId: preview!.draftId,
          ...(wish && { wish }),
        }),
        onDone: { target: 'preview', actions: previewed },
        onError: [
          { guard: failed('isExpired'), target: ends.expired },
          { target: 'preview', actions: failed('rememberFailure') },
        ],
      },
    },
    cancelling: {
      tags: 'busy',
      invoke: {
        id: 'cancelDraft',
        src: 'cancelDraft',
        input: ({ context: { userId, preview } }: InSlice) => ({ userId, draftId: preview!.draftId }),
        onDone: {
          target: ends.cancelled,
          actions: {
            type: 'rememberReturn',
            params: ({ event }: { event: DoneActorEvent<{ returned: number }> }) => event.output,
          },
        },
        onError: { target: 'preview', actions: failed('rememberFailure') },
      },
    },
  } as const;
};
