import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
import { isRefusal, toFailure } from '../failure.ts';
import type { TextReceived, TokensCredited, WorkEvent } from '../flow-input.ts';
import { lengthMisfit, type Misfit } from '../misfit.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import {
  type OwnKnowledgeEvent,
  type OwnKnowledgeSlice,
  opensKnowledge,
  ownKnowledgeActions,
  ownKnowledgeActors,
  ownKnowledgeGuards,
  ownKnowledgeStates,
} from './own-knowledge.ts';
import {
  type CreditedSlice,
  creditedActions,
  creditedGuards,
  hearsIfShort,
  hearsOfTokens,
} from './tokens-credited.ts';

/** Another version is wanted this often without a charge. */
export const freeRegenerations = 2;
export const mostPictures = 10;
/** What a person wants changed, in their own words. */
export const MOST_WISH = 500;

const wishMisfit = (text: string): Misfit | null => lengthMisfit(text.trim(), 3, MOST_WISH);

/** What is about to be written, and for how much: shown before anything is charged. */
export type ArticleOffer = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  projectName: string;
  /** Where it would go; null for a preview alone. */
  connectionId: number | null;
  site: string | null;
  phrase: string;
  volume: number | null;
  /** Clusters that no article was written about lately, this one among them. */
  clusters: number;
  /** A count: how many pictures. */
  images: number;
  /** Prices in tokens, of the text and of all pictures together. */
  text: number;
  pictures: number;
  /** And of one picture. */
  picturePrice: number;
  /** Tokens. */
  balance: number;
  isAdmin: boolean;
  /** An article about this phrase came out lately. */
  reused: boolean;
  /** Other sites on which it may stand already: their answer was lost. */
  mayBeOn?: string[];
  /** Photos of the person's own in the category, and how many of them the article takes. They cost nothing. */
  ownPhotos?: number;
  own?: number;
  /** Pictures in all that the person asked for, photos among them: fewer photos never draw more than that. */
  wanted?: number;
  /** An earlier article answers the same question. */
  clash?: Clash | null;
  /** The beginnings of what the owner told of the category and asked to leave out. */
  knows?: string;
  avoid?: string;
};

export type Clash = { title: string; url: string | null; state: 'published' | 'draft' };

/** What else the category could have an article about. */
type OfferedPhrase = { phrase: string; volume: number | null; used: boolean; clash?: Clash | null };
export type OfferedPhrases = { page: number; items: OfferedPhrase[]; hasMore: boolean };

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
  /** Of what was spent, the tokens that nothing brings back: the person took the HTML (X09). Absent: all of it comes back. */
  final?: number;
  telegraphUrl: string | null;
  /** The beginning of the text, for when there is no page to open. */
  excerpt: string;
  regenerations: number;
  /** Of the next version; 0 while they are free. */
  nextPrice: number;
  /** And of a change by words, which draws no pictures. Absent in previews of earlier releases. */
  nextTextPrice?: number;
  /** What the latest change by words did. */
  changes?: string;
  warnings: string[];
  /** What the score means, in words for the person. Absent in previews of earlier releases. */
  verdict?: ArticleVerdict;
};
export type ArticleVerdict = { score: number; strengths: string[]; weaknesses: string[] };

export type ListPhrasesInput = { userId: number; categoryId: number; except: string; page: number };
export type GenerateArticleInput = { key: string; userId: number; offer: ArticleOffer };
/** `wish`: what to change in this version, in the person's words; absent where another one is wanted. */
export type RegenerateArticleInput = { key: string; userId: number; draftId: number; wish?: string };
/** The site by its name: connected anew, it is still the same. */
export type PublishArticleInput = {
  key: string;
  userId: number;
  draftId: number;
  site: string;
  /** Kept on the site as a draft that only its owner sees. */
  asDraft?: boolean;
};
export type CancelDraftInput = { userId: number; draftId: number };
/** What became final by taking the HTML. */
export type TakenHtml = { final: number };

/** With what the site did not take, in words for the person. */
export type PublishedArticle = {
  /** Null: the project was deleted while the article went out. */
  publicationId: number | null;
  url: string | null;
  /** On the site as a draft. Absent: to be read by all. */
  isDraft?: boolean;
  warnings: string[];
};

