import { domainToUnicode } from 'node:url';
import type { ReadSiteInput, SiteRead } from '../../../machines/fragments/project-from-site.ts';
import {
  fitsProjectField,
  isCategoryName,
  type ProjectField,
  projectFieldRules,
  projectFieldValue,
  tidy,
} from '../../../machines/project-fields.ts';
import type { HomePage } from '../../clients/firecrawl.ts';
import { DeadlinePassed, withDeadline } from '../../clients/http/deadline.ts';
import type { Branding } from '../../clients/site-branding.ts';
import type { Operations, RunStage } from '../../engine/operations.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AnswerTo } from '../ai/answers.ts';
import type { AskModel } from '../ai/ask.ts';
import { outsideText } from '../ai/outside-text.ts';
import type { PhraseData } from '../keywords/keyword-data.ts';
import { distinct, MOST_PHRASE_CHARS, tidyPhrase } from '../keywords/phrase-text.ts';
import type { RateLimits } from '../money/rate-limits.ts';

/** All that a reading brought. What the card shows is a part of it; the rest is saved with the project. */
export type SiteProfile = Omit<SiteRead, 'topics'> & {
  branding: Branding | null;
  topics: { name: string; about: string; phrases: string[] }[];
  /** Of those phrases, as far as anything is known. */
  numbers: PhraseData[];
};

export type ReadSitePorts = {
  /** Null: no reader is connected. */
  readHome:
    | ((url: string, reading: { userId: number; signal?: AbortSignal }) => Promise<HomePage | null>)
    | null;
  ask: AskModel;
  /** How often phrases are searched for; phrases of unknown demand are absent. */
  numbersOf(phrases: readonly string[], userId: number, signal?: AbortSignal): Promise<readonly PhraseData[]>;
  operations: Pick<Operations<never>, 'withStages'>;
  limits: Pick<RateLimits, 'reserve'>;
  log: Log;
  patienceMs?: number;
};

class SiteUnreadable extends AppError {
  readonly code = 'SITE_UNREADABLE';
  readonly userMessage = 'Сайт не открылся или на нём нет текста, прочитать нечего.';
  override readonly retryable = true;
  constructor(url: string, options?: ErrorOptions) {
    super(`the site ${url} could not be read`, options);
  }
}

class SiteReadingOff extends AppError {
  readonly code = 'SITE_READING_OFF';
  readonly userMessage = 'Сайты я пока не читаю, но адрес запомнил.';
  constructor() {
    super('no reader of sites is connected');
  }
}

class SiteNotABusiness extends AppError {
  readonly code = 'SITE_NOT_A_BUSINESS';
  readonly userMessage: string;
  constructor(url: string, kind: 'parked' | 'other') {
    super(`the site ${url} is ${kind}`);
    this.userMessage =
      kind === 'parked'
        ? 'По этому адресу пока заглушка: домен припаркован или продаётся, о компании там ничего нет.'
        : 'На этой странице не видно, какая компания за ней стоит.';
  }
}

const TEXT_LENGTH = 8_000;
const LINE_LENGTH = 400;
const MOST_HEADINGS = 30;
const MOST_TOPICS = 3;
const MOST_PHRASES = 8;
const FEWEST_PHRASES = 1;
const NAME_LENGTH = 60;
const ABOUT_LENGTH = 600;
/** A card is one glance, and lives in the session. */
const SPECIALIZATION_LENGTH = 200;
const PATIENCE_MS = 75_000;
const NUMBERS_MS = 15_000;

/**
 * A business as its own site tells of it. Whatever the page says is data: it goes into the prompt inside a fence, and
 * of the answer only what has the form of a name, a phone or a phrase comes out.
 */
export function makeReadSite({
  readHome,
  ask,
  numbersOf,
  operations,
  limits,
  log,
  patienceMs = PATIENCE_MS,
}: ReadSitePorts) {
  return { readSite, profileOf };

  async function readSite(input: ReadSiteInput, signal?: AbortSignal): Promise<SiteRead> {
    const { branding: _, numbers: __, ...profile } = await profileOf(input, signal);
    return {
      ...profile,
      topics: profile.topics.map(({ name, phrases }) => ({ name, phrases: phrases.length, kept: true })),
    };
  }

  /** Under a key that was read already: what was read then. */
  async function profileOf({ key, userId, url }: ReadSiteInput, signal?: AbortSignal): Promise<SiteProfile> {
    if (!readHome) throw new SiteReadingOff();
    const call = { key, userId, request: { url }, ...(signal && { signal }) };
    return operations.withStages(call, async (stage, lease) => {
      await limits.reserve(key, userId, { site_reading: 1 });
      const reading = { url, userId, stage };
      const profile = await withDeadline(patienceMs, lease, (until) => read(reading, until)).catch(
        (error: unknown) => {
          if (error instanceof DeadlinePassed) throw new SiteUnreadable(url, { cause: error });
          throw error;
        },
      );
      const phrases = profile.topics.flatMap((topic) => topic.phrases);
      return { ...profile, numbers: await stage('numbers', () => numbers(phrases, userId, lease)) };
    });
  }

  async function read(
    { url, userId, stage }: { url: string; userId: number; stage: RunStage },
    signal: AbortSignal,
  ): Promise<Omit<SiteProfile, 'numbers'>> {
    const home = await stage('home', async () => {
      const found = await readHome!(url, { userId, signal });
      if (!found) throw new SiteUnreadable(url);
      return found;
    });
    if (isParked(home)) throw new SiteNotABusiness(url, 'parked');
    const answer = await stage('profile', async () => {
      const variables = { site_url: outsideText(url, LINE_LENGTH), page: pageText(home), language: 'ru' };
      return (await ask('site_profile', { variables, userId, signal })).content;
    });
    return toProfile(url, home, answer);
  }

  /** Phrases without numbers are phrases all the same. */
  async function numbers(phrases: readonly string[], userId: number, signal: AbortSignal) {
    try {
      return [...(await withDeadline(NUMBERS_MS, signal, (until) => numbersOf(phrases, userId, until)))];
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err }, 'nothing is known of how often the phrases of a site are searched for');
      return [];
    }
  }
}

