import { setup } from 'xstate';
import type { Migration } from './flow-entry.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import type { ArticleOffer } from './fragments/article-order.ts';
import { type ArticlePreview, articleActors } from './fragments/article-ports.ts';
import {
  type ArticleEvent,
  type ArticleSlice,
  articleActions,
  articleGuards,
  articleStates,
  noArticleYet,
} from './fragments/article-work.ts';

type Input = FlowInput & { offer: ArticleOffer; preview: ArticlePreview | null };
type Context = ArticleSlice & Input;
type Event = Cancelled | ArticleEvent;

/** Until version 1 neither the phrase nor the number of pictures could be changed. */
export const offerBecameChangeable: Migration = ({ state, context: { offer, ...context } }) => {
  const { images, pictures } = offer as ArticleOffer;
  const picturePrice = images > 0 ? pictures / images : 30;
  const changed = { ...(offer as ArticleOffer), picturePrice };
  return { state, context: { ...context, offer: changed, offerChanges: 0, phrases: null } };
};

export const articlePublishMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' },
  actors: articleActors,
  guards: articleGuards,
  actions: articleActions<Context, Event>(),
}).createMachine({
  id: 'ArticlePublish',
  context: ({ input }) => ({ ...input, ...noArticleYet }),
  initial: 'first_step',
  states: {
    first_step: {
      always: [{ guard: 'hasPreview', target: 'preview' }, { target: 'confirm_cost' }],
    },
    ...articleStates({
      atCost: { cancelled: 'cancelled' },
      atPhrases: { cancelled: 'cancelled' },
      atQuestions: {},
      atPreview: {},
      ends: { failed: 'failed', expired: 'expired', published: 'published', cancelled: 'cancelled' },
    }),
    published: { type: 'final' },
    failed: { type: 'final' },
    expired: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