/** The part of the host's context that the work on one article needs. */
export type ArticleSlice = CreditedSlice &
  OwnKnowledgeSlice & {
    run: string;
    userId: number;
    offer: ArticleOffer | null;
    /** How often the offer was changed or refused: another order has another key. */
    offerChanges: number;
    phrases: OfferedPhrases | null;
    preview: ArticlePreview | null;
    /** How far the writing has come. */
    stage: string | null;
    late: boolean;
    /** Every try to write anew has a key of its own. */
    attempts: number;
    /** What to change in the text. Absent in sessions of earlier releases. */
    wish?: string | null;
    wishMisfit?: Misfit | null;
    published: PublishedArticle | null;
    returned: number;
  };

export type ArticleEvent =
  | { type: 'cost.accepted' }
  | { type: 'pictures.set'; count: number }
  | { type: 'photos.set'; count: number }
  | { type: 'phrase.declined' }
  | { type: 'phrases.declined' }
  | { type: 'phrase.chosen'; index: number }
  | WorkEvent
  | TokensCredited
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
  | OwnKnowledgeEvent
  | { type: 'back' };

export const noArticleYet = {
  offerChanges: 0,
  phrases: null,
  stage: null,
  late: false,
  attempts: 0,
  published: null,
  returned: 0,
  failure: null,
} as const;

export const articleActors = {
  listPhrases: port<OfferedPhrases, ListPhrasesInput>('listPhrases'),
  generateArticle: port<ArticlePreview, GenerateArticleInput>('generateArticle'),
  regenerateArticle: port<ArticlePreview, RegenerateArticleInput>('regenerateArticle'),
  publishArticle: port<PublishedArticle, PublishArticleInput>('publishArticle'),
  takeHtml: port<TakenHtml, CancelDraftInput>('takeHtml'),
  cancelDraft: port<{ returned: number }, CancelDraftInput>('cancelDraft'),
  ...ownKnowledgeActors,
};

type InSlice = { context: ArticleSlice };

/** What a cancellation would give back. */
export const refundOf = (preview: ArticlePreview | null): number =>
  preview === null ? 0 : Math.max(0, preview.spent - (preview.final ?? 0));
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
  isPictureCount: (_: unknown, { count }: { count: number }) =>
    Number.isInteger(count) && count >= 0 && count <= mostPictures,
  isPhotoCount: ({ context }: InSlice, { count }: { count: number }) =>
    Number.isInteger(count) && count >= 0 && count <= (context.offer?.ownPhotos ?? 0),
  isOffered: ({ context }: InSlice, { index }: { index: number }) =>
    context.phrases?.items[index] !== undefined,
  hasMorePhrases: ({ context }: InSlice) => context.phrases?.hasMore === true,
  /** Without a site there is only something to look at. */
  hasTarget: ({ context }: InSlice) => context.offer !== null && context.offer.site !== null,
  isRefusal,
  ...creditedGuards,
  ...ownKnowledgeGuards,
  isExpired: (_: unknown, { error }: Failed) => toFailure(error).code === 'DRAFT_EXPIRED',
};

