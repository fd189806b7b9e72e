import type { EventObject } from 'xstate';
import type { Failure } from '../failure.ts';
import type { TokensCredited } from '../flow-input.ts';
import { sliceChange } from './change-slice.ts';

/** The part of a host's context that a payment changes. */
export type CreditedSlice = {
  /** Known since a payment or a charge. Beside the offer, which is part of a keyed request: one that was refused is made again as it was. */
  balance?: number;
  failure: Failure | null;
};

const isShort = (failure: Failure | null): boolean => failure?.code === 'OUT_OF_TOKENS';

export const creditedGuards = {
  lacksTokens: ({ context }: { context: CreditedSlice }) => isShort(context.failure),
};

export const creditedActions = <Context extends CreditedSlice, Event extends EventObject>() => ({
  rememberBalance: sliceChange<CreditedSlice, Context, Event>()<{ balance: number }>(
    ({ failure }, { balance }) => ({ balance, failure: isShort(failure) ? null : failure }),
  ),
});

const remembered = {
  type: 'rememberBalance',
  params: ({ event }: { event: TokensCredited }) => event,
} as const;

/** Where a price waits to be agreed to (E51): the person is asked to go on after a payment, and sees what they have now. */
export const hearsOfTokens = { 'tokens.credited': { actions: remembered } } as const;

/** Where another version was refused for lack of tokens (E10). */
export const hearsIfShort = { 'tokens.credited': { guard: 'lacksTokens', actions: remembered } } as const;
