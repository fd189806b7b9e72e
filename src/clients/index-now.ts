import { callOnce } from './http/call-once.ts';

const TIMEOUT_MS = 10_000;

/** 202: taken, and the key will be looked at later. */
const taken = new Set([200, 202]);

/**
 * Tells search engines of a page over IndexNow; whom one of them tells, all of them know. Throws when none took it.
 * Repeating is harmless: they drop what they know.
 */
export const makeIndexNow =
  ({ endpoints }: { endpoints: readonly string[] }) =>
  async ({ url, key, keyLocation }: { url: string; key: string; keyLocation: string }): Promise<void> => {
    const body = JSON.stringify({ host: new URL(url).host, key, keyLocation, urlList: [url] });
    const refusals: string[] = [];
    for (const endpoint of endpoints) {
      try {
        const { status } = await callOnce('IndexNow', endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body,
          timeoutMs: TIMEOUT_MS,
        });
        if (!taken.has(status)) refusals.push(`${endpoint} answered ${status}`);
      } catch (error) {
        refusals.push(`${endpoint}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (refusals.length === endpoints.length) throw new Error(`IndexNow: ${refusals.join('; ')}`);
  };
