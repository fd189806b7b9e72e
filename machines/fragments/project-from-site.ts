import type { DoneActorEvent, EventObject } from 'xstate';
import { failedAgain } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import {
  fitsProjectField,
  looksLikeSite,
  misfitOf,
  type ProjectField,
  projectFieldValue,
} from '../project-fields.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { noAnswers, type ProjectAnswers, type ProjectSlice } from './project-questions.ts';
import { type Keyed, runKey } from './run-key.ts';
import { failed, typed, withEvent } from './with-event.ts';

/**
 * One question instead of four: the site's address is read, and what it says is shown as one card, to correct and to
 * save with one press. Phrases and colours stay with the reading, under its key; the context holds what the card shows.
 */
export type SiteCard = {
  city: string | null;
  phone: string | null;
  /** `#rrggbb`; null where the colours could not be read. */
  accent: string | null;
  topics: readonly { name: string; phrases: number; kept: boolean }[];
  /** The site speaks another language: what the card says was translated. */
  isForeign: boolean;
};

export type ReadSiteInput = { key: string; userId: number; url: string };
export type SiteRead = SiteCard & { name: string; companyName: string; specialization: string };

/** What of the card can be corrected by words. */
export const cardFields = [
  'name',
  'company_name',
  'specialization',
  'company_city',
  'company_phone',
] as const;
export type CardField = (typeof cardFields)[number];

/** The part of the host's context that the card needs. */
export type SiteSlice = ProjectSlice &
  Keyed & {
    userId: number;
    siteCard: SiteCard | null;
    /** Being corrected. */
    cardField: CardField | null;
    /** Every try to read has a key of its own. */
    readings: number;
  };

export type SiteEvent =
  | TextReceived
  | { type: 'card.saved' }
  | { type: 'card.declined' }
  | { type: 'card.field_opened'; field: CardField }
  | { type: 'card.field_cleared' }
  | { type: 'card.resumed' }
  | { type: 'card.topic_set'; index: number; kept: boolean }
  | { type: 'reading.retried' };

export const noSiteYet = { siteCard: null, cardField: null, readings: 0 } as const;

export const siteActors = { readSite: port<SiteRead, ReadSiteInput>('readSite') };

type Typed = { text: string };
type Opened = { field: CardField };
type TopicSet = { index: number; kept: boolean };
type InSlice = { context: SiteSlice };

const isOptional = (field: CardField | null) => field === 'company_city' || field === 'company_phone';

export const siteGuards = {
  /** The same words a second time, after a reading came to nothing, are a name. */
  isSite: ({ context: { answers, failure } }: InSlice, { text }: Typed) =>
    looksLikeSite(text) && !(failure && projectFieldValue('website_url', text) === answers.websiteUrl),
  hasUnreadSite: ({ context: { answers, failure } }: InSlice) =>
    failure !== null && answers.websiteUrl !== null,
  isLastAnswer: ({ context: { answers } }: InSlice, { text }: Typed) =>
    answers.websiteUrl !== null && fitsProjectField('specialization', text),
  fitsCard: ({ context: { cardField } }: InSlice, { text }: Typed) =>
    cardField !== null && fitsProjectField(cardField, text),
  isCardField: (_: unknown, { field }: Opened) => cardFields.includes(field),
  isFieldOptional: ({ context: { cardField } }: InSlice) => isOptional(cardField),
  isCardTopic: ({ context: { siteCard } }: InSlice, { index }: TopicSet) =>
    siteCard?.topics[index] !== undefined,
};

const answerKeys: Partial<Record<ProjectField, keyof ProjectAnswers>> = {
  name: 'name',
  company_name: 'companyName',
  specialization: 'specialization',
};

