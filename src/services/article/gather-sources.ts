import { withDeadline } from '../../clients/http/deadline.ts';
import type { WebPage } from '../../clients/http/web-page.ts';
import type { SearchResults, SearchWeb } from '../../clients/serper.ts';
import type { Log } from '../../log.ts';
import { outsideText } from '../ai/outside-text.ts';
import type { Company } from '../projects/brief.ts';
import { readTopic, type Topic } from '../quality/topic.ts';
import { MOST_PAGES } from '../site/learn-site.ts';
import { type Competitor, competitorAnalysis, competitorGaps, toCompetitor } from './competitors.ts';
import { type InternalLink, internalLinks, isOnSite, ownPages, thoseThere } from './internal-links.ts';
import type { Research, ResearchInput } from './research-topic.ts';

export type GatherSourcesInput = {
  mainPhrase: string;
  company: Company;
  projectId: number;
  /** Pages of the own site that are there and near to the phrase, if its connection knows them; bare addresses in earlier orders. */
  ownLinks?: readonly (string | InternalLink)[];
  userId: number;
  signal?: AbortSignal;
};

/** What an article is written from besides the company's own words. JSON, because a stage keeps it. */
export type Sources = {
  /** What people ask about the topic, the most asked first; chooseQuestions() takes some. */
  questions: string[];
  /** The same with what search answers. Absent, as the results are, in what an earlier release has gathered. */
  asked?: AskedQuestion[];
  /** What a person sees who searches for the phrase. */
  results?: SearchResult[];
  /** What they search for next to it. */
  related: string[];
  competitorAnalysis: string;
  competitorGaps: string[];
  /** Of every competitor's page that could be read. */
  competitorWords: number[];
  /** What the results say the topic needs. Absent in what an earlier release has gathered. */
  topic?: Topic;
  research: Research | null;
  internalLinks: InternalLink[];
  /** What could not be had. Without a search there are no competitors either, and only the search is named. */
  missing: MissingSource[];
};
export type AskedQuestion = { question: string; answer: string };
type SearchResult = { title: string; url: string; snippet: string };
type MissingSource = 'search' | 'competitors' | 'research';

type Reading = { userId: number; signal: AbortSignal };
export type SourcePorts = {
  searchWeb: SearchWeb;
  readPage(url: string, reading: Reading): Promise<WebPage | null>;
  mapSite(url: string, options: Reading & { projectId: number; limit: number }): Promise<readonly string[]>;
  /** Whether an address of the own site still opens. */
  isThere(url: string, signal: AbortSignal): Promise<boolean>;
  research(input: ResearchInput): Promise<Research | null>;
  log: Log;
  /** Together; whatever has not come by then is missing. A person is waiting for the article. */
  patienceMs?: number;
};

const COMPETITORS = 3;
const MOST_ASKED = 20;
const LINE_LENGTH = 200;

