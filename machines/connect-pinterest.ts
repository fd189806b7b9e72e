import { setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noPinterestYet,
  type PinterestEvent,
  type PinterestSlice,
  pinterestActions,
  pinterestActors,
  pinterestGuards,
  pinterestQuestions,
} from './fragments/pinterest-questions.ts';

type Input = FlowInput & { projectId: number; projectName: string };
type Context = PinterestSlice & Input;
type Event = PinterestEvent | Cancelled;

export const connectPinterestMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: pinterestActors,
  guards: pinterestGuards,
  actions: pinterestActions<Context, Event>(),
}).createMachine({
  id: 'ConnectPinterest',
  context: ({ input }) => ({ ...input, pinterest: noPinterestYet, connectionId: null, failure: null }),
  initial: 'opening_oauth',
  states: {
    ...pinterestQuestions({
      opening: 'opening_oauth',
      oauth: 'oauth_callback',
      reading: 'reading_boards',
      board: 'select_board',
      saving: 'saving',
      ends: { connected: 'connected', failed: 'failed' },
      ways: { cancelled: 'cancelled' },
    }),
    connected: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
