import type { EventObject } from 'xstate';
import type { Failure } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import { lengthMisfit, type Misfit } from '../misfit.ts';
import { tidy } from '../project-fields.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { withEvent } from './with-event.ts';

/**
 * What phrases are wanted, where and how many: three questions for every flow that may have to ask them. The host
 * names the states and says where the answers lead; the search itself is `keyword-work.ts`.
 */
export const keywordQuantities = [50, 100, 150, 200] as const;

/** What phrases are sought for, and for how much each: loaded before the first question. */
export type KeywordOffer = {
  categoryId: number;
  categoryName: string;
  /** Of the company, when it is known already. */
  city: string | null;
  pricePerPhrase: number;
  balance: number;
  isAdmin: boolean;
};

/** What was found and is already saved. */
export type KeywordsFound = {
  clusters: number;
  phrases: number;
  /** Those that the category did not have before. */
  added: number;
  /** `ai`: invented, without search volumes; `file`: the person's own. */
  source: 'data' | 'ai' | 'file';
  /** What put the phrases into groups: a model, shared words, the category they are all of, or nothing. */
  grouping: 'model' | 'words' | 'category' | 'none';
  /** Location code of the country whose searches were counted. */
  market: number | null;
  spent: number;
  returned: number;
};

export type KeywordSearch = {
  /** Null as long as the host knows no category. */
  offer: KeywordOffer | null;
  products: string | null;
  geography: string | null;
  quantity: number | null;
  /** Every agreement to pay has a key of its own: never set back, not for another category either. */
  attempts: number;
  /** How far the work has come, where one state stands for all of it. */
  stage: string | null;
  found: KeywordsFound | null;
};

/** The part of the host's context that the questions need. */
export type KeywordSlice = {
  keywords: KeywordSearch;
  /** Why the latest answer was not taken. */
  misfit: Misfit | null;
  failure: Failure | null;
};

export type KeywordEvent =
  | TextReceived
  | { type: 'category.chosen' }
  | { type: 'city.chosen' }
  | { type: 'place.chosen'; place: string }
  | { type: 'answer.kept' }
  | { type: 'quantity.chosen'; quantity: number };

export const noKeywordAnswers = { products: null, geography: null, quantity: null, found: null } as const;

export const newKeywordSearch = (offer: KeywordOffer | null): KeywordSearch => ({
  ...noKeywordAnswers,
  offer,
  attempts: 0,
  stage: null,
});

type Typed = { text: string };
type Chosen = { quantity: number };
type InSlice = { context: KeywordSlice };

export const keywordGuards = {
  isProducts: (_: unknown, { text }: Typed) => productsMisfit(text) === null,
  isGeography: (_: unknown, { text }: Typed) => geographyMisfit(text) === null,
  isQuantity: (_: unknown, { quantity }: Chosen) => keywordQuantities.some((offered) => offered === quantity),
  hasProducts: ({ context }: InSlice) => context.keywords.products !== null,
  hasGeography: ({ context }: InSlice) => context.keywords.geography !== null,
  hasCity: ({ context }: InSlice) => (context.keywords.offer?.city ?? null) !== null,
};

export const keywordActions = <Context extends KeywordSlice, Event extends EventObject>() => {
  const change = sliceChange<KeywordSlice, Context, Event>();
  const answer = <Params>(answered: (search: KeywordSearch, params: Params) => Partial<KeywordSearch>) =>
    change<Params>(({ keywords }, params) => ({
      keywords: { ...keywords, ...answered(keywords, params) },
      misfit: null,
    }));
  return {
    rememberProducts: answer<Typed>((_, { text }) => ({ products: tidyLines(text) })),
    takeCategoryName: answer(({ offer }) => ({ products: offer!.categoryName })),
    rememberGeography: answer<Typed>((_, { text }) => ({ geography: tidy(text) })),
    takeCity: answer(({ offer }) => ({ geography: offer!.city })),
    keepAnswer: answer(() => ({})),
    rememberQuantity: answer<Chosen>((_, { quantity }) => ({ quantity })),
    rejectProducts: change<Typed>((_, { text }) => ({ misfit: productsMisfit(text) })),
    rejectGeography: change<Typed>((_, { text }) => ({ misfit: geographyMisfit(text) })),
    /** For a host that comes to know the category on its way: earlier answers were about another one. */
    offerKeywords: answer<{ offer: KeywordOffer }>((_, { offer }) => ({ ...noKeywordAnswers, offer })),
  };
};

const received = <const Type extends string>(type: Type) => withEvent<Type, TextReceived>(type);
const chosen = <const Type extends string>(type: Type) => withEvent<Type, Chosen>(type);

/** `asked`: where the second answer leads, which is the third question unless it is answered already. */
export const keywordQuestions = <
  const Products extends string,
  const Geography extends string,
  const Quantity extends string,
  const Asked extends string,
  const Done extends string,
  const Ways extends object,
>({
  products,
  geography,
  quantity,
  asked,
  done,
  ways,
}: {
  products: Products;
  geography: Geography;
  quantity: Quantity;
  asked: Asked;
  done: Done;
  ways: Ways;
}) => ({
  ...named(products, {
    on: {
      'text.received': [
        { guard: received('isProducts'), target: geography, actions: received('rememberProducts') },
        { actions: received('rejectProducts') },
      ],
      'category.chosen': { target: geography, actions: 'takeCategoryName' },
      'answer.kept': { guard: 'hasProducts', target: geography, actions: 'keepAnswer' },
      ...ways,
    },
  }),
  ...named(geography, {
    on: {
      'text.received': [
        { guard: received('isGeography'), target: asked, actions: received('rememberGeography') },
        { actions: received('rejectGeography') },
      ],
      'city.chosen': { guard: 'hasCity', target: asked, actions: 'takeCity' },
      'place.chosen': {
        target: asked,
        actions: {
          type: 'rememberGeography',
          params: ({ event }: { event: { place: string } }) => ({ text: event.place }),
        },
      },
      'answer.kept': { guard: 'hasGeography', target: asked, actions: 'keepAnswer' },
      ...ways,
    },
  }),
  ...named(quantity, {
    on: {
      'quantity.chosen': { guard: chosen('isQuantity'), target: done, actions: chosen('rememberQuantity') },
      ...ways,
    },
  }),
});

/** A list stays a list: a line of it is one kind of goods. */
const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map(tidy)
    .filter((line) => line !== '')
    .join('\n');

const productsMisfit = (text: string): Misfit | null => wordsMisfit(tidyLines(text), 3, 1_000);
const geographyMisfit = (text: string): Misfit | null => wordsMisfit(tidy(text), 2, 200);

const wordsMisfit = (text: string, min: number, max: number): Misfit | null =>
  lengthMisfit(text, min, max) ?? (/[\p{L}\p{N}]/u.test(text) ? null : 'wrong-format');
