import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { openJournal } from '../journal.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { consent, consentPage } from './authorize.ts';
import { readerPage } from './reader.ts';
import { answerRest } from './rest.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';
import { themed } from './theme.ts';
import type { SiteSettings } from './wire.ts';

type WordPressStandInOptions = {
  port?: number;
  /** A file; with it everything survives the end of the process. Pictures lie in a folder beside it. */
  journal?: string;
  /** By the first part of their path; '' is the site at the root. */
  sites?: Readonly<Record<string, SiteOptions>>;
  /** Sites that are there as soon as somebody asks for them; null for a path that names none. */
  siteAt?(path: string): SiteOptions | null;
};

export type WordPressStandIn = StandIn & {
  site(path?: string): Site;
  sites(): Site[];
  /** Where a site is, without a slash at the end. */
  addressOf(path?: string): string;
};

const MAX_BODY = 64 * 1024 * 1024;
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** WordPress sites on loopback: the REST API, and what their readers see. Control over HTTP: `<url>/__sites`. */
export async function startWordPressStandIn(
  options: WordPressStandInOptions = {},
): Promise<WordPressStandIn> {
  const journal = openJournal(options.journal);
  const sites = new Map<string, Site>();
  for (const [path, given] of Object.entries(options.sites ?? { '': {} })) open(path, given);
  const standIn = await startStandIn({
    name: 'wordpress',
    ...(options.port !== undefined && { port: options.port }),
    handle,
    control,
    refusal: (status) => ({
      code: `stand_in_${status}`,
      message: `Told to answer ${status}`,
      data: { status },
    }),
  });
  return { ...standIn, site, sites: () => [...sites.values()], addressOf, close };

  function open(path: string, given: SiteOptions): Site {
    const folder = options.journal === undefined ? null : `${options.journal}.files/${path}`;
    const opened = openSite(journal, { ...given, path, folder });
    sites.set(path, opened);
    return opened;
  }

  function siteNamed(path: string): Site | undefined {
    const known = sites.get(path);
    const given = known ? null : options.siteAt?.(path);
    return given ? open(path, given) : known;
  }

  function site(path = ''): Site {
    const known = siteNamed(path);
    if (!known) throw new TypeError(`Expected a site of ${[...sites.keys()].join(', ')}, got ${path}`);
    return known;
  }

  function addressOf(path = ''): string {
    return path === '' ? standIn.url : `${standIn.url}/${path}`;
  }

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const [first = '', ...rest] = url.pathname.split('/').slice(1);
    const named = first !== '' ? siteNamed(first) : undefined;
    const asked = named ?? sites.get('');
    if (!asked) return false;
    const base = `http://${request.headers.host}${asked.path && `/${asked.path}`}`;
    const inner = named ? `/${rest.join('/')}` : url.pathname;
    await serve(asked, { request, response, query: url.searchParams, base, path: inner });
    return true;
  }

  /** `POST {"path": "blog", "seo": "yoast"}` changes a site. */
  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname !== '/__sites') return false;
    if (request.method === 'POST') {
      const { path = '', ...changes } = JSON.parse((await readBody(request, MAX_BODY)).toString()) as {
        path?: string;
      } & Partial<SiteSettings>;
      site(path).change(changes);
    }
    const told = [...sites.values()].map(({ path, settings, posts, media }) => ({
      path,
      address: addressOf(path),
      settings,
      posts: posts.values(),
      media: media.values(),
    }));
    sendJson(response, 200, { sites: told });
    return true;
  }

  async function close(): Promise<void> {
    await standIn.close();
    journal.close();
  }
}

type Asked = {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  base: string;
  path: string;
};

async function serve(site: Site, { request, response, query, base, path }: Asked): Promise<void> {
  const { settings } = site;
  const route = restRoute(site, path, query);
  if (route !== null && settings.rest !== 'html') {
    const bytes = await readBody(request, MAX_BODY);
    if (bytes.length > settings.mostUploadBytes)
      return sendPage(response, 413, '<h1>413 Request Entity Too Large</h1>');
    const { status, body, headers = {} } = await answerRest(route, { site, request, query, bytes, base });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return sendJson(response, status, body);
  }
  if (path === '/wp-admin/authorize-application.php')
    return authorize(site, { request, response, query, base, path });
  const rootFile = settings.rootFiles[path.slice(1)];
  if (rootFile !== undefined) {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(rootFile);
    return;
  }
  const file = /^\/wp-content\/uploads\/(.+)$/u.exec(path)?.[1];
  if (file) {
    const bytes = site.readFile(file);
    const media = site.media.values().find((one) => one.file === file);
    if (!bytes || !media) return sendPage(response, 404, '<h1>404</h1>');
    response.writeHead(200, { 'content-type': media.mime }).end(bytes);
    return;
  }
  if (settings.rest === 'on' || settings.rest === 'members') {
    const root = settings.permalinks === 'plain' ? `${base}/?rest_route=/` : `${base}/wp-json/`;
    response.setHeader('link', `<${root}>; rel="https://api.w.org/"`);
  }
  const html = route === null ? readerPage(site, path, query, base) : blocked(site, base);
  return html === null ? sendPage(response, 404, notFound(site, base)) : sendPage(response, 200, html);
}

/** What follows `/wp-json/` or stands in `rest_route`; null for pages. */
function restRoute({ settings }: Site, path: string, query: URLSearchParams): string | null {
  const named = query.get('rest_route');
  if (named !== null) return named.replace(/^\//u, '');
  const pretty = /^\/wp-json(?:\/(.*))?$/u.exec(path);
  return pretty && settings.permalinks !== 'plain' ? (pretty[1] ?? '') : null;
}

async function authorize(site: Site, { request, response, query, base }: Asked): Promise<void> {
  if (!site.settings.applicationPasswords)
    return sendPage(response, 501, '<h1>Пароли приложений недоступны на этом сайте</h1>');
  const isAnswer = request.method === 'POST';
  const form = isAnswer ? new URLSearchParams((await readBody(request, MAX_BODY)).toString()) : query;
  const reply = isAnswer ? consent(site, form, base) : consentPage(site, query, base);
  if ('html' in reply) return sendPage(response, 200, reply.html);
  response.writeHead(302, { location: reply.redirect }).end();
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, HTML).end(html);
}

const notFound = ({ settings: { title } }: Site, base: string): string =>
  themed({
    site: { title, base },
    title: `Страница не найдена — ${title}`,
    main: '<h1>Страница не найдена</h1>',
  });

const blocked = ({ settings: { title } }: Site, base: string): string =>
  themed({ site: { title, base }, title: 'Проверка браузера', main: '<h1>Проверка браузера</h1>' });
