import type { EventObject } from 'xstate';
import { failedTheSame, isRefusal } from '../failure.ts';
import type { FlowInput } from '../flow-input.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import type { KeywordSlice, KeywordsFound } from './keyword-questions.ts';
import { type CreditedSlice, creditedActions } from './tokens-credited.ts';

export type GenerateKeywordsInput = {
  key: string;
  userId: number;
  categoryId: number;
  products: string;
  geography: string;
  quantity: number;
  /** What the person has agreed to pay at most. */
  price: number;
};

/** The part of the host's context that the search needs. */
export type KeywordWorkSlice = FlowInput & KeywordSlice & CreditedSlice & { late: boolean };

type Failed = { error: unknown };
type Stage = { stage: string };

export const keywordActors = {
  generateKeywords: port<KeywordsFound, GenerateKeywordsInput>('generateKeywords'),
};

export const keywordWorkGuards = { isRefusal };

export const keywordWorkActions = <Context extends KeywordWorkSlice, Event extends EventObject>() => {
  const change = sliceChange<KeywordWorkSlice, Context, Event>();
  return {
    beginKeywords: change(({ keywords }) => ({
      keywords: { ...keywords, attempts: keywords.attempts + 1, stage: null },
      late: false,
    })),
    rememberKeywordStage: change<Stage>(({ keywords }, { stage }) => ({ keywords: { ...keywords, stage } })),
    rememberKeywords: change<{ found: KeywordsFound }>(({ keywords }, { found }) => ({
      keywords: { ...keywords, found },
      failure: null,
    })),
    rememberKeywordFailure: change<Failed>(({ failure }, { error }) => ({
      failure: failedTheSame(failure, error),
    })),
    rememberDelay: change(() => ({ late: true })),
    ...creditedActions<Context, Event>(),
  };
};

const failure = {
  type: 'rememberKeywordFailure',
  params: ({ event }: { event: Failed }) => event,
} as const;

/**
 * One piece of work under one key, whichever of a host's states is stored: a restored snapshot asks for the same
 * thing again, and the work goes on behind its finished stages. The way in has to pass `beginKeywords`.
 */
export const keywordWork = <const Done extends string, const Unsuccessful extends string>({
  done,
  failed,
}: {
  done: Done;
  failed: Unsuccessful;
}) => ({
  tags: 'busy' as const,
  invoke: {
    id: 'generateKeywords' as const,
    src: 'generateKeywords' as const,
    input: ({ context: { run, userId, keywords } }: { context: KeywordWorkSlice }) => ({
      key: `${run}:generateKeywords:${keywords.attempts}`,
      userId,
      categoryId: keywords.offer!.categoryId,
      products: keywords.products!,
      geography: keywords.geography!,
      quantity: keywords.quantity!,
      price: keywords.quantity! * keywords.offer!.pricePerPhrase,
    }),
    onDone: {
      target: done,
      actions: {
        type: 'rememberKeywords' as const,
        params: ({ event }: { event: { output: KeywordsFound } }) => ({ found: event.output }),
      },
    },
    onError: { target: failed, actions: failure },
  },
});

/** As above, with the charge as its first step: after it the work cannot be refused for want of tokens. */
export const keywordWorkFromCharge = <
  const Done extends string,
  const Unsuccessful extends string,
  const Refused extends string,
>({
  done,
  failed,
  refused,
}: {
  done: Done;
  failed: Unsuccessful;
  refused: Refused;
}) => {
  const work = keywordWork({ done, failed });
  return {
    ...work,
    invoke: {
      ...work.invoke,
      onError: [
        {
          guard: { type: 'isRefusal' as const, params: ({ event }: { event: Failed }) => event },
          target: refused,
          actions: failure,
        },
        { target: failed, actions: failure },
      ],
    },
  };
};

/** For a host with one state for all of the work: it tells the stages one after another. */
export const keywordProgress = {
  'progress.made': {
    actions: { type: 'rememberKeywordStage', params: ({ event }: { event: Stage }) => event },
  },
  'work.delayed': { actions: 'rememberDelay' },
} as const;
