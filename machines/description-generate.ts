import { setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  type DescriptionEvent,
  type DescriptionOffer,
  type DescriptionSlice,
  descriptionActions,
  descriptionActors,
  descriptionStates,
  newDescription,
} from './fragments/description-work.ts';
import { creditedGuards } from './fragments/tokens-credited.ts';

type Context = DescriptionSlice;
type Event = DescriptionEvent | Cancelled;

export const descriptionGenerateMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & DescriptionOffer; tags: 'busy' },
  actors: descriptionActors,
  guards: creditedGuards,
  actions: descriptionActions<Context, Event>(),
}).createMachine({
  id: 'DescriptionGenerate',
  context: ({ input: { run, userId, origin, ...offer } }) => ({
    run,
    userId,
    origin,
    description: newDescription(offer),
    misfit: null,
    late: false,
    failure: null,
  }),
  initial: 'confirm',
  states: {
    ...descriptionStates({
      confirm: 'confirm',
      generating: 'generating',
      review: 'review',
      regenerating: 'regenerating',
      saving: 'saving',
      saved: 'saved',
      unsaved: 'review',
      atCost: { cancelled: 'cancelled' },
      atReview: { cancelled: 'discarded' },
    }),
    saved: { type: 'final' },
    /** What was written is not kept; it was paid for, and that was said beforehand. */
    discarded: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
