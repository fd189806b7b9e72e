import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { openJournal } from '../journal.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { readContent, textOf } from './nodes.ts';
import { PAGE_HEADERS, pageHtml } from './page-html.ts';
import { createPages, type Page } from './pages.ts';

export type TelegraphStandIn = StandIn & { pages: ReturnType<typeof createPages> };

type Params = Readonly<Record<string, unknown>>;
/** What Telegraph says no with; HTTP is content either way. */
class Refused extends Error {}

const MAX_BODY = 1024 * 1024;
const DESCRIPTION_LENGTH = 160;

/** Telegraph on loopback: its methods, and the pages themselves, to be opened in a browser. */
export async function startTelegraphStandIn({
  port = 0,
  journal: file,
}: {
  port?: number;
  /** A file; with it pages outlive the process. */
  journal?: string;
} = {}): Promise<TelegraphStandIn> {
  const journal = openJournal(file);
  const pages = createPages(journal);
  const standIn = await startStandIn({
    name: 'telegraph',
    port,
    handle,
    refusal: (status) => no(`HTTP_${status}`),
  });
  return { ...standIn, pages, close };

  async function close(): Promise<void> {
    await standIn.close();
    journal.close();
  }

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const [name = '', path = ''] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (Object.hasOwn(methods, name)) {
      const params = { ...(await readParams(request, url)), ...(path && { path }) };
      sendJson(response, 200, answer(name as keyof typeof methods, params, `http://${request.headers.host}`));
      return true;
    }
    const page = request.method === 'GET' ? pages.page(name) : null;
    if (!page) return false;
    pages.change(page, { views: page.views + 1 });
    response.writeHead(200, PAGE_HEADERS).end(pageHtml(page));
    return true;
  }

  function answer(name: keyof typeof methods, params: Params, origin: string) {
    try {
      return { ok: true, result: methods[name](params, { pages, origin }) };
    } catch (error) {
      if (error instanceof Refused) return no(error.message);
      throw error;
    }
  }
}

type World = { pages: ReturnType<typeof createPages>; origin: string };

const methods = {
  createAccount(params: Params, { pages }: World) {
    const made = pages.openAccount(text(params.short_name, 32, 'SHORT_NAME'), optional(params.author_name));
    return {
      short_name: made.shortName,
      author_name: made.authorName,
      author_url: '',
      access_token: made.token,
      auth_url: 'https://edit.telegra.ph/auth/stand-in',
    };
  },

  createPage(params: Params, world: World) {
    const owner = ownerOf(params, world);
    return shown(world.pages.put(owner, written(params)), world, params, true);
  },

  editPage(params: Params, world: World) {
    const owner = ownerOf(params, world);
    const page = found(params, world);
    if (page.owner !== owner) throw new Refused('PAGE_ACCESS_DENIED');
    return shown(world.pages.change(page, written(params)), world, params, true);
  },

  getPage: (params: Params, world: World) => shown(found(params, world), world, params, false),

  getPageList(params: Params, world: World) {
    const own = world.pages.pagesOf(ownerOf(params, world));
    const offset = Number(params.offset ?? 0);
    const listed = own.slice(offset, offset + Math.min(200, Number(params.limit ?? 50)));
    return { total_count: own.length, pages: listed.map((page) => shown(page, world, {}, true)) };
  },
};

function ownerOf({ access_token: token }: Params, { pages }: World): string {
  const account = typeof token === 'string' ? pages.account(token) : null;
  if (!account) throw new Refused('ACCESS_TOKEN_INVALID');
  return account.token;
}

function found({ path }: Params, { pages }: World): Page {
  const page = typeof path === 'string' ? pages.page(path) : null;
  if (!page) throw new Refused('PAGE_NOT_FOUND');
  return page;
}

function written(params: Params): Pick<Page, 'title' | 'authorName' | 'content'> {
  const title = text(params.title, 256, 'TITLE');
  const content = readContent(params.content);
  if (typeof content === 'string') throw new Refused(content);
  return { title, authorName: optional(params.author_name), content };
}

function shown(page: Page, { origin }: World, { return_content: whole }: Params, mine: boolean) {
  return {
    path: page.path,
    url: `${origin}/${page.path}`,
    title: page.title,
    description: textOf(page.content).slice(0, DESCRIPTION_LENGTH),
    author_name: page.authorName,
    ...((whole === true || whole === 'true') && { content: page.content }),
    views: page.views,
    ...(mine && { can_edit: true }),
  };
}

function text(value: unknown, most: number, name: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Refused(`${name}_REQUIRED`);
  if ([...value].length > most) throw new Refused(`${name}_TOO_LONG`);
  return value;
}

const optional = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 128) : '');

const no = (error: string) => ({ ok: false, error });

/** In the address, as a form or as JSON. */
async function readParams(request: IncomingMessage, url: URL): Promise<Params> {
  const given = Object.fromEntries(url.searchParams);
  const body = (await readBody(request, MAX_BODY)).toString();
  if (!/json/iu.test(request.headers['content-type'] ?? ''))
    return { ...given, ...Object.fromEntries(new URLSearchParams(body)) };
  try {
    return { ...given, ...JSON.parse(body) };
  } catch {
    return given; // whatever is missing now is named by the method itself
  }
}
