import { z } from 'zod';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { demandFor, relatedTo, suggestionsFor } from './demand.ts';
import { adsKeyword, done, envelope, keywordData, type Place, refused, type Task } from './wire.ts';

type DataForSeoStandInOptions = { login: string; password: string; port?: number };

const MAX_BODY = 1024 * 1024;
/** Russia and Belarus, which DataForSEO has withdrawn. */
const NOT_SERVED = [2643, 2112];

const place = z.object({ location_code: z.int(), language_code: z.string() });
const oneKeyword = place.extend({
  keyword: z.string().min(1).max(700),
  limit: z.int().min(1).max(1_000).default(100),
});
const manyKeywords = place.extend({
  keywords: z.array(z.string().max(80).refine(isSpeakable)).min(1).max(1_000),
});

const paths: Readonly<Record<string, (task: unknown) => Task>> = {
  '/v3/dataforseo_labs/google/keyword_suggestions/live': answering(oneKeyword, (task) => {
    const items = mostSearchedFirst(suggestionsFor(task.keyword), task).map((phrase) =>
      keywordData(phrase, placeOf(task)),
    );
    return [listOf(items, task)];
  }),
  '/v3/dataforseo_labs/google/related_keywords/live': answering(oneKeyword, (task) => {
    const items = mostSearchedFirst(relatedTo(task.keyword), task).map((phrase) => ({
      se_type: 'google',
      keyword_data: keywordData(phrase, placeOf(task)),
      depth: 1,
      related_keywords: null,
    }));
    return [listOf(items, task)];
  }),
  '/v3/keywords_data/google_ads/search_volume/live': answering(manyKeywords, (task) =>
    task.keywords.map((keyword) => adsKeyword(keyword, placeOf(task))),
  ),
};

/** DataForSEO on loopback: its base URL is `<url>/v3`. Any Russian phrase finds a plausible demand. */
export function startDataForSeoStandIn(options: DataForSeoStandInOptions): Promise<StandIn> {
  const { login, password, port = 0 } = options;
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  return startStandIn({ name: 'dataforseo', port, handle, refusal: (status) => envelope(status * 100) });

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const answer = paths[url.pathname];
    const body = await readBody(request, MAX_BODY);
    if (request.headers.authorization !== authorization) sendJson(response, 401, envelope(40_100));
    else if (request.method !== 'POST' || !answer) sendJson(response, 404, envelope(40_400));
    else sendJson(response, 200, toPost(body.toString(), answer));
    return true;
  }
}

function toPost(body: string, answer: (task: unknown) => Task) {
  const tasks = parsed(body);
  if (!Array.isArray(tasks) || tasks.length === 0) return envelope(40_503);
  if (tasks.length > 1) return envelope(40_000);
  return envelope(20_000, [answer(tasks[0])]);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // refused by the caller as what it is: no list of tasks
  }
}

function answering<Wanted extends Place>(
  form: z.ZodType<Wanted>,
  result: (task: Wanted) => unknown[],
): (task: unknown) => Task {
  return (task) => {
    const read = form.safeParse(task);
    if (!read.success) return refused(40_501, task, String(read.error.issues[0]?.path[0]));
    if (NOT_SERVED.includes(read.data.location_code)) return refused(40_501, task, 'location_code');
    return done(result(read.data), 0.01, task);
  };
}

const placeOf = ({ location_code, language_code }: Place): Place => ({ location_code, language_code });

const mostSearchedFirst = (phrases: readonly string[], { limit }: { limit: number }): string[] =>
  phrases
    .map((phrase) => ({ phrase, volume: demandFor(phrase, 1).volume ?? 0 }))
    .toSorted((one, other) => other.volume - one.volume)
    .slice(0, limit)
    .map(({ phrase }) => phrase);

const listOf = (items: unknown[], task: Place & { keyword: string }) => ({
  se_type: 'google',
  seed_keyword: task.keyword,
  seed_keyword_data: null,
  ...placeOf(task),
  total_count: items.length,
  items_count: items.length,
  offset: 0,
  items: items.length > 0 ? items : null,
});

/** Google Ads refuses a whole list for one phrase of more than ten words, or with a sign it does not take. */
function isSpeakable(phrase: string): boolean {
  return phrase.split(/\s+/u).length <= 10 && !/[,!@%^()={};~`<>?\\|―]/u.test(phrase);
}
