import type { DoneActorEvent, EventObject } from 'xstate';
import type { TokensCredited } from '../flow-input.ts';
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
import { type CreditedSlice, creditedActions, creditedGuards, hearsOfTokens } from './tokens-credited.ts';
import { failed } from './with-event.ts';

export const mostPictures = 10;

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
  /** The price of one picture. */
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

export type ListPhrasesInput = { userId: number; categoryId: number; except: string; page: number };

/** The part of the host's context that the order of one article needs. */
export type OrderSlice = CreditedSlice &
  OwnKnowledgeSlice & {
    userId: number;
    offer: ArticleOffer | null;
    /** How often the offer was changed or refused: another order has another key. */
    offerChanges: number;
    phrases: OfferedPhrases | null;
  };

export type OrderEvent =
  | { type: 'cost.accepted' }
  | { type: 'pictures.set'; count: number }
  | { type: 'photos.set'; count: number }
  | { type: 'phrase.declined' }
  | { type: 'phrases.declined' }
  | { type: 'phrase.chosen'; index: number }
  | TokensCredited
  | OwnKnowledgeEvent;

export const noOrderYet = { offerChanges: 0, phrases: null } as const;

export const orderActors = {
  listPhrases: port<OfferedPhrases, ListPhrasesInput>('listPhrases'),
  ...ownKnowledgeActors,
};

type InSlice = { context: OrderSlice };

export const orderGuards = {
  isPictureCount: (_: unknown, { count }: { count: number }) =>
    Number.isInteger(count) && count >= 0 && count <= mostPictures,
  isPhotoCount: ({ context }: InSlice, { count }: { count: number }) =>
    Number.isInteger(count) && count >= 0 && count <= (context.offer?.ownPhotos ?? 0),
  isOffered: ({ context }: InSlice, { index }: { index: number }) =>
    context.phrases?.items[index] !== undefined,
  hasMorePhrases: ({ context }: InSlice) => context.phrases?.hasMore === true,
  ...creditedGuards,
  ...ownKnowledgeGuards,
};

export const orderActions = <Context extends OrderSlice, Event extends EventObject>() => {
  const change = sliceChange<OrderSlice, Context, Event>();
  return {
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
    seekPhrases: change(() => ({ phrases: null })),
    rememberPhrases: change<{ phrases: OfferedPhrases }>((_, { phrases }) => ({ phrases, failure: null })),
    forgetPhrases: change(() => ({ phrases: null, failure: null })),
    takePhrase: change<{ index: number }>(({ offer, phrases, offerChanges }, { index }) => {
      const { phrase, volume, used, clash = null } = phrases!.items[index]!;
      return {
        offer: offer && { ...offer, phrase, volume, reused: used, clash },
        offerChanges: offerChanges + 1,
        phrases: null,
      };
    }),
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

/** The event itself, for guards and actions that read one field of it. */
const given = <const Type extends string>(type: Type) => ({
  type,
  params: <Given extends { count: number } | { index: number }>({ event }: { event: Given }): Given => event,
});

/**
 * What is to be written, and for how much: the price, at which phrase, pictures and the owner's own knowledge may be
 * changed. An accepted order leads to `generating`, which the host has.
 */
export const orderStates = <
  const AtCost extends object,
  const AtPhrases extends object,
  const AtQuestions extends object,
>({
  atCost,
  atPhrases,
  atQuestions,
}: {
  atCost: AtCost;
  atPhrases: AtPhrases;
  atQuestions: AtQuestions;
}) =>
  ({
    confirm_cost: {
      on: {
        'cost.accepted': { target: 'generating', actions: 'beginWork' },
        ...hearsOfTokens,
        'pictures.set': { guard: given('isPictureCount'), actions: given('setPictures') },
        'photos.set': { guard: given('isPhotoCount'), actions: given('setPhotos') },
        'phrase.declined': { target: 'listing_phrases', actions: 'seekPhrases' },
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
        onError: {
          target: 'confirm_cost',
          actions: failed('rememberFailure'),
        },
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
  }) as const;
