import { type Demand, demandFor, draw } from './demand.ts';

/** The forms in which DataForSEO answers. */

export const messages: Readonly<Record<number, string>> = {
  20000: 'Ok.',
  40000: 'You can set only one task at a time.',
  40100: 'You are not Authorized to Access this resource.',
  40200: 'Payment Required.',
  40202: 'The maximum number of requests per minute was reached.',
  40210: 'Insufficient funds.',
  40400: 'Not Found.',
  40501: 'Invalid Field.',
  40503: 'POST Data Is Invalid.',
  50000: 'Internal Error.',
};

export type Task = {
  status_code: number;
  status_message: string;
  cost: number;
  data: unknown;
  result: unknown[] | null;
};

/** The whole answer. Refusals on top come without tasks. */
export function envelope(code: number, tasks: Task[] | null = null) {
  return {
    version: '0.1.20261101',
    status_code: code,
    status_message: messages[code] ?? 'Error.',
    time: '0.1 sec.',
    cost: (tasks ?? []).reduce((sum, { cost }) => sum + cost, 0),
    tasks_count: tasks?.length ?? 0,
    tasks_error: tasks?.filter(({ status_code }) => status_code !== 20_000).length ?? 0,
    tasks: tasks?.map((task, i) => ({
      id: `11160510-0001-0001-0000-00000000000${i}`,
      time: '0.1 sec.',
      result_count: task.result?.length ?? 0,
      path: ['v3'],
      ...task,
    })),
  };
}

export const done = (result: unknown[], cost: number, data: unknown): Task => ({
  status_code: 20_000,
  status_message: 'Ok.',
  cost,
  data,
  result,
});

export const refused = (code: number, data: unknown, field?: string): Task => ({
  status_code: code,
  status_message: field ? `Invalid Field: '${field}'.` : (messages[code] ?? 'Error.'),
  cost: 0,
  data,
  result: null,
});

/** For a fault of kind `status` with status 200: a found list without items. */
export const nothingFound = () =>
  envelope(20_000, [done([{ se_type: 'google', total_count: 0, items_count: 0, items: null }], 0.01, {})]);

export type Place = { location_code: number; language_code: string };

/** Labs: everything about the phrase hangs below `keyword_info`, and now and then it is not there. */
export function keywordData(keyword: string, place: Place) {
  const demand = demandFor(keyword, marketShare(place));
  return {
    se_type: 'google',
    keyword,
    ...place,
    keyword_info: draw(keyword) % 41 === 0 ? null : keywordInfo(demand),
    keyword_properties: { core_keyword: null, keyword_difficulty: null, is_another_language: false },
    search_intent_info: null,
    serp_info: null,
    avg_backlinks_info: null,
  };
}

const keywordInfo = ({ volume, competition, cpc }: Demand) => ({
  se_type: 'google',
  search_volume: volume,
  competition: competition / 100,
  competition_level: levelOf(competition),
  cpc,
  low_top_of_page_bid: null,
  high_top_of_page_bid: null,
  categories: null,
  monthly_searches: null,
  last_updated_time: '2026-11-01 00:00:00 +00:00',
});

/** Google Ads: flat, and competition is a word. An unknown phrase keeps its name alone. */
export function adsKeyword(keyword: string, place: Place) {
  const { volume, competition, cpc } = demandFor(keyword, marketShare(place));
  const known = volume !== null;
  return {
    keyword: keyword.toLowerCase(),
    spell: null,
    ...place,
    search_partners: false,
    competition: known ? levelOf(competition) : null,
    competition_index: known ? competition : null,
    search_volume: volume,
    low_top_of_page_bid: null,
    high_top_of_page_bid: null,
    cpc: known ? cpc : null,
    monthly_searches: null,
  };
}

/** As Google Ads divides the hundred. */
const levelOf = (competition: number): string =>
  competition < 34 ? 'LOW' : competition < 67 ? 'MEDIUM' : 'HIGH';

const marketShare = ({ location_code }: Place): number => (location_code === 2804 ? 1 : 0.4);