export const siteActions = <Context extends SiteSlice, Event extends EventObject>() => {
  const change = sliceChange<SiteSlice, Context, Event>();
  const settled = { misfit: null, failure: null, cardField: null } as const;
  const corrected = (
    { answers, siteCard, cardField }: SiteSlice,
    value: string | null,
  ): Partial<SiteSlice> => {
    const key = cardField && answerKeys[cardField];
    if (key) return { answers: { ...answers, [key]: value }, ...settled };
    const part = cardField === 'company_city' ? { city: value } : { phone: value };
    return { siteCard: siteCard && { ...siteCard, ...part }, ...settled };
  };
  return {
    takeSite: change<Typed>(({ readings }, { text }) => ({
      answers: { ...noAnswers, websiteUrl: projectFieldValue('website_url', text) },
      siteCard: null,
      readings: readings + 1,
      ...settled,
    })),
    readAgain: change(({ readings }) => ({ readings: readings + 1 })),
    rememberCard: change<{ read: SiteRead }>(({ answers }, { read }) => {
      const { name, companyName, specialization, ...siteCard } = read;
      return { answers: { ...answers, name, companyName, specialization }, siteCard, ...settled };
    }),
    /** The address stays: it is not asked for again. */
    rememberUnread: change<{ error: unknown }>(({ failure }, { error }) => ({
      ...settled,
      failure: failedAgain(failure, error),
    })),
    openCardField: change<Opened>((_, { field }) => ({ ...settled, cardField: field })),
    closeCardField: change(() => settled),
    correctCard: change<Typed>((slice, { text }) =>
      corrected(slice, projectFieldValue(slice.cardField!, text)),
    ),
    clearCardField: change((slice) => corrected(slice, null)),
    rejectCorrection: change<Typed>(({ cardField }, { text }) => ({ misfit: misfitOf(cardField!, text) })),
    setTopic: change<TopicSet>(({ siteCard }, { index, kept }) => ({
      siteCard: siteCard && {
        ...siteCard,
        topics: siteCard.topics.map((topic, i) => (i === index ? { ...topic, kept } : topic)),
      },
    })),
    declineCard: change(({ answers: { websiteUrl } }) => ({
      answers: { ...noAnswers, websiteUrl },
      siteCard: null,
      ...settled,
    })),
  };
};

export const readingKey = (context: SiteSlice): string =>
  `${runKey(context, 'readSite')}:${context.readings}`;

/** `questions`: where a site that cannot be read leads. `done`: what saves a card. */
export const projectFromSite = <
  const Reading extends string,
  const Card extends string,
  const Field extends string,
  const Questions extends string,
  const Done extends string,
  const Ways extends object,
>({
  reading,
  card,
  field,
  questions,
  done,
  ways,
}: {
  reading: Reading;
  card: Card;
  field: Field;
  questions: Questions;
  done: Done;
  ways: Ways;
}) => ({
  ...named(reading, {
    tags: 'busy',
    invoke: {
      id: 'readSite',
      src: 'readSite',
      input: ({ context }: InSlice) => ({
        key: readingKey(context),
        userId: context.userId,
        url: context.answers.websiteUrl!,
      }),
      onDone: {
        target: card,
        actions: {
          type: 'rememberCard',
          params: ({ event }: { event: DoneActorEvent<SiteRead> }) => ({ read: event.output }),
        },
      },
      onError: {
        target: questions,
        actions: failed('rememberUnread'),
      },
    },
  }),
  ...named(card, {
    on: {
      'card.saved': done,
      'card.field_opened': {
        guard: withEvent<'isCardField', Opened>('isCardField'),
        target: field,
        actions: withEvent<'openCardField', Opened>('openCardField'),
      },
      'card.topic_set': {
        guard: withEvent<'isCardTopic', TopicSet>('isCardTopic'),
        actions: withEvent<'setTopic', TopicSet>('setTopic'),
      },
      'card.declined': { target: questions, actions: 'declineCard' },
      ...ways,
    },
  }),
  ...named(field, {
    on: {
      'text.received': [
        { guard: typed('fitsCard'), target: card, actions: typed('correctCard') },
        { actions: typed('rejectCorrection') },
      ],
      'card.field_cleared': { guard: 'isFieldOptional', target: card, actions: 'clearCardField' },
      'card.resumed': { target: card, actions: 'closeCardField' },
      ...ways,
    },
  }),
});
