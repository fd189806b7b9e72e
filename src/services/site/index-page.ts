import { createHmac } from 'node:crypto';
import type { JobHandler } from '../../store/jobs.ts';

export const INDEX_PAGE = 'index-page';

type KeyFile = { url: string; name: string; key: string };

type Deps = {
  /** A key of the house. Every site gets its own from it: a file on one site says nothing of another. */
  secret: Uint8Array;
  /** The address of a connected site; null: it is not there any more. */
  siteOf(userId: number, connectionId: number): Promise<string | null>;
  /** What is at an address of a person's site; null: nothing readable. */
  read(url: string): Promise<string | null>;
  tellEngines(page: { url: string; key: string; keyLocation: string }): Promise<void>;
};

const KEY_LENGTH = 32;

/** New pages are told to search engines where the site has our key file: by it they know that the word is the owner's. */
export function makeIndexPage({ secret, siteOf, read, tellEngines }: Deps) {
  return { look, job };

  /** Null: there is no such site. */
  async function look(
    userId: number,
    connectionId: number,
  ): Promise<(KeyFile & { isThere: boolean }) | null> {
    const site = await siteOf(userId, connectionId);
    if (site === null) return null;
    const file = keyFileOf(site);
    return { ...file, isThere: (await read(file.url))?.trim() === file.key };
  }

  /** Throws when no engine took it: the job is tried again later. The person hears nothing of it either way. */
  async function job({ userId, payload }: Parameters<JobHandler>[0]): Promise<{ told: boolean }> {
    const { url, connectionId } = payload as { url: string; connectionId: number };
    const file = await look(userId ?? 0, connectionId);
    if (!file?.isThere) return { told: false };
    await tellEngines({ url, key: file.key, keyLocation: file.url });
    return { told: true };
  }

  /** Beside the site's first page: a key speaks for the addresses below it. */
  function keyFileOf(site: string): KeyFile {
    const base = site.replace(/\/+$/u, '');
    const key = createHmac('sha256', secret).update(base.toLowerCase()).digest('hex').slice(0, KEY_LENGTH);
    return { url: `${base}/${key}.txt`, name: `${key}.txt`, key };
  }
}
