import { AnswerTooLarge } from '../../clients/http/fetch-errors.ts';
import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';

const PATIENCE_MS = 8_000;

/**
 * Whether an address of somebody's site opens. A page that is gone often leads to the front page instead of saying so:
 * that counts as gone.
 */
export const makeIsThere =
  (fetch: GuardedFetch) =>
  async (url: string, signal?: AbortSignal): Promise<boolean> => {
    try {
      const page = await fetch(url, { timeoutMs: PATIENCE_MS, signal });
      const wasSentHome = isFront(page.url) && !isFront(url);
      return page.status >= 200 && page.status < 300 && !wasSentHome;
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof AnswerTooLarge;
    }
  };

const isFront = (url: string): boolean => new URL(url).pathname.replaceAll('/', '') === '';
