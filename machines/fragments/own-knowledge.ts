import type { DoneActorEvent, EventObject } from 'xstate';
import { descriptionValue } from '../description-text.ts';
import type { Failure } from '../failure.ts';
import { failedTheSame, toFailure } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import type { ArticleOffer } from './article-order.ts';
import { sliceChange } from './change-slice.ts';
import { failed } from './with-event.ts';

/** What the owner can tell before an article: what only they know, and what is not to be written about. */
export type OwnField = 'knows' | 'avoid';
export const longestOwnAnswer = 600;

export type SaveOwnAnswerInput = { userId: number; categoryId: number; field: OwnField; text: string };
/** The beginning of what is kept, to be shown; empty: nothing is kept. */
export type SavedOwnAnswer = { field: OwnField; shown: string };

/** The part of the host's context that these questions need. */
export type OwnKnowledgeSlice = {
  userId: number;
  offer: ArticleOffer | null;
  offerChanges: number;
  failure: Failure | null;
  /** An answer on its way to the category; absent in sessions of earlier releases. */
  ownAnswer?: { field: OwnField; text: string } | null;
};

export type OwnKnowledgeEvent =
  | TextReceived
  | { type: 'knowledge.opened' }
  | { type: 'question.skipped' }
  | { type: 'answer.erased' };

export const ownKnowledgeActors = {
  saveOwnAnswer: port<SavedOwnAnswer, SaveOwnAnswerInput>('saveOwnAnswer'),
};

type InSlice = { context: OwnKnowledgeSlice };

export const ownKnowledgeGuards = {
  isOwnAnswer: (_: unknown, { text }: { text: string }) => {
    const { length } = descriptionValue(text);
    return length > 0 && length <= longestOwnAnswer;
  },
};

export const ownKnowledgeActions = <Context extends OwnKnowledgeSlice, Event extends EventObject>() => {
  const change = sliceChange<OwnKnowledgeSlice, Context, Event>();
  return {
    takeOwnAnswer: change<{ field: OwnField; text: string }>((_, { field, text }) => ({
      ownAnswer: { field, text: descriptionValue(text) },
    })),
    refuseOwnAnswer: change(() => ({
      failure: { ...toFailure(new Error('too long')), code: 'TOO_LONG' },
    })),
    rememberOwnAnswer: change<SavedOwnAnswer>(({ offer, offerChanges }, { field, shown }) => ({
      offer: offer && { ...offer, [field]: shown },
      offerChanges: offerChanges + 1,
      ownAnswer: null,
      failure: null,
    })),
    dropOwnAnswer: change<{ error: unknown }>(({ failure }, { error }) => ({
      ownAnswer: null,
      failure: failedTheSame(failure, error),
    })),
    forgetOwnTrouble: change(() => ({ failure: null })),
  };
};

/** One question, and where its answer is kept. */
const asking = <
  const Field extends OwnField,
  const Saving extends string,
  const Next extends string,
  const Ways extends object,
>(
  field: Field,
  saving: Saving,
  next: Next,
  ways: Ways,
) => ({
  on: {
    'text.received': [
      {
        guard: { type: 'isOwnAnswer' as const, params: ({ event }: { event: TextReceived }) => event },
        target: saving,
        actions: {
          type: 'takeOwnAnswer' as const,
          params: ({ event }: { event: TextReceived }) => ({ field, text: event.text }),
        },
      },
      { actions: 'refuseOwnAnswer' as const },
    ],
    'question.skipped': { target: next, actions: 'forgetOwnTrouble' as const },
    'answer.erased': {
      target: saving,
      actions: { type: 'takeOwnAnswer' as const, params: { field, text: '' } },
    },
    back: { target: 'confirm_cost' as const, actions: 'forgetOwnTrouble' as const },
    cancelled: { target: 'confirm_cost' as const, actions: 'forgetOwnTrouble' as const },
    ...ways,
  },
});

const saving = <const Back extends string, const Next extends string>(back: Back, next: Next) => ({
  tags: 'busy' as const,
  invoke: {
    id: 'saveOwnAnswer' as const,
    src: 'saveOwnAnswer' as const,
    input: ({ context: { userId, offer, ownAnswer } }: InSlice) => ({
      userId,
      categoryId: offer!.categoryId,
      ...ownAnswer!,
    }),
    onDone: {
      target: next,
      actions: {
        type: 'rememberOwnAnswer' as const,
        params: ({ event }: { event: DoneActorEvent<SavedOwnAnswer> }) => event.output,
      },
    },
    onError: {
      target: back,
      actions: failed('dropOwnAnswer'),
    },
  },
});

/** Two questions beside the price, both optional: their answers stay with the category and go into every article of it. */
export const ownKnowledgeStates = <const Ways extends object>(ways: Ways) =>
  ({
    own_knowledge: asking('knows', 'saving_own_knowledge', 'own_avoid', ways),
    saving_own_knowledge: saving('own_knowledge', 'own_avoid'),
    own_avoid: asking('avoid', 'saving_own_avoid', 'confirm_cost', ways),
    saving_own_avoid: saving('own_avoid', 'confirm_cost'),
  }) as const;

export const opensKnowledge = {
  'knowledge.opened': { target: 'own_knowledge', actions: 'forgetOwnTrouble' },
} as const;
