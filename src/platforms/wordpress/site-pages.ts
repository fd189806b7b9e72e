import { withDeadline } from '../../clients/http/deadline.ts';
import type { Log } from '../../log.ts';
import {
  type InternalLink,
  internalLinks,
  isOnSite,
  ownPages,
  type TitledPage,
  thoseThere,
} from '../../services/article/internal-links.ts';
import { decodeEntities } from '../../services/posts/entities.ts';
import { MOST_PAGES } from '../../services/site/learn-site.ts';
import type { Connections } from '../../store/connections.ts';
import { wordPressAccess } from './access.ts';
import type { WordPress } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import type { Access } from './client-request.ts';

const PER_PAGE = 100;
const TITLE_LENGTH = 120;
/** A person waits for the article; sites of thousands of posts give what they can within this time. */
const PATIENCE_MS = 20_000;

/** What every installation begins with and few owners take off. */
const byDefault =
  /^(?:привет, мир|hello,? world|пример страницы|sample page|политика конфиденциальности|privacy policy)!?$/iu;

type Deps = Pick<Connections, 'find' | 'credentials' | 'pagesOf'> & {
  wordpress: Pick<WordPress, 'discover' | 'listPages'>;
  isThere(url: string, signal: AbortSignal): Promise<boolean>;
  log: Log;
  patienceMs?: number;
};

/** The pages of a connected site that articles may lead to. */
export function makeSitePages({
  wordpress,
  find,
  credentials,
  pagesOf,
  isThere,
  log,
  patienceMs = PATIENCE_MS,
}: Deps) {
  return { read, nearest };

  /** What is published, as the site itself names it now: none of it is dead or a draft. */
  async function read(userId: number, connectionId: number, signal?: AbortSignal): Promise<TitledPage[]> {
    const site = await find(userId, connectionId);
    const opened = site && (await credentials(userId, connectionId));
    if (!opened) return [];
    const { url, login, appPassword } = wordPressAccess(opened);
    const known = site.metadata.restRoot;
    const restRoot =
      typeof known === 'string'
        ? known
        : (await wordpress.discover(url, { credentials: { login, appPassword }, signal })).restRoot;
    return listed({ restRoot, login, appPassword }, signal);
  }

  /**
   * The nearest to the phrase. A site that does not answer now is remembered as it was, and then every address is opened
   * before an article leads to it.
   */
  async function nearest(
    { userId, connectionId, phrase }: { userId: number; connectionId: number; phrase: string },
    signal: AbortSignal,
  ): Promise<InternalLink[]> {
    const site = await find(userId, connectionId);
    if (!site) return [];
    const address = String(site.metadata.url ?? `https://${site.identifier}`);
    const within = <Found>(ask: (signal: AbortSignal) => Promise<Found>) =>
      withDeadline(patienceMs, signal, ask);
    try {
      const pages = await within((limit) => read(userId, connectionId, limit));
      const own = pages.filter(({ url }) => isOnSite(url, address));
      if (own.length > 0) return internalLinks(own, phrase);
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err, connection: connectionId }, 'the pages of a site were not read');
    }
    const known = ownPages(await pagesOf(userId, connectionId), address);
    const remembered = internalLinks(known, phrase);
    return within((limit) => thoseThere(remembered, (url) => isThere(url, limit))).catch((err: unknown) => {
      signal.throwIfAborted();
      log.warn({ err, connection: connectionId }, 'the pages of a site were not opened');
      return [];
    });
  }

  /** Pages, then the newest posts. A site that hides one of the two lists still gives the other. */
  async function listed(access: Access, signal?: AbortSignal): Promise<TitledPage[]> {
    const found: TitledPage[] = [];
    for (const kind of ['pages', 'posts'] as const) {
      for (let page = 1; found.length < MOST_PAGES; page += 1) {
        const { pages, total } = await partOf(access, kind, page, signal);
        found.push(...pages.map(({ url, title }) => ({ url, title: plain(title) })));
        if (pages.length === 0 || page * PER_PAGE >= total) break;
      }
    }
    return found.filter(({ title }) => title !== '' && !byDefault.test(title)).slice(0, MOST_PAGES);
  }

  async function partOf(access: Access, kind: 'pages' | 'posts', page: number, signal?: AbortSignal) {
    try {
      return await wordpress.listPages(access, kind, { page, perPage: PER_PAGE }, signal);
    } catch (error) {
      if (!(error instanceof WordPressFailed) || error.retryable) throw error;
      return { pages: [], total: 0 };
    }
  }
}

const plain = (title: string): string =>
  decodeEntities(title.replace(/<[^>]*>/gu, ''))
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, TITLE_LENGTH);
