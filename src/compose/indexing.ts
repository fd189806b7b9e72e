import type { GuardedFetch } from '../clients/http/guarded-fetch.ts';
import { makeIndexNow } from '../clients/index-now.ts';
import type { Log } from '../log.ts';
import { takesArticles } from '../platforms/platforms.ts';
import { wordPressAccess } from '../platforms/wordpress/access.ts';
import { INDEX_PAGE, makeIndexPage } from '../services/site/index-page.ts';
import type { Connections } from '../store/connections.ts';
import type { Job } from '../store/jobs.ts';
import { deriveSigningKey } from '../store/signing-key.ts';

const LOOK_MS = 5_000;
const MOST_BYTES = 1_024;

export type Indexing = ReturnType<typeof composeIndexing>;

/** New articles are told to search engines. */
export function composeIndexing({
  endpoints,
  key,
  connections,
  fetch,
  enqueue,
  log,
}: {
  endpoints: readonly string[];
  key: string;
  connections: Pick<Connections, 'find' | 'credentials'>;
  fetch: GuardedFetch;
  enqueue(job: Job): Promise<unknown>;
  log: Log;
}) {
  const isOn = endpoints.length > 0;
  const indexPage = makeIndexPage({
    secret: deriveSigningKey(key, 'index keys'),
    siteOf,
    read,
    tellEngines: makeIndexNow({ endpoints }),
  });
  return { isOn, look: indexPage.look, announce, jobs: { [INDEX_PAGE]: indexPage.job } };

  async function siteOf(userId: number, connectionId: number): Promise<string | null> {
    const connection = await connections.find(userId, connectionId);
    if (!connection || !takesArticles(connection.platform)) return null;
    return wordPressAccess(await connections.credentials(userId, connectionId)).url;
  }

  async function read(url: string): Promise<string | null> {
    try {
      const { status, body } = await fetch(url, { timeoutMs: LOOK_MS, mostBytes: MOST_BYTES });
      return status === 200 ? body.toString('utf8') : null;
    } catch (err) {
      log.debug({ err, url }, 'a key file could not be read');
      return null;
    }
  }

  /** Under the key of the publication: a page is told of once. */
  async function announce(page: { key: string; userId: number; connectionId: number; url: string }) {
    if (!isOn) return;
    const { userId, connectionId, url } = page;
    const job = { key: `${page.key}:index`, kind: INDEX_PAGE, userId, payload: { connectionId, url } };
    await enqueue(job).catch((err) => log.warn({ err, url }, 'search engines will not be told of a page'));
  }
}
