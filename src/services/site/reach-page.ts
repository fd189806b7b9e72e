import type { ReachPageInput } from '../../../machines/competitor-analysis.ts';
import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';

type Deps = {
  fetch: GuardedFetch;
  /** Where the pages of a played web are opened; null: on the web itself. */
  gateway: string | null;
};

const PATIENCE_MS = 10_000;
/** A page that opens is enough; nothing of it is read here. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Whether a page opens at all. Its own status does not matter: many sites refuse strangers and still can be read. */
export const makeReachPage =
  ({ fetch, gateway }: Deps) =>
  async ({ url }: ReachPageInput, signal: AbortSignal): Promise<null> => {
    const address = gateway === null ? url : `${gateway}?url=${encodeURIComponent(url)}`;
    await fetch(address, { timeoutMs: PATIENCE_MS, mostBytes: MOST_BYTES, signal });
    return null;
  };
