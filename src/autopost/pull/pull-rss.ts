import { parseFeed } from 'feedsmith';
import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { entryToBody } from './entry-to-body.ts';
import { type FeedEntry, toFeedEntries } from './feed-entries.ts';
import { type Fetched, fetchUnlessSame } from './fetch-unless-same.ts';
import { oldestFirst } from './pull-item.ts';
import { type ReadSource, SourceUnreadable } from './pull-source.ts';

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

/** RSS, Atom, RDF and JSON feeds. */
export function makePullRss(fetch: GuardedFetch): ReadSource<'rss'> {
  return async ({ url, pictures }, reading) => {
    const answer = await fetchUnlessSame(fetch, url, { accept: ACCEPT, ...reading });
    if (answer === null) return null;
    const items = entriesOf(answer, url).map((entry) => ({
      id: entry.id,
      ts: entry.ts,
      body: entryToBody(entry, { pictures }),
    }));
    return { items: oldestFirst(items), marks: answer.marks };
  };
}

function entriesOf(answer: Fetched, url: string): FeedEntry[] {
  try {
    return toFeedEntries(parseFeed(decoded(answer)), url);
  } catch (error) {
    throw new SourceUnreadable('the answer is not a feed', error);
  }
}

/** By its header, else by its first line: many feeds are still in windows-1251. */
function decoded({ body, contentType }: Fetched): string {
  const head = body.subarray(0, 200).toString('latin1');
  const named = /charset=["']?([\w-]+)/iu.exec(contentType) ?? /encoding=["']([\w-]+)["']/iu.exec(head);
  return new TextDecoder(named?.[1] ?? 'utf-8').decode(body);
}
