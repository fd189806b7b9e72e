import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { fetchUnlessSame } from './fetch-unless-same.ts';
import { type ReadSource, SourceUnreadable } from './pull-source.ts';
import type { ReadElsewhere } from './read-document.ts';

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

/** RSS, Atom, RDF and JSON feeds. */
export function makePullRss(fetch: GuardedFetch, read: ReadElsewhere): ReadSource<'rss'> {
  return async (config, reading) => {
    const answer = await fetchUnlessSame(fetch, config.url, { accept: ACCEPT, ...reading });
    if (answer === null) return null;
    const { body, contentType, marks } = answer;
    const document = { kind: 'rss', body, contentType, config, cursor: reading.cursor } as const;
    const found = await read(document, reading.signal);
    if ('unreadable' in found) throw new SourceUnreadable(found.unreadable);
    return { items: found.items, marks };
  };
}
