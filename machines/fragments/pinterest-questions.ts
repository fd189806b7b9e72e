import type { DoneActorEvent, EventObject } from 'xstate';
import { toFailure } from '../failure.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import {
  answersIn,
  type ConnectInput,
  type ConnectionSlice,
  connected,
  connectInput,
  connectionActions,
  connectionGuards,
} from './connection-slice.ts';
import { named } from './named.ts';
import { failed, withEvent } from './with-event.ts';

type BoardChoice = { id: string; name: string };

/** Where the person lets us in; good for one answer, for half an hour. */
export type PinterestConsent = { link: string; nonce: string };
/** What the person let us into. */
export type PinterestGrant = { sealed: string; boards: BoardChoice[] };

export type OfferConsentInput = { run: string; userId: number };
export type TakeConsentInput = { run: string; userId: number; nonce: string };
export type ConnectPinterestInput = ConnectInput & { board: BoardChoice; sealed: string };

/** What was answered so far. */
type PinterestAnswers = {
  consent: PinterestConsent | null;
  grant: PinterestGrant | null;
  board: BoardChoice | null;
  page: number;
  /** Every try has a key of its own: counted over the whole run, also when it is asked anew. */
  attempts: number;
};

/** The part of the host's context that the questions need. */
export type PinterestSlice = ConnectionSlice & { pinterest: PinterestAnswers };

export type PinterestEvent =
  /** The person came back from Pinterest, by the link that their browser was given. */
  | { type: 'access.granted'; nonce: string }
  /** Pinterest said that the person did not let us in, or could not. */
  | { type: 'access.refused'; nonce: string; reason: string }
  | { type: 'board.chosen'; index: number }
  | { type: 'page.turned'; page: number }
  | { type: 'retried' };

export const noPinterestYet: PinterestAnswers = {
  consent: null,
  grant: null,
  board: null,
  page: 1,
  attempts: 0,
};

export const pinterestActors = {
  offerConsent: port<PinterestConsent, OfferConsentInput>('offerConsent'),
  takeConsent: port<PinterestGrant, TakeConsentInput>('takeConsent'),
  connectPinterest: port<{ connectionId: number }, ConnectPinterestInput>('connectPinterest'),
};

type InSlice = { context: PinterestSlice };
type Index = { index: number };
type Back = { nonce: string };

export const pinterestGuards = {
  ...connectionGuards,
  /** An answer to a link of an earlier dialogue is none to this one. */
  isOwnConsent: ({ context }: InSlice, { nonce }: Back) => context.pinterest.consent?.nonce === nonce,
  isBoard: ({ context }: InSlice, { index }: Index) => context.pinterest.grant?.boards[index] !== undefined,
  /** Its time is over, or Pinterest took it back: only another consent helps. */
  isConsentOver: (_: unknown, { error }: { error: unknown }) => toFailure(error).code === 'CONSENT_OVER',
};

export const pinterestActions = <Context extends PinterestSlice, Event extends EventObject>() => {
  const change = sliceChange<PinterestSlice, Context, Event>();
  const { answer, note } = answersIn<PinterestSlice, PinterestAnswers, Context, Event>(
    ({ pinterest }, more) => ({
      pinterest: { ...pinterest, ...more },
    }),
  );
  return {
    ...connectionActions<Context, Event>(),
    askForPinterest: note(({ pinterest: { attempts } }) => ({ ...noPinterestYet, attempts })),
    rememberConsent: answer<{ consent: PinterestConsent }>((_, { consent }) => ({ consent })),
    rememberBoards: answer<{ grant: PinterestGrant }>((_, { grant }) => ({ grant, page: 1 })),
    rememberBoard: note<Index>(({ pinterest }, { index }) => ({
      board: pinterest.grant!.boards[index]!,
      attempts: pinterest.attempts + 1,
    })),
    turnBoardPage: answer<{ page: number }>((_, { page }) => ({ page })),
    /** E21. */
    rememberNoConsent: change<{ reason: string }>((_, { reason }) => ({
      failure: { code: 'ACCESS_REFUSED', userMessage: reason, retryable: true, refunded: 0 },
    })),
  };
};

const back = <const Type extends string>(type: Type) => withEvent<Type, Back>(type);
const chosen = <const Type extends string>(type: Type) => withEvent<Type, Index>(type);

/**
 * From the sign-in at Pinterest to a connected board. The host names the states, says what else a person may do at
 * every question (`ways`), and where the ends lead.
 */
export const pinterestQuestions = <
  const Opening extends string,
  const Oauth extends string,
  const Reading extends string,
  const Board extends string,
  const Saving extends string,
  const Connected extends string,
  const Failing extends string,
  const Ways extends object,
>({
  opening,
  oauth,
  reading,
  board,
  saving,
  ends,
  ways,
}: {
  /** Makes the link to Pinterest. */
  opening: Opening;
  oauth: Oauth;
  reading: Reading;
  board: Board;
  saving: Saving;
  ends: { connected: Connected; failed: Failing };
  ways: Ways;
}) => ({
  ...named(opening, {
    tags: 'busy',
    invoke: {
      id: 'offerConsent',
      src: 'offerConsent',
      input: ({ context: { run, userId } }: InSlice) => ({ run, userId }),
      onDone: {
        target: oauth,
        actions: {
          type: 'rememberConsent',
          params: ({ event }: { event: DoneActorEvent<PinterestConsent> }) => ({ consent: event.output }),
        },
      },
      onError: { target: ends.failed, actions: failed('rememberRefusal') },
    },
  }),
  ...named(oauth, {
    on: {
      'access.granted': { guard: back('isOwnConsent'), target: reading },
      'access.refused': {
        guard: back('isOwnConsent'),
        target: ends.failed,
        actions: {
          type: 'rememberNoConsent',
          params: ({ event }: { event: { reason: string } }) => event,
        },
      },
      ...ways,
    },
  }),
  ...named(reading, {
    tags: 'busy',
    invoke: {
      id: 'takeConsent',
      src: 'takeConsent',
      input: ({ context: { run, userId, pinterest } }: InSlice) => ({
        run,
        userId,
        nonce: pinterest.consent!.nonce,
      }),
      onDone: {
        target: board,
        actions: {
          type: 'rememberBoards',
          params: ({ event }: { event: DoneActorEvent<PinterestGrant> }) => ({ grant: event.output }),
        },
      },
      onError: [
        { guard: failed('isConsentOver'), target: ends.failed, actions: failed('rememberRefusal') },
        { target: board, actions: failed('rememberRefusal') },
      ],
    },
  }),
  ...named(board, {
    on: {
      'board.chosen': { guard: chosen('isBoard'), target: saving, actions: chosen('rememberBoard') },
      'page.turned': {
        actions: { type: 'turnBoardPage', params: ({ event }: { event: { page: number } }) => event },
      },
      retried: { target: reading },
      ...ways,
    },
  }),
  ...named(saving, {
    tags: 'busy',
    invoke: {
      id: 'connectPinterest',
      src: 'connectPinterest',
      input: ({ context }: InSlice) => ({
        ...connectInput(context, 'pinterest', context.pinterest.attempts),
        board: context.pinterest.board!,
        sealed: context.pinterest.grant!.sealed,
      }),
      onDone: { target: ends.connected, actions: connected },
      onError: [
        { guard: failed('isTaken'), target: ends.failed, actions: failed('rememberRefusal') },
        { target: board, actions: failed('rememberRefusal') },
      ],
    },
  }),
});
