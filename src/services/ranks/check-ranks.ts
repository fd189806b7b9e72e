import type { Log } from '../../log.ts';
import type { FallingArticle, Ranks } from '../../store/ranks.ts';
import { weekOf } from '../notify/week-of.ts';

const BATCH = 50;

type Deps = {
  ranks: Pick<Ranks, 'due' | 'note' | 'takeFalling'>;
  /** Addresses in the order in which search shows them; null: it could not be asked. */
  addressesFor(query: string): Promise<string[] | null>;
  tell(article: FallingArticle): Promise<unknown>;
  log: Log;
  now(): Date;
};

/**
 * The weekly look at where articles stand. Repeated in the same week, it looks up only what it has not found out yet and
 * tells of nothing twice. Search that does not answer ends the round: the next call goes on there.
 */
export const makeCheckRanks =
  ({ ranks, addressesFor, tell, log, now }: Deps) =>
  async (): Promise<{ checked: number; falling: number }> => {
    const week = weekOf(now());
    let checked = 0;
    for (;;) {
      const articles = await ranks.due(week, BATCH);
      for (const { id, keyword, url } of articles) {
        const addresses = await addressesFor(keyword);
        if (!addresses) return { checked, falling: 0 };
        await ranks.note(id, week, placeOf(url, addresses));
        checked += 1;
      }
      if (articles.length < BATCH) break;
    }
    const falling = await ranks.takeFalling(week);
    for (const article of falling)
      await tell(article).catch((err) =>
        log.warn({ err, article: article.id }, 'a falling article was not told of'),
      );
    log.info({ week, checked, falling: falling.length }, 'positions were looked up');
    return { checked, falling: falling.length };
  };

/** Counted from 1; null: not there. The same page whatever its scheme, `www.`, slash at the end or parameters. */
export function placeOf(url: string, addresses: readonly string[]): number | null {
  const wanted = pageOf(url);
  const index = addresses.findIndex((each) => pageOf(each) === wanted);
  return wanted === null || index === -1 ? null : index + 1;
}

function pageOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  return `${host.replace(/^www\./u, '')}${decodeURI(pathname).replace(/\/$/u, '')}`.toLowerCase();
}