/** Search, competitors, fresh facts and own pages, all at once. None of them is worth failing for (E04, E31a, E53). */
export function makeGatherSources({
  searchWeb,
  readPage,
  mapSite,
  isThere,
  research,
  log,
  patienceMs = 60_000,
}: SourcePorts) {
  return async (input: GatherSourcesInput): Promise<Sources> => {
    const { mainPhrase, company, userId } = input;
    // A project without a site of its own has the one it is connected to.
    const [ownPage = ''] = input.ownLinks ?? [];
    const site = company.websiteUrl || (typeof ownPage === 'string' ? ownPage : ownPage.url);
    const [found, facts, links] = await Promise.all([
      fromSearch(),
      inTime('research', (signal) => research({ mainPhrase, company, userId, signal })),
      knownPages(),
    ]);
    const { search, competitors, topic } = found;
    return {
      questions: lines(search?.questions.map(({ question }) => question)),
      asked: askedIn(search),
      results: resultsIn(search),
      related: lines(search?.related),
      competitorAnalysis: competitorAnalysis(competitors),
      competitorGaps: competitorGaps(competitors),
      competitorWords: competitors.map(({ words }) => words),
      ...(topic && { topic }),
      research: facts && cleaned(facts),
      internalLinks: links,
      missing: missingOf(search, competitors, facts),
    };

    /** One limit for both: the pages are read in what the search has left of it. */
    async function fromSearch(): Promise<FromSearch> {
      const startedAt = performance.now();
      const search = await inTime('search', (signal) => searchWeb(mainPhrase, { signal }));
      const left = Math.max(0, patienceMs - (performance.now() - startedAt));
      const addresses = (search?.organic ?? [])
        .map(({ link }) => link)
        .filter((link) => /^https?:\/\//iu.test(link) && !isOnSite(link, site));
      const pages = await Promise.all(
        [...new Set(addresses)]
          .slice(0, COMPETITORS)
          .map((url) => inTime('competitor', (signal) => readPage(url, { userId, signal }), left)),
      );
      const read = pages.filter((page) => page !== null);
      return { search, competitors: read.map(toCompetitor), topic: topicFrom(search, read) };
    }

    async function knownPages(): Promise<InternalLink[]> {
      if (input.ownLinks && input.ownLinks.length > 0)
        return input.ownLinks.flatMap((page) =>
          typeof page === 'string' ? internalLinks([page], mainPhrase) : [page],
        );
      if (company.websiteUrl === '') return [];
      const options = { userId, projectId: input.projectId, limit: MOST_PAGES };
      const mapped = await inTime('map', async (signal) => {
        const near = internalLinks(ownPages(await mapSite(site, { ...options, signal }), site), mainPhrase);
        return thoseThere(near, (url) => isThere(url, signal));
      });
      return mapped ?? [];
    }

    async function inTime<Found>(
      source: string,
      ask: (signal: AbortSignal) => Promise<Found>,
      ms = patienceMs,
    ): Promise<Found | null> {
      try {
        return await withDeadline(ms, input.signal, ask);
      } catch (err) {
        input.signal?.throwIfAborted();
        log.warn({ err, source, mainPhrase }, 'a source of the article did not answer');
        return null;
      }
    }
  };
}

type FromSearch = { search: SearchResults | null; competitors: Competitor[]; topic: Topic | null };

/** One page says what one author thinks of; from two on they say what the topic needs. */
const FEWEST_PAGES = 2;
const PAGE_LENGTH = 20_000;

function topicFrom(search: SearchResults | null, pages: readonly WebPage[]): Topic | null {
  if (search === null || pages.length < FEWEST_PAGES) return null;
  const shown = search.organic.map(({ title, snippet }) => `${title} ${snippet}`).join('\n');
  return readTopic(
    [...pages.map(({ text }) => text.slice(0, PAGE_LENGTH)), shown],
    lines(search.questions.map(({ question }) => question)),
  );
}

function missingOf(
  search: SearchResults | null,
  competitors: readonly Competitor[],
  research: Research | null,
): MissingSource[] {
  const searched = search !== null && search.organic.length + search.questions.length > 0;
  const missing: MissingSource[] = [];
  if (!searched) missing.push('search');
  else if (competitors.length === 0) missing.push('competitors');
  if (research === null) missing.push('research');
  return missing;
}

const lines = (texts: readonly string[] = []): string[] =>
  texts
    .slice(0, MOST_ASKED)
    .map((text) => outsideText(text, LINE_LENGTH))
    .filter((text) => text !== '');

const ANSWER_LENGTH = 300;

const askedIn = (search: SearchResults | null): AskedQuestion[] =>
  (search?.questions ?? [])
    .slice(0, MOST_ASKED)
    .map(({ question, snippet }) => ({
      question: outsideText(question, LINE_LENGTH),
      answer: outsideText(snippet, ANSWER_LENGTH),
    }))
    .filter(({ question }) => question !== '');

const MOST_RESULTS = 10;
const URL_LENGTH = 300;

const resultsIn = (search: SearchResults | null): SearchResult[] =>
  (search?.organic ?? []).slice(0, MOST_RESULTS).map(({ title, link, snippet }) => ({
    title: outsideText(title, LINE_LENGTH),
    url: outsideText(link, URL_LENGTH),
    snippet: outsideText(snippet, ANSWER_LENGTH),
  }));

const SUMMARY_LENGTH = 2_000;
const MOST_FACTS = 15;
const FACT_LENGTH = 400;

/** A model wrote it, out of pages: their words are as foreign here as on the pages themselves. */
function cleaned({ facts, trends, statistics, summary }: Research): Research {
  const few = <Item extends Record<string, string>>(items: readonly Item[]): Item[] =>
    items
      .slice(0, MOST_FACTS)
      .map(
        (item) =>
          Object.fromEntries(
            Object.entries(item).map(([name, text]) => [name, outsideText(text, FACT_LENGTH)]),
          ) as Item,
      );
  return {
    facts: few(facts),
    trends: few(trends),
    statistics: few(statistics),
    summary: outsideText(summary, SUMMARY_LENGTH),
  };
}
