import type { EventObject } from 'xstate';
import type { Failure } from '../failure.ts';
import type { TextReceived } from '../flow-input.ts';
import type { Misfit } from '../misfit.ts';
import { fitsProjectField, misfitOf, type ProjectField, projectFieldValue } from '../project-fields.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { typed } from './with-event.ts';

/**
 * The four questions about a new business, for every flow that may have to ask them. The host names the states and
 * says where the answers lead; guards and actions come along.
 */
export type ProjectAnswers = {
  name: string | null;
  companyName: string | null;
  specialization: string | null;
  websiteUrl: string | null;
};

/** The part of the host's context that the questions need. */
export type ProjectSlice = {
  answers: ProjectAnswers;
  /** The last question was answered or skipped. */
  answered: boolean;
  /** Why the latest answer was not taken. */
  misfit: Misfit | null;
  failure: Failure | null;
};

export type ProjectEvent = TextReceived | { type: 'website.skipped' };

export const noAnswers: ProjectAnswers = {
  name: null,
  companyName: null,
  specialization: null,
  websiteUrl: null,
};

type Typed = { text: string };
type InSlice = { context: ProjectSlice };

export const projectGuards = {
  hasName: ({ context }: InSlice) => context.answers.name !== null,
  hasCompanyName: ({ context }: InSlice) => context.answers.companyName !== null,
  hasSpecialization: ({ context }: InSlice) => context.answers.specialization !== null,
  hasAnsweredAll: ({ context }: InSlice) => context.answered,
  isName: (_: unknown, { text }: Typed) => fitsProjectField('name', text),
  isCompanyName: (_: unknown, { text }: Typed) => fitsProjectField('company_name', text),
  isSpecialization: (_: unknown, { text }: Typed) => fitsProjectField('specialization', text),
  isWebsite: (_: unknown, { text }: Typed) => fitsProjectField('website_url', text),
};

export const projectActions = <Context extends ProjectSlice, Event extends EventObject>() => {
  const change = sliceChange<ProjectSlice, Context, Event>();
  const answer = (key: keyof ProjectAnswers, field: ProjectField) =>
    change<Typed>(({ answers }, { text }) => ({
      answers: { ...answers, [key]: projectFieldValue(field, text) },
      misfit: null,
      failure: null,
      ...(field === 'website_url' && { answered: true }),
    }));
  const reject = (field: ProjectField) =>
    change<Typed>((_, { text }) => ({ misfit: misfitOf(field, text), failure: null }));
  return {
    // An address that could not be read, sent once more, was a name all along.
    rememberName: change<Typed>(({ answers }, { text }) => ({
      answers: {
        ...answers,
        name: projectFieldValue('name', text),
        websiteUrl: answers.websiteUrl === projectFieldValue('website_url', text) ? null : answers.websiteUrl,
      },
      misfit: null,
      failure: null,
    })),
    rememberCompanyName: answer('companyName', 'company_name'),
    rememberSpecialization: answer('specialization', 'specialization'),
    rememberWebsite: answer('websiteUrl', 'website_url'),
    skipWebsite: change(({ answers }) => ({
      answers: { ...answers, websiteUrl: null },
      answered: true,
      misfit: null,
      failure: null,
    })),
    rejectName: reject('name'),
    rejectCompanyName: reject('company_name'),
    rejectSpecialization: reject('specialization'),
    rejectWebsite: reject('website_url'),
  };
};

/** `reading`: where an address leads that comes instead of a name. `ways`: what else a person may do at any of the four. */
export const projectQuestions = <
  const Name extends string,
  const Company extends string,
  const Specialization extends string,
  const Website extends string,
  const Reading extends string,
  const Done extends string,
  const Ways extends object,
>({
  name,
  company,
  specialization,
  website,
  reading,
  done,
  ways,
}: {
  name: Name;
  company: Company;
  specialization: Specialization;
  website: Website;
  reading: Reading;
  done: Done;
  ways: Ways;
}) => ({
  ...named(name, {
    on: {
      'text.received': [
        { guard: typed('isSite'), target: reading, actions: typed('takeSite') },
        { guard: typed('isName'), target: company, actions: typed('rememberName') },
        { actions: typed('rejectName') },
      ],
      'reading.retried': { guard: 'hasUnreadSite', target: reading, actions: 'readAgain' },
      ...ways,
    },
  }),
  ...named(company, {
    on: {
      'text.received': [
        { guard: typed('isCompanyName'), target: specialization, actions: typed('rememberCompanyName') },
        { actions: typed('rejectCompanyName') },
      ],
      ...ways,
    },
  }),
  ...named(specialization, {
    on: {
      'text.received': [
        // The site is known by now: it could not be read, or its card was declined.
        { guard: typed('isLastAnswer'), target: done, actions: typed('rememberSpecialization') },
        { guard: typed('isSpecialization'), target: website, actions: typed('rememberSpecialization') },
        { actions: typed('rejectSpecialization') },
      ],
      ...ways,
    },
  }),
  ...named(website, {
    on: {
      'text.received': [
        { guard: typed('isWebsite'), target: done, actions: typed('rememberWebsite') },
        { actions: typed('rejectWebsite') },
      ],
      'website.skipped': { target: done, actions: 'skipWebsite' },
      ...ways,
    },
  }),
});
