import type { DoneActorEvent, EventObject } from 'xstate';
import { descriptionMisfit, descriptionValue } from '../description-text.ts';
import { failedTheSame } from '../failure.ts';
import type { FlowInput, TokensCredited } from '../flow-input.ts';
import type { Misfit } from '../misfit.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import {
  type CreditedSlice,
  creditedActions,
  creditedGuards,
  hearsIfShort,
  hearsOfTokens,
} from './tokens-credited.ts';
import { failed, typed } from './with-event.ts';

/** Another version is written this often without a charge. */
export const freeDescriptions = 2;

/** What a description would be written from, and for how much: shown before anything is charged. */
export type DescriptionOffer = {
  categoryId: number;
  categoryName: string;
  /** Counts: what the text would be written from. */
  phrases: number;
  goods: number;
  reviews: number;
  /** The category has a description, whose place the new one takes when it is saved. */
  replaces?: boolean;
  /** Tokens. */
  price: number;
  balance: number;
  isAdmin: boolean;
};

export type WrittenDescription = {
  text: string;
  words: number;
  /** Facts that the person should look at, in words for them. */
  warnings: string[];
  spent: number;
  /** After the charge. */
  balance: number;
};

export type WriteDescriptionInput = {
  key: string;
  userId: number;
  categoryId: number;
  price: number;
  /** The version that was declined: the next one is to differ. */
  previous: string | null;
};
export type SaveDescriptionInput = { key: string; userId: number; categoryId: number; text: string };

export type DescriptionDraft = {
  /** Null as long as the host knows no category. */
  offer: DescriptionOffer | null;
  written: WrittenDescription | null;
  /** Versions after the first. One that failed does not count. */
  regenerations: number;
  /** For all versions together. */
  spent: number;
  /** The attempt that wrote the present version. */
  writtenIn: number;
  /** Every try has a key of its own: never set back, not for another category either. */
  attempts: number;
  /** What is saved: the version that was taken, or the person's own words. */
  text: string | null;
};

/** The part of the host's context that a description needs. */
export type DescriptionSlice = FlowInput &
  CreditedSlice & {
    description: DescriptionDraft;
    misfit: Misfit | null;
    late: boolean;
  };

export type DescriptionEvent =
  | TokensCredited
  | { type: 'cost.accepted' }
  | { type: 'draft.approved' }
  | { type: 'draft.declined' }
  | { type: 'work.delayed' };

export const newDescription = (offer: DescriptionOffer | null): DescriptionDraft => ({
  offer,
  written: null,
  regenerations: 0,
  spent: 0,
  writtenIn: 0,
  attempts: 0,
  text: null,
});

/** The price of the next version: that of the first, or 0 while versions are free. */
export const nextDescriptionPrice = ({ offer, regenerations }: DescriptionDraft): number =>
  regenerations < freeDescriptions ? 0 : offer!.price;

export const descriptionActors = {
  writeDescription: port<WrittenDescription, WriteDescriptionInput>('writeDescription'),
  saveDescription: port<null, SaveDescriptionInput>('saveDescription'),
};

type InSlice = { context: DescriptionSlice };
type Failed = { error: unknown };
type Typed = { text: string };

export const descriptionGuards = {
  ...creditedGuards,
  isDescription: (_: unknown, { text }: Typed) => descriptionMisfit(text) === null,
};

export const descriptionActions = <Context extends DescriptionSlice, Event extends EventObject>() => {
  const change = sliceChange<DescriptionSlice, Context, Event>();
  const draft = <Params>(changed: (draft: DescriptionDraft, params: Params) => Partial<DescriptionDraft>) =>
    change<Params>(({ description }, params) => ({
      description: { ...description, ...changed(description, params) },
      failure: null,
      misfit: null,
    }));
  return {
    beginDescription: change(({ description }) => ({
      description: { ...description, attempts: description.attempts + 1 },
      late: false,
    })),
    rememberDescription: change<{ written: WrittenDescription }>(({ description }, { written }) => ({
      description: {
        ...description,
        written,
        spent: description.spent + written.spent,
        writtenIn: description.attempts,
        regenerations: description.written ? description.regenerations + 1 : 0,
      },
      balance: written.balance,
      failure: null,
      misfit: null,
    })),
    takeDescription: change(({ description }) => ({
      description: { ...description, text: description.written!.text },
      misfit: null,
    })),
    settleDescription: change(() => ({ failure: null })),
    /** Other words than those that could not be saved want another key. */
    takeOwnDescription: draft<Typed>(({ attempts }, { text }) => ({
      text: descriptionValue(text),
      attempts: attempts + 1,
    })),
    rejectOwnDescription: change<Typed>((_, { text }) => ({
      misfit: descriptionMisfit(text),
      failure: null,
    })),
    /** For a host that comes to know the category on its way. */
    offerDescription: draft<{ offer: DescriptionOffer }>(({ attempts }, { offer }) => ({
      ...newDescription(offer),
      attempts,
    })),
    rememberDescriptionFailure: change<Failed>(({ failure }, { error }) => ({
      failure: failedTheSame(failure, error),
    })),
    rememberDelay: change(() => ({ late: true })),
    ...creditedActions<Context, Event>(),
  };
};