function pageText({ page }: HomePage): string {
  const line = (text: string) => outsideText(text, LINE_LENGTH);
  const headings = page.headings.slice(0, MOST_HEADINGS).map(({ text }) => line(text));
  return [
    `Заголовок: ${line(page.title)}`,
    `Описание: ${line(page.description)}`,
    `Подзаголовки: ${headings.join('; ')}`,
    `Коротко: ${line(page.summary)}`,
    `Текст: ${ends(page.text)}`,
  ].join('\n');
}

/** Head and foot: what a company does stands above, its phone and city mostly below. */
function ends(text: string): string {
  if (text.length <= TEXT_LENGTH) return outsideText(text, TEXT_LENGTH);
  const foot = TEXT_LENGTH / 4;
  return `${outsideText(text.slice(0, TEXT_LENGTH), TEXT_LENGTH - foot)} … ${outsideText(text.slice(-foot), foot)}`;
}

const FEW_WORDS = 120;
const parkedWords =
  /домен\S* (?:прода|припаркован|зарегистрирован)|сайт (?:в разработке|скоро откроется|находится в разработке)|domain (?:is |may be )?(?:for sale|parked)|buy this domain|under construction|coming soon/iu;

/** Told without a model where it is plain: such pages are short and all alike. */
const isParked = ({ page }: HomePage): boolean =>
  page.words < FEW_WORDS && parkedWords.test(`${page.title} ${page.text}`);

function toProfile(
  url: string,
  { page, branding }: HomePage,
  answer: AnswerTo<'site_profile'>,
): Omit<SiteProfile, 'numbers'> {
  if (answer.kind !== 'business') throw new SiteNotABusiness(url, answer.kind);
  const host = domainToUnicode(new URL(url).hostname).replace(/^www\./u, '');
  const name = fitting('name', answer.name) ?? fitting('name', host) ?? 'Мой сайт';
  const specialization = fitting('specialization', outsideText(answer.specialization, SPECIALIZATION_LENGTH));
  const city = fitting('company_city', answer.city);
  const topics = topicsIn(answer.topics);
  if (specialization === null || topics.length === 0) throw new SiteNotABusiness(url, 'other');
  return {
    name: cut(name, NAME_LENGTH),
    companyName: cut(fitting('company_name', answer.company_name) ?? name, NAME_LENGTH),
    specialization,
    // A translated city is spelled otherwise than on the page.
    city: isForeign(answer.language) ? city : cityOn(page.text, city),
    phone: phoneOn(page.text, fitting('company_phone', answer.phone)),
    accent: branding?.colors.accent ?? null,
    isForeign: isForeign(answer.language),
    branding,
    topics,
  };
}

function topicsIn(answered: AnswerTo<'site_profile'>['topics']): SiteProfile['topics'] {
  const named = answered
    .map(({ name, about, phrases }) => ({
      name: cut(tidy(name), NAME_LENGTH),
      about: hasAddress(about) ? '' : outsideText(about, ABOUT_LENGTH),
      phrases: distinct(phrases.map(toPhrase).filter(isPhrase), (phrase) => phrase).slice(0, MOST_PHRASES),
    }))
    .filter(
      ({ name, phrases }) => isCategoryName(name) && !hasAddress(name) && phrases.length >= FEWEST_PHRASES,
    );
  return distinct(named, ({ name }) => name).slice(0, MOST_TOPICS);
}

const toPhrase = (phrase: string): string => tidyPhrase(phrase.replace(/[«»"?!.…]+/gu, ' ')).toLowerCase();

/** Words alone: a phrase with an address or a sign in it is none that people search for. */
const isPhrase = (phrase: string): boolean =>
  phrase.length <= MOST_PHRASE_CHARS && /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ,+–-]{4,}$/u.test(phrase);

const hasAddress = (text: string): boolean =>
  /https?:|www\.|\S+\.(?:ru|com|рф|net|org|info|top|xyz)\b/iu.test(text);

const fitting = (field: ProjectField, value: string): string | null =>
  !hasAddressIn(field, value) && fitsProjectField(field, value) ? projectFieldValue(field, value) : null;
const hasAddressIn = (field: ProjectField, value: string): boolean =>
  projectFieldRules[field].format !== 'title' && hasAddress(value);

const cut = (text: string, most: number): string => [...text].slice(0, most).join('').trim();

const digits = (text: string): string => text.replace(/\D/gu, '');

/** What does not stand on the page was invented. The first digit may be 8 or +7. */
const phoneOn = (text: string, phone: string | null): string | null =>
  phone !== null && digits(text).includes(digits(phone).slice(1)) ? phone : null;

const STEM = 4;

/** «в Казани» names Казань. */
const cityOn = (text: string, city: string | null): string | null => {
  const beginning = city?.toLowerCase().slice(0, Math.max(STEM, city.length - 2));
  return beginning && text.toLowerCase().includes(beginning) ? city : null;
};

const isForeign = (language: string): boolean => /^[a-z]{2}\b/iu.test(language) && !/^ru/iu.test(language);
