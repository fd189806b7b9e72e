import { z } from 'zod';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { demandFor, draw, relatedTo, suggestionsFor } from '../dataforseo/demand.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';

type WordstatStandInOptions = {
  apiKey: string;
  folderId: string;
  port?: number;
  /** Requests an hour. */
  limit?: number;
  now?: () => number;
};

const HOUR_MS = 60 * 60 * 1000;
const MAX_BODY = 64 * 1024;
/** Of all that Yandex is asked; the rest of the world is small. */
const shares: Readonly<Record<string, number>> = { '225': 1, '213': 0.22, '2': 0.11 };
const CITY_SHARE = 0.03;

const common = z.object({
  phrase: z.string().min(1).max(400),
  folderId: z.string(),
  regions: z.array(z.string().regex(/^\d+$/u)).max(100).default(['225']),
  devices: z.array(z.enum(['DEVICE_ALL', 'DEVICE_DESKTOP', 'DEVICE_PHONE', 'DEVICE_TABLET'])).optional(),
});
const top = common.extend({ numPhrases: z.coerce.number().int().min(1).max(2_000).default(50) });
const dynamics = common.extend({
  period: z.enum(['PERIOD_MONTHLY', 'PERIOD_WEEKLY', 'PERIOD_DAILY']),
  fromDate: z.iso.datetime(),
  toDate: z.iso.datetime(),
});

const distribution = common.omit({ regions: true }).extend({
  region: z.enum(['REGION_ALL', 'REGION_CITIES', 'REGION_REGIONS']),
});
/** Some of those that Yandex tells apart; the last one has no name in the product. */
const cities = ['213', '2', '54', '65', '47', '43', '51', '56', '66', '39', '35', '10738'];

/** Wordstat of Yandex Search API on loopback: any phrase finds a plausible demand, and has a season of its own. */
export function startWordstatStandIn(options: WordstatStandInOptions): Promise<StandIn> {
  const { apiKey, folderId, port = 0, limit = 100, now = Date.now } = options;
  let taken: number[] = [];
  const refusal = (status: number) => ({
    code: codes[status] ?? 2,
    message: `answered ${status}`,
    details: [],
  });
  return startStandIn({ name: 'wordstat', port, handle, refusal });

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const answer = paths[url.pathname];
    const body = await readBody(request, MAX_BODY);
    if (request.method !== 'POST' || !answer) sendJson(response, 404, refusal(404));
    else if (request.headers.authorization !== `Api-key ${apiKey}`) sendJson(response, 401, refusal(401));
    else if (!isWithinLimit()) sendJson(response, 429, refusal(429));
    else {
      const asked = answer.schema.safeParse(parsed(body.toString()));
      if (!asked.success) sendJson(response, 400, { ...refusal(400), message: asked.error.message });
      else if ((asked.data as { folderId: string }).folderId !== folderId)
        sendJson(response, 403, refusal(403));
      else sendJson(response, 200, answer.of(asked.data));
    }
    return true;
  }

  function isWithinLimit(): boolean {
    taken = taken.filter((at) => at > now() - HOUR_MS);
    if (taken.length >= limit) return false;
    taken.push(now());
    return true;
  }
}

const codes: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 429: 8 };

type Answer = { schema: z.ZodType; of(asked: unknown): unknown };
const answer = <Asked>(schema: z.ZodType<Asked>, of: (asked: Asked) => unknown): Answer => ({
  schema,
  of: (asked) => of(asked as Asked),
});

const paths: Readonly<Record<string, Answer>> = {
  '/v2/wordstat/topRequests': answer(top, ({ phrase, numPhrases, regions }) => {
    const counted = (phrases: readonly string[]) =>
      phrases
        .map((each) => ({ phrase: each, count: demand(each, regions) }))
        .filter(({ count }) => count > 0)
        .toSorted((one, other) => other.count - one.count)
        .slice(0, numPhrases)
        .map((each) => ({ ...each, count: String(each.count) }));
    const results = counted(suggestionsFor(phrase.toLowerCase()));
    return {
      totalCount: String(demand(phrase, regions)),
      results,
      associations: counted(relatedTo(phrase.toLowerCase())),
    };
  }),
  '/v2/wordstat/dynamics': answer(dynamics, ({ phrase, regions, fromDate, toDate }) => {
    const whole = demand(phrase, regions);
    return {
      results: monthsBetween(new Date(fromDate), new Date(toDate)).map((date) => {
        const count = Math.round(whole * seasonOf(phrase, date.getUTCMonth()));
        return { date: date.toISOString(), count: String(count), share: count / 1_000_000_000 };
      }),
    };
  }),
  '/v2/wordstat/regions': answer(distribution, ({ phrase }) => ({
    results: cities.map((region) => {
      const affinityIndex = 60 + (draw(`${phrase.toLowerCase()} in ${region}`) % 120);
      const count = Math.round((demand(phrase, [region]) * affinityIndex) / 100);
      return { region, count: String(count), share: count / 1_000_000_000, affinityIndex };
    }),
  })),
};

function demand(phrase: string, regions: readonly string[]): number {
  const share = regions.reduce((sum, region) => sum + (shares[region] ?? CITY_SHARE), 0);
  return Math.round((demandFor(phrase.toLowerCase(), 1).volume ?? 0) * Math.min(1, share) * 3);
}

/** Around 1, highest in the month that the phrase is for. */
function seasonOf(phrase: string, month: number): number {
  const peak = draw(phrase.toLowerCase().split(' ')[0]!) % 12;
  const swing = 0.2 + (draw(`${phrase} season`) % 60) / 100;
  return 1 + swing * Math.cos(((month - peak) / 12) * 2 * Math.PI);
}

function monthsBetween(from: Date, to: Date): Date[] {
  const months: Date[] = [];
  for (
    let at = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1));
    at <= to;
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  )
    months.push(at);
  return months;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // refused by the caller as what it is: no request
  }
}