const failure = failed('rememberDescriptionFailure');
const written = {
  type: 'rememberDescription',
  params: ({ event }: { event: DoneActorEvent<WrittenDescription> }) => ({ written: event.output }),
} as const;

const writing = (price: (draft: DescriptionDraft) => number) =>
  ({
    id: 'writeDescription',
    src: 'writeDescription',
    input: ({ context: { run, userId, description } }: InSlice) => ({
      key: `${run}:writeDescription:${description.attempts}`,
      userId,
      categoryId: description.offer!.categoryId,
      price: price(description),
      previous: description.written?.text ?? null,
    }),
  }) as const;

/**
 * From the price to a saved text. The host names the states and the ends, and says what else a person may do at the
 * price (`atCost`) and at the text (`atReview`).
 */
export const descriptionStates = <
  const Confirm extends string,
  const Generating extends string,
  const Review extends string,
  const Regenerating extends string,
  const Saving extends string,
  const Saved extends string,
  const Unsaved extends string,
  const AtCost extends object,
  const AtReview extends object,
>({
  confirm,
  generating,
  review,
  regenerating,
  saving,
  saved,
  unsaved,
  atCost,
  atReview,
}: {
  confirm: Confirm;
  generating: Generating;
  review: Review;
  regenerating: Regenerating;
  saving: Saving;
  saved: Saved;
  unsaved: Unsaved;
  atCost: AtCost;
  atReview: AtReview;
}) => ({
  ...named(confirm, {
    on: {
      'cost.accepted': { target: generating, actions: 'beginDescription' },
      ...hearsOfTokens,
      ...atCost,
    },
  }),
  // A refusal and a failure lead to the same place: what was charged has come back, and the price is shown again.
  ...named(generating, {
    tags: 'busy',
    on: { 'work.delayed': { actions: 'rememberDelay' } },
    invoke: {
      ...writing(({ offer }) => offer!.price),
      onDone: { target: review, actions: written },
      onError: { target: confirm, actions: failure },
    },
  }),
  ...named(review, {
    on: {
      'draft.approved': { target: saving, actions: 'takeDescription' },
      'draft.declined': { target: regenerating, actions: 'beginDescription' },
      ...hearsIfShort,
      ...atReview,
    },
  }),
  // X18 and E10: whatever happens, the text that is there stays.
  ...named(regenerating, {
    tags: 'busy',
    on: { 'work.delayed': { actions: 'rememberDelay' } },
    invoke: {
      ...writing(nextDescriptionPrice),
      onDone: { target: review, actions: written },
      onError: { target: review, actions: failure },
    },
  }),
  ...named(saving, {
    tags: 'busy',
    invoke: {
      id: 'saveDescription',
      src: 'saveDescription',
      input: ({ context: { run, userId, description } }: InSlice) => ({
        key: `${run}:saveDescription:${description.attempts}`,
        userId,
        categoryId: description.offer!.categoryId,
        text: description.text!,
      }),
      onDone: { target: saved, actions: 'settleDescription' },
      onError: { target: unsaved, actions: failure },
    },
  }),
});

/** For a host that takes the person's own words beside the written ones. */
export const ownDescription = <const Saving extends string>({ saving }: { saving: Saving }) => ({
  'text.received': [
    { guard: typed('isDescription'), target: saving, actions: typed('takeOwnDescription') },
    { actions: typed('rejectOwnDescription') },
  ],
});
