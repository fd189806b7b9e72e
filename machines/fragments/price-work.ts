import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
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

/** Whose prices are asked for, and what is there already. */
export type PricedCategory = {
  categoryId: number;
  categoryName: string;
  /** How many goods the present list has, and the first of them. */
  count: number;
  first: string[];
};

export type SavePricesInput = { key: string; userId: number; categoryId: number; material: Material };
/** `skipped`: rows of a table without a price, such as titles of groups. */
export type PricesSaved = { count: number; skipped: number };

export type PriceWork = {
  /** Null as long as the host knows no category. */
  category: PricedCategory | null;
  /** What the person sent, while it is read. */
  material: Material | null;
  /** Every list that is sent has a key of its own: never set back, not for another category either. */
  attempts: number;
  saved: PricesSaved | null;
};

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
      prices: { ...prices, material: toMaterial(params), attempts: prices.attempts + 1 },
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
export const priceText = <const Reading extends string>({ reading }: { reading: Reading }) => ({
  'text.received': {
    target: reading,
    actions: {
      type: 'takePriceText' as const,
      params: ({ event }: { event: TextReceived }) => ({ text: event.text }),
    },
  },
});
export const priceFile = <const Reading extends string>({ reading }: { reading: Reading }) => ({
  'file.received': {
    target: reading,
    actions: {
      type: 'takePriceFile' as const,
      params: ({ event }: { event: FileReceived }) => ({ file: event.file }),
    },
  },
});

/** The list is read and saved as a whole, or refused with the reason and nothing is saved. */
export const priceReading = <const Done extends string, const Refused extends string>({
  done,
  refused,
}: {
  done: Done;
  refused: Refused;
}) => ({
  tags: 'busy' as const,
  invoke: {
    id: 'savePrices' as const,
    src: 'savePrices' as const,
    input: ({ context: { run, userId, prices } }: { context: PriceSlice }) => ({
      key: `${run}:savePrices:${prices.attempts}`,
      userId,
      categoryId: prices.category!.categoryId,
      material: prices.material!,
    }),
    onDone: {
      target: done,
      actions: {
        type: 'rememberPrices' as const,
        params: ({ event }: { event: DoneActorEvent<PricesSaved> }) => ({ saved: event.output }),
      },
    },
    onError: {
      target: refused,
      actions: {
        type: 'rememberPriceFailure' as const,
        params: ({ event }: { event: ErrorActorEvent }) => event,
      },
    },
  },
});
