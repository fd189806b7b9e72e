import type { EventObject } from 'xstate';
import { port } from '../ports.ts';
import type { ArticleOffer } from './article-order.ts';
import type { ArticlePreview } from './article-ports.ts';
import type { ArticleSlice } from './article-work.ts';
import { sliceChange } from './change-slice.ts';
import { type MaterialSlice, type MaterialStock, materialTaken } from './pipeline-material.ts';
import {
  type ChoiceEvent,
  choiceActions,
  choiceGuards,
  choiceMade,
  nothingChosenYet,
  type PipelineSlice,
  type PipelineStock,
  stockTaken,
} from './pipeline-stock.ts';
import type { PricedCategory, PriceSlice } from './price-work.ts';

/** What a person has, as far as the way to an article goes. */
export type ArticleStock = PipelineStock &
  MaterialStock & {
    /** Null until there is a category. */
    prices: PricedCategory | null;
    counts: { sites: number };
    /** Null also where only a preview is wanted. */
    site: { id: number; identifier: string } | null;
    /** Null: something is missing for it. */
    offer: ArticleOffer | null;
    /** The draft that was asked about. */
    preview: ArticlePreview | null;
    /** Chosen before, and no longer there. */
    gone: Gone | null;
  };

type KeptChoice = Pick<ArticleOffer, 'categoryId' | 'phrase' | 'images' | 'own' | 'wanted'>;

export type Gone = 'project' | 'site' | 'category' | 'draft';

export type TakeStockInput = {
  userId: number;
  isAdmin: boolean;
  /** Where nothing is chosen yet: what the last article was about. */
  repeats: boolean;
  projectId: number | null;
  connectionId: number | null;
  previewOnly: boolean;
  categoryId: number | null;
  /** The choice that is on the screen: a look around does not replace it. */
  keep: KeptChoice | null;
  draftId: number | null;
};

/** The part of the host's context that the stock fills. */
export type StockSlice = ArticleSlice &
  PipelineSlice &
  MaterialSlice &
  PriceSlice & {
    ownSite: string | null;
    siteName: string | null;
    previewOnly: boolean;
    counts: ArticleStock['counts'];
    gone: Gone | null;
  };

export type StockEvent =
  | ChoiceEvent
  | { type: 'site.chosen'; connectionId: number }
  | { type: 'preview.chosen' };

export const nothingChosen = {
  ...nothingChosenYet,
  ownSite: null,
  siteName: null,
  counts: { projects: 0, sites: 0, categories: 0 },
} as const;

export const stockActors = { takeStock: port<ArticleStock, TakeStockInput>('takeStock') };

type InSlice = { context: StockSlice };
type Taken = { stock: ArticleStock };

export const stockGuards = {
  ...choiceGuards,
  hasSite: ({ context }: InSlice) => context.connectionId !== null || context.previewOnly,
  hasOffer: ({ context }: InSlice) => context.offer !== null,
  /** Phrases are the only condition; a description is worth a word before the first article. */
  isReady: ({ context }: InSlice) =>
    context.offer !== null && !context.checking && context.readiness?.hasDescription === true,
  isDraftGone: ({ context }: InSlice, { stock }: Taken) => context.preview !== null && stock.preview === null,
  isDraftThere: (_: unknown, { stock }: Taken) => stock.preview !== null,
};

export const stockActions = <Context extends StockSlice, Event extends EventObject>() => {
  const change = sliceChange<StockSlice, Context, Event>();
  const choose = <Params>(chosen: (params: Params) => Partial<StockSlice>) =>
    change<Params>((_, params) => ({ ...chosen(params), ...choiceMade }));
  const noTopic = { categoryId: null, categoryName: null, readiness: null, offer: null } as const;
  const noSite = { connectionId: null, siteName: null, previewOnly: false } as const;
  return {
    ...choiceActions<Context, Event>(),
    chooseProject: choose<{ projectId: number }>(({ projectId }) => ({ projectId, ...noSite, ...noTopic })),
    chooseSite: choose<{ connectionId: number }>(({ connectionId }) => ({
      ...noSite,
      connectionId,
      offer: null,
    })),
    choosePreview: choose(() => ({ ...noSite, previewOnly: true, offer: null })),
    chooseTopic: choose<{ categoryId: number }>(({ categoryId }) => ({ ...noTopic, categoryId })),
    reopenProject: choose(() => ({ projectId: null, ...noSite, ...noTopic })),
    reopenSite: choose(() => ({ ...noSite, ...noTopic })),
    reopenTopic: choose(() => ({ ...noTopic })),
    rememberStock: change<Taken>((before, { stock }) => ({
      ...stockTaken(before, stock),
      ...materialTaken(before, stock),
      prices: {
        ...before.prices,
        category: stock.prices,
        saved: before.prices.category?.categoryId === stock.prices?.categoryId ? before.prices.saved : null,
      },
      counts: stock.counts,
      ownSite: stock.project?.site ?? null,
      connectionId: stock.site?.id ?? null,
      siteName: stock.site?.identifier ?? null,
      previewOnly: before.previewOnly && stock.project !== null && stock.site === null,
      offer: stock.offer,
      ...(stock.offer && { balance: stock.offer.balance }),
      preview: stock.preview ?? before.preview,
      gone: stock.gone,
    })),
  };
};

export const stockInput = ({ context }: InSlice): TakeStockInput => {
  const { userId, isAdmin, repeats, projectId, connectionId, previewOnly, categoryId } = context;
  const { offer, preview } = context;
  return {
    ...{ userId, isAdmin, repeats, projectId, connectionId, previewOnly, categoryId },
    keep: offer && keptOf(offer),
    draftId: preview?.draftId ?? null,
  };
};

const keptOf = ({ categoryId, phrase, images, own, wanted }: ArticleOffer): KeptChoice => ({
  ...{ categoryId, phrase, images },
  ...(own !== undefined && { own }),
  ...(wanted !== undefined && { wanted }),
});