export const articleActions = <Context extends ArticleSlice, Event extends EventObject>() => {
  const change = sliceChange<ArticleSlice, Context, Event>();
  return {
    beginWork: change(() => ({ failure: null, stage: null, late: false, wishMisfit: null })),
    rememberWish: change<{ text: string }>((_, { text }) => ({ wish: text.trim(), wishMisfit: null })),
    rejectWish: change<{ text: string }>((_, { text }) => ({ wishMisfit: wishMisfit(text) })),
    forgetWish: change(() => ({ wish: null, wishMisfit: null })),
    setPictures: change<{ count: number }>(({ offer, offerChanges }, { count }) => ({
      offer: offer && {
        ...offer,
        images: count,
        pictures: count * offer.picturePrice,
        wanted: count + (offer.own ?? 0),
      },
      offerChanges: offerChanges + 1,
      failure: null,
    })),
    setPhotos: change<{ count: number }>(({ offer, offerChanges }, { count }) => ({
      offer: offer && withOwnPhotos(offer, count),
      offerChanges: offerChanges + 1,
      failure: null,
    })),
    countOffer: change(({ offerChanges }) => ({ offerChanges: offerChanges + 1 })),
    rememberPhrases: change<{ phrases: OfferedPhrases }>((_, { phrases }) => ({ phrases })),
    forgetPhrases: change(() => ({ phrases: null, failure: null })),
    takePhrase: change<{ index: number }>(({ offer, phrases, offerChanges }, { index }) => {
      const { phrase, volume, used, clash = null } = phrases!.items[index]!;
      return {
        offer: offer && { ...offer, phrase, volume, reused: used, clash },
        offerChanges: offerChanges + 1,
        phrases: null,
      };
    }),
    countAttempt: change(({ attempts }) => ({ attempts: attempts + 1 })),
    rememberStage: change<{ stage: string }>((_, { stage }) => ({ stage })),
    rememberDelay: change(() => ({ late: true })),
    rememberPreview: change<{ preview: ArticlePreview }>((_, { preview }) => ({ preview, wish: null })),
    rememberPublication: change<{ published: PublishedArticle }>((_, { published }) => ({ published })),
    rememberTaken: change<TakenHtml>(({ preview }, { final }) => ({
      preview: preview && { ...preview, final },
    })),
    rememberReturn: change<{ returned: number }>((_, { returned }) => ({ returned })),
    rememberFailure: change<Failed>((_, { error }) => ({ failure: toFailure(error) })),
    ...creditedActions<Context, Event>(),
    ...ownKnowledgeActions<Context, Event>(),
  };
};

/** Photos take the places of drawn pictures, which cost tokens; a photo that is taken back frees its place only. */
function withOwnPhotos(offer: ArticleOffer, count: number): ArticleOffer {
  const wanted = offer.wanted ?? offer.images + (offer.own ?? 0);
  const images = Math.max(0, wanted - count);
  return { ...offer, own: count, wanted, images, pictures: images * offer.picturePrice };
}

const failed = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: ErrorActorEvent }) => event,
});
/** The event itself, for guards and actions that read one field of it. */
const given = <const Type extends string>(type: Type) => ({
  type,
  params: <Given extends { count: number } | { index: number }>({ event }: { event: Given }): Given => event,
});
const anotherVersion = { target: 'regenerating', actions: ['beginWork', 'countAttempt'] } as const;
const typed = <const Type extends string>(type: Type) => ({
  type,
  params: ({ event }: { event: TextReceived }) => event,
});
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
  /** Onto the site, to be read by all or as a draft of its owner's. */
  const publication = <const Id extends string>(id: Id, deed: 'publish' | 'save') =>
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
          { target: 'preview', actions: failed('rememberFailure') },
        ],
      },
    }) as const;
  return {
    confirm_cost: {
      on: {
        'cost.accepted': { target: 'generating', actions: 'beginWork' },
        ...hearsOfTokens,
        'pictures.set': { guard: given('isPictureCount'), actions: given('setPictures') },
        'photos.set': { guard: given('isPhotoCount'), actions: given('setPhotos') },
        'phrase.declined': { target: 'listing_phrases', actions: 'forgetPhrases' },
        ...opensKnowledge,
        ...atCost,
      },
    },
    ...ownKnowledgeStates(atQuestions),
    listing_phrases: {
      tags: 'busy',
      invoke: {
        id: 'listPhrases',
        src: 'listPhrases',
        input: ({ context: { userId, offer, phrases } }: InSlice) => ({
          userId,
          categoryId: offer!.categoryId,
          except: offer!.phrase,
          page: phrases ? phrases.page + 1 : 1,
        }),
        onDone: {
          target: 'choose_phrase',
          actions: {
            type: 'rememberPhrases',
            params: ({ event }: { event: DoneActorEvent<OfferedPhrases> }) => ({ phrases: event.output }),
          },
        },
        onError: { target: 'confirm_cost', actions: failed('rememberFailure') },
      },
    },
    choose_phrase: {
      on: {
        'phrase.chosen': { guard: given('isOffered'), target: 'confirm_cost', actions: given('takePhrase') },
        'phrases.declined': { guard: 'hasMorePhrases', target: 'listing_phrases' },
        back: { target: 'confirm_cost', actions: 'forgetPhrases' },
        ...atPhrases,
      },
    },
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
