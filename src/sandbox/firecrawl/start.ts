import type { ServerResponse } from 'node:http';
import createMarkdownIt from 'markdown-it';
import { z } from 'zod';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { createMoods, type Moods } from '../moods.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { english, parked } from './material.ts';
import { brandingOf, factsFor, pagesOf } from './site.ts';
import { type WrittenPage, writePage } from './write-page.ts';

type FirecrawlStandInOptions = { apiKey: string; port?: number };
export type FirecrawlStandIn = StandIn & { moods: Moods<PageMood> };

/**
 * By address: orders to the model on the page; the site's own 404; a page of pictures only; a site that is down; a
 * domain for sale; a site in English.
 */
type PageMood = (typeof pageMoods)[number];
const pageMoods = ['injection', 'not-found', 'empty', 'down', 'parked', 'english'] as const;

const toHtml = createMarkdownIt({ html: false });
const MAX_BODY = 256 * 1024;

const address = z.url({ protocol: /^https?$/u });
const formats = ['markdown', 'html', 'links', 'summary', 'branding', 'json'] as const;
const format = z.union([
  z.enum(formats).transform((type) => ({ type, schema: undefined })),
  z.object({ type: z.enum(formats), schema: z.record(z.string(), z.unknown()).optional() }),
]);
const scrape = z.object({
  url: address,
  formats: z.array(format).default([{ type: 'markdown' }]),
  onlyMainContent: z.boolean().default(true),
});
const map = z.object({ url: address, limit: z.int().min(1).max(100_000).default(5_000) });
type Format = z.infer<typeof format>;

/** Firecrawl on loopback: its base URL is `<url>/v2`. Every http(s) address holds a page about what it names. */
export async function startFirecrawlStandIn({
  apiKey,
  port = 0,
}: FirecrawlStandInOptions): Promise<FirecrawlStandIn> {
  const moods = createMoods(pageMoods);
  const standIn = await startStandIn({ name: 'firecrawl', port, handle, refusal, control: moods.control });
  return { ...standIn, moods };

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (request.method === 'GET' && url.pathname === '/web') {
      opened(response, url.searchParams.get('url') ?? '');
      return true;
    }
    const answer = request.method === 'POST' ? calls[url.pathname] : undefined;
    if (!answer) return false;
    const body = await readBody(request, MAX_BODY);
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      sendJson(response, 401, failure('Unauthorized: Invalid token'));
      return true;
    }
    const asked = answer.schema.safeParse(parsed(body.toString()));
    if (asked.success) sendJson(response, 200, answer.of(asked.data, moods));
    else
      sendJson(response, 400, {
        ...failure('Bad Request'),
        code: 'BAD_REQUEST',
        details: asked.error.issues,
      });
    return true;
  }

  /** The page itself, for reachability checks. A site that is down drops the connection. */
  function opened(response: ServerResponse, address: string): void {
    const mood = moods.of(address);
    if (mood === 'down' || !URL.canParse(address)) {
      response.destroy();
      return;
    }
    response.writeHead(mood === 'not-found' ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(toHtml.render(writePage(address, { hostile: mood === 'injection' }).markdown));
  }
}

type Call = { schema: z.ZodType; of(asked: unknown, moods: Moods<PageMood>): unknown };

function call<Asked>(schema: z.ZodType<Asked>, of: (asked: Asked, moods: Moods<PageMood>) => unknown): Call {
  return { schema, of: (asked, moods) => of(asked as Asked, moods) };
}

const calls: Readonly<Record<string, Call>> = {
  '/v2/scrape': call(scrape, ({ url, formats, onlyMainContent }, moods) => {
    const mood = moods.of(url);
    if (mood === 'down') return failure('The URL failed to load in the browser.');
    return { success: true, data: documentOf(url, formats, mood, onlyMainContent) };
  }),
  '/v2/map': call(map, ({ url, limit }, moods) => ({
    success: true,
    links: moods.of(url) === 'empty' ? [] : pagesOf(url).slice(0, limit),
  })),
};

function documentOf(
  url: string,
  formats: readonly Format[],
  mood: PageMood | null,
  onlyMainContent: boolean,
) {
  const page =
    (mood && otherPages[mood]) ??
    writePage(url, { hostile: mood === 'injection', withFoot: !onlyMainContent });
  const shown = mood === 'empty' ? { ...page, markdown: '', summary: '' } : page;
  const parts = {
    markdown: () => shown.markdown,
    html: () => toHtml.render(shown.markdown),
    links: () => pagesOf(url).map((link) => link.url),
    summary: () => shown.summary,
    branding: () => (mood === 'empty' ? {} : brandingOf(url)),
    json: (schema: Format['schema']) => (mood === 'empty' ? {} : factsFor(schema, url)),
  };
  return {
    ...Object.fromEntries(formats.map(({ type, schema }) => [type, parts[type](schema)])),
    metadata: {
      title: shown.title,
      description: shown.description,
      language: mood === 'english' ? 'en' : 'ru',
      sourceURL: url,
      url,
      statusCode: mood === 'not-found' ? 404 : 200,
      creditsUsed: 1,
    },
  };
}

const notFound: WrittenPage = {
  title: 'Страница не найдена',
  description: '',
  summary: 'Страница сообщает, что её нет.',
  markdown: '# 404\n\nТакой страницы нет. Вернитесь на главную.',
};

const otherPages: Partial<Record<PageMood, WrittenPage>> = { 'not-found': notFound, parked, english };

const failure = (error: string) => ({ success: false, error });

const refusals: Readonly<Record<number, { error: string; code?: string }>> = {
  402: { error: 'Insufficient credits to perform this request.' },
  403: { error: 'This website is no longer supported.' },
  408: { error: 'Scrape timed out', code: 'SCRAPE_TIMEOUT' },
  429: { error: 'Rate limit exceeded. Please retry after 3s, resets at the next minute.' },
  500: { error: 'All scraping engines failed.', code: 'SCRAPE_ALL_ENGINES_FAILED' },
};

const refusal = (status: number) => ({
  success: false,
  ...(refusals[status] ?? { error: `Error ${status}` }),
});

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // has no address, and is refused for that
  }
}
