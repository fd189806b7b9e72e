import type { EventObject } from 'xstate';
import { type Failure, failedTheSame } from '../failure.ts';
import type { FlowInput, TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import {
  type FileReceived,
  fileMaterial,
  type Material,
  type SentFile,
  textMaterial,
} from '../sent-material.ts';
import { sliceChange } from './change-slice.ts';
import { type ListInput, listWork, type SentList, taken, takesFile, takesText } from './sent-list.ts';

/** Whose prices are asked for, and what is there already. */
export type PricedCategory = {
  categoryId: number;
  categoryName: string;
  /** How many goods the present list has, and the first of them. */
  count: number;
  first: string[];
};

export type SavePricesInput = ListInput;
/** `skipped`: rows of a table without a price, such as titles of groups. */
export type PricesSaved = { count: number; skipped: number };

type PriceWork = SentList<PricedCategory> & { saved: PricesSaved | null };

/** The part of the host's context that prices need. */
export type PriceSlice = FlowInput & { prices: PriceWork; failure: Failure | null };

export type PriceEvent = TextReceived | FileReceived;

export const newPrices = (category: PricedCategory | null): PriceWork => ({
  category,
  material: null,
  attempts: 0,
  saved: null,
});

export const priceActors = { savePrices: port<PricesSaved, SavePricesInput>('savePrices') };

type Failed = { error: unknown };

export const priceActions = <Context extends PriceSlice, Event extends EventObject>() => {
  const change = sliceChange<PriceSlice, Context, Event>();
  const take = <Params>(toMaterial: (params: Params) => Material) =>
    // The failure stays until the list is read: the next one may fail in the same way, and is to look different.
    change<Params>(({ prices }, params) => ({
      prices: taken(prices, toMaterial(params)),
    }));
  return {
    takePriceText: take<{ text: string }>(textMaterial),
    takePriceFile: take<{ file: SentFile }>(fileMaterial),
    rememberPrices: change<{ saved: PricesSaved }>(({ prices }, { saved }) => ({
      prices: { ...prices, material: null, saved },
      failure: null,
    })),
    rememberPriceFailure: change<Failed>(({ prices, failure }, { error }) => ({
      prices: { ...prices, material: null },
      failure: failedTheSame(failure, error),
    })),
    /** For a host that comes to know the category on its way. */
    offerPrices: change<{ category: PricedCategory }>(({ prices }, { category }) => ({
      prices: { ...newPrices(category), attempts: prices.attempts },
      failure: null,
    })),
  };
};

/** What a person may answer with. */
export const priceText = <const Reading extends string>({ reading }: { reading: Reading }) =>
  takesText(reading, 'takePriceText');
export const priceFile = <const Reading extends string>({ reading }: { reading: Reading }) =>
  takesFile(reading, 'takePriceFile');

/** The list is read and saved as a whole, or refused with the reason and nothing is saved. */
export const priceReading = listWork({
  src: 'savePrices',
  listOf: ({ prices }: PriceSlice) => prices,
  remember: 'rememberPrices',
  remembered: (saved: PricesSaved) => ({ saved }),
  refuse: 'rememberPriceFailure',
});
