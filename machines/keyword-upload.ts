import { setup } from 'xstate';
import type { Cancelled, FlowInput, WorkEvent } from './flow-input.ts';
import {
  newUpload,
  type UploadEvent,
  type UploadSlice,
  uploadActions,
  uploadActors,
  uploadAnswers,
  uploadWork,
} from './fragments/keyword-upload.ts';

type Context = UploadSlice;
type Event = UploadEvent | WorkEvent | Cancelled;

const working = uploadWork({ done: 'results', refused: 'file_upload' });

export const keywordUploadMachine = setup({
  types: {} as {
    context: Context;
    events: Event;
    input: FlowInput & { categoryId: number; categoryName: string };
    tags: 'busy';
  },
  actors: uploadActors,
  guards: { isClustering: (_, { stage }: { stage: string }) => stage === 'clustering' },
  actions: uploadActions<Context, Event>(),
}).createMachine({
  id: 'KeywordUpload',
  context: ({ input: { run, userId, origin, ...category } }) => ({
    run,
    userId,
    origin,
    upload: newUpload(category),
    late: false,
    failure: null,
  }),
  initial: 'file_upload',
  states: {
    file_upload: { on: { ...uploadAnswers({ working: 'enriching' }), cancelled: 'cancelled' } },
    enriching: {
      ...working,
      on: {
        'progress.made': {
          guard: { type: 'isClustering', params: ({ event }) => event },
          target: 'clustering',
        },
        'work.delayed': { actions: 'rememberDelay' },
      },
    },
    clustering: { ...working, on: { 'work.delayed': { actions: 'rememberDelay' } } },
    results: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
