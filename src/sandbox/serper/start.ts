import { z } from 'zod';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { capitalised } from '../../russian.ts';
import { slug } from '../../services/content/slug.ts';
import { sentences } from '../../services/quality/russian-text.ts';
import { coreOf, draw } from '../dataforseo/demand.ts';
import { findNiche } from '../openrouter/author/find-niche.ts';
import { recordOf } from '../openrouter/author/recorded-articles.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { pages, questions, searches } from './results.ts';

type SerperStandInOptions = { apiKey: string; port?: number };

const MAX_BODY = 64 * 1024;
const FEWEST_QUESTIONS = 4;

const search = z.object({
  q: z.string().min(1),
  gl: z.string().default('us'),
  hl: z.string().default('en'),
  num: z.int().min(1).max(100).default(10),
});

/** Serper on loopback. Whatever is asked, ten sites have written about it; their hosts lead nowhere. */
export function startSerperStandIn({ apiKey, port = 0 }: SerperStandInOptions): Promise<StandIn> {
  return startStandIn({ name: 'serper', port, handle, refusal: (status) => refusal(status, 'Error') });

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (request.method !== 'POST' || url.pathname !== '/search') return false;
    const body = await readBody(request, MAX_BODY);
    if (request.headers['x-api-key'] !== apiKey) {
      sendJson(response, 403, refusal(403, 'Unauthorized.'));
      return true;
    }
    const asked = search.safeParse(parsed(body.toString()));
    if (asked.success) sendJson(response, 200, found(asked.data));
    else sendJson(response, 400, refusal(400, 'Missing query parameter'));
    return true;
  }
}

const refusal = (statusCode: number, message: string) => ({ message, statusCode });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // has no query, and is refused for that
  }
}

function found({ q, gl, hl, num }: z.infer<typeof search>) {
  const query = q.trim().toLowerCase();
  const core = coreOf(query);
  const about = (template: string): string =>
    capitalised(
      template.replaceAll('{query}', () => asTyped(q, query)).replaceAll('{core}', () => asTyped(q, core)),
    );
  const questionCount = FEWEST_QUESTIONS + (draw(query) % (questions.length - FEWEST_QUESTIONS + 1));
  return {
    searchParameters: { q, gl, hl, num, type: 'search', engine: 'google' },
    organic: pages.slice(0, num).map(({ host, title, snippet }, i) => ({
      position: i + 1,
      title: about(title),
      link: `https://${host}/${slug(query) || 'page'}`,
      snippet: about(snippet),
    })),
    peopleAlsoAsk: asked(query, questionCount).map(({ question, snippet }, i) => ({
      question: about(question),
      snippet: about(snippet),
      title: about(pages[i]!.title),
      link: `https://${pages[i]!.host}/${slug(query) || 'page'}`,
    })),
    relatedSearches: searches.map((template) => ({ query: about(template).toLowerCase() })),
    credits: 1,
  };
}

/** What people want to know of this trade, between what they ask about anything. */
function asked(query: string, count: number): { question: string; snippet: string }[] {
  const niche = findNiche('', query);
  const ofTrade = niche === 'general' ? [] : recordOf(niche, query).questions;
  const own = ofTrade.map(({ question, answer }) => ({ question, snippet: sentences(answer)[0] ?? '' }));
  const [price, ...others] = questions;
  return [price!, ...own, ...others].slice(0, count);
}

/** Names of places keep their capitals. */
function asTyped(typed: string, part: string): string {
  const at = typed.toLowerCase().indexOf(part);
  return at < 0 ? part : typed.slice(at, at + part.length);
}
