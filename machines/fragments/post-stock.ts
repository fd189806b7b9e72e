import type { EventObject } from 'xstate';
import { port } from '../ports.ts';
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
import type { PostDraft, PostOffer } from './post-ports.ts';
import type { PostSlice, PostWork } from './post-work.ts';

/** What a person has, as far as the way to a post goes. */
export type PostStock = PipelineStock &
  MaterialStock & {
    counts: { channels: number };
    channel: { id: number; name: string } | null;
    /** Null: something is missing for it. */
    offer: PostOffer | null;
    /** The post that was asked about; null also where its channel is gone. */
    draft: PostDraft | null;
    /** What that post waits for: its owner, or their word on whether it went out. Null: there is none any more. */
    waits: 'review' | 'answer' | null;
    /** Chosen before, and no longer there. */
    gone: PostGone | null;
  };

export type PostGone = 'project' | 'channel' | 'category';

/** The phrase that is on the screen: a look around does not replace it. */
type KeptPhrase = Pick<PostOffer, 'categoryId' | 'connectionId' | 'phrase'>;

export type TakePostStockInput = {
  userId: number;
  isAdmin: boolean;
  /** Where nothing is chosen yet: what the last post was about. */
  repeats: boolean;
  projectId: number | null;
  connectionId: number | null;
  categoryId: number | null;
  keep: KeptPhrase | null;
  draftId: number | null;
};

/**
 * Whose keys stand below the input line: a chooser of channels takes the place of the usual ones, which the first
 * screen behind it brings back.
 */
export type Keys = 'usual' | 'chooser' | 'returning';

/** The part of the host's context that the stock fills. */
export type PostStockSlice = PostSlice &
  PipelineSlice &
  MaterialSlice & {
    channelName: string | null;
    counts: PostStock['counts'];
    gone: PostGone | null;
    keys: Keys;
  };

export type PostStockEvent =
  | ChoiceEvent
  | { type: 'channel.chosen'; connectionId: number }
  | { type: 'channel.reopened' };

export const noPostStockYet = {
  ...nothingChosenYet,
  channelName: null,
  counts: { projects: 0, channels: 0, categories: 0 },
  keys: 'usual',
} as const;

export const postStockActors = { takePostStock: port<PostStock, TakePostStockInput>('takePostStock') };

type InSlice = { context: PostStockSlice };
type Taken = { stock: PostStock };

export const postStockGuards = {
  ...choiceGuards,
  hasChannel: ({ context }: InSlice) => context.connectionId !== null,
  hasOffer: ({ context }: InSlice) => context.post.offer !== null,
  /** Phrases are the only condition; a description is worth a word before the first post. */
  isReady: ({ context }: InSlice) =>
    context.post.offer !== null && !context.checking && context.readiness?.hasDescription === true,
  isDraftGone: ({ context }: InSlice, { stock }: Taken) =>
    context.post.draft !== null && stock.waits === null,
  /** Also one whose channel is gone: it is known since it was written. */
  isDraftThere: ({ context }: InSlice, { stock }: Taken) =>
    stock.waits === 'review' && (stock.draft ?? context.post.draft) !== null,
  isAnswerAwaited: (_: unknown, { stock }: Taken) => stock.waits === 'answer' && stock.draft !== null,
};

const keysAfter: Readonly<Record<Keys, Keys>> = {
  chooser: 'returning',
  returning: 'usual',
  usual: 'usual',
};
/** The keys after one more screen: the chooser goes with the first one, then the usual ones are back. */
export const pastChooser = ({ keys }: Pick<PostStockSlice, 'keys'>): { keys: Keys } => ({
  keys: keysAfter[keys],
});

export const postStockActions = <Context extends PostStockSlice, Event extends EventObject>() => {
  const change = sliceChange<PostStockSlice, Context, Event>();
  const choose = <Params>(chosen: (slice: PostStockSlice, params: Params) => Partial<PostStockSlice>) =>
    change<Params>((slice, params) => ({ ...chosen(slice, params), ...choiceMade }));
  const noOffer = ({ post }: PostStockSlice) => ({
    post: { ...post, offer: null, attempts: post.attempts + (post.offer ? 1 : 0) },
  });
  const noTopic = (slice: PostStockSlice) => ({
    ...{ categoryId: null, categoryName: null, readiness: null },
    ...noOffer(slice),
  });
  const noChannel = { connectionId: null, channelName: null } as const;
  return {
    ...choiceActions<Context, Event>(),
    chooseProject: choose<{ projectId: number }>((slice, { projectId }) => ({
      projectId,
      ...noChannel,
      ...noTopic(slice),
    })),
    chooseChannel: choose<{ connectionId: number }>((slice, { connectionId }) => ({
      connectionId,
      ...noOffer(slice),
    })),
    chooseTopic: choose<{ categoryId: number }>((slice, { categoryId }) => ({
      ...noTopic(slice),
      categoryId,
    })),
    reopenProject: choose((slice) => ({ projectId: null, ...noChannel, ...noTopic(slice) })),
    reopenChannel: choose((slice) => ({ ...noChannel, ...noOffer(slice) })),
    reopenTopic: choose((slice) => noTopic(slice)),
    rememberStock: change<Taken>((before, { stock }) => ({
      ...stockTaken(before, stock),
      ...materialTaken(before, stock),
      ...pastChooser(before),
      counts: stock.counts,
      connectionId: stock.channel?.id ?? null,
      channelName: stock.channel?.name ?? null,
      post: postTaken(before.post, stock),
      ...(stock.offer && { balance: stock.offer.balance }),
      gone: stock.gone,
    })),
  };
};

function postTaken(before: PostWork, { offer, draft, waits }: PostStock): PostWork {
  return {
    ...before,
    offer: offer ?? (waits === null ? null : before.offer),
    draft: draft ?? (waits === null ? null : before.draft),
    attempts: before.attempts + (waits === null && isOtherOrder(before.offer, offer) ? 1 : 0),
  };
}

/** A price that was refused left its request under its key: another order needs another key. */
function isOtherOrder(before: PostOffer | null, now: PostOffer | null): boolean {
  if (before === null) return false;
  const { balance: _, ...order } = before;
  return Object.entries(order).some(([part, value]) => now?.[part as keyof PostOffer] !== value);
}

export const postStockInput = ({ context }: InSlice): TakePostStockInput => {
  const { userId, isAdmin, repeats, projectId, connectionId, categoryId, post } = context;
  return {
    ...{ userId, isAdmin, repeats, projectId, connectionId, categoryId },
    keep: post.offer && keptOf(post.offer),
    draftId: post.draft?.draftId ?? null,
  };
};

const keptOf = ({ categoryId, connectionId, phrase }: PostOffer): KeptPhrase => ({
  ...{ categoryId, connectionId, phrase },
});
