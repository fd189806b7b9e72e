import { assign, setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  newPrices,
  type PricedCategory,
  type PriceEvent,
  type PriceSlice,
  priceActions,
  priceActors,
  priceFile,
  priceReading,
  priceText,
} from './fragments/price-work.ts';

export type PriceMethod = 'text' | 'file';

type Context = PriceSlice & { method: PriceMethod };
type Event =
  | PriceEvent
  | Cancelled
  | { type: 'text.chosen' }
  | { type: 'file.chosen' }
  | { type: 'method.reopened' };

export const priceInputMachine = setup({
  types: {} as {
    context: Context;
    events: Event;
    input: FlowInput & PricedCategory & { method: PriceMethod };
    tags: 'busy';
  },
  actors: priceActors,
  guards: { wantsFile: ({ context }) => context.method === 'file' },
  actions: { ...priceActions<Context, Event>(), forgetFailure: assign({ failure: null }) },
}).createMachine({
  id: 'PriceInput',
  context: ({ input: { run, userId, origin, method, ...category } }) => ({
    run,
    userId,
    origin,
    method,
    prices: newPrices(category),
    failure: null,
  }),
  initial: 'first_method',
  states: {
    first_method: { always: [{ guard: 'wantsFile', target: 'file_upload' }, { target: 'text_input' }] },
    choose_method: {
      entry: 'forgetFailure',
      on: {
        'text.chosen': 'text_input',
        'file.chosen': 'file_upload',
        cancelled: 'cancelled',
      },
    },
    text_input: {
      on: {
        ...priceText({ reading: 'reading_text' }),
        // A table where a list was asked for says the same, and better.
        ...priceFile({ reading: 'reading_file' }),
        'method.reopened': 'choose_method',
        cancelled: 'cancelled',
      },
    },
    file_upload: {
      on: {
        ...priceFile({ reading: 'reading_file' }),
        'method.reopened': 'choose_method',
        cancelled: 'cancelled',
      },
    },
    reading_text: priceReading({ done: 'saved', refused: 'text_input' }),
    reading_file: priceReading({ done: 'saved', refused: 'file_upload' }),
    saved: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
