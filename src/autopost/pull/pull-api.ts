import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { fetchUnlessSame } from './fetch-unless-same.ts';
import { type ReadSource, SourceUnreadable } from './pull-source.ts';
import type { ReadElsewhere } from './read-document.ts';

const ACCEPT = 'application/json';

/** A list in JSON behind an address. */
export function makePullApi(fetch: GuardedFetch, read: ReadElsewhere): ReadSource<'api'> {
  return async (config, { secret, cursor, signal }) => {
    const address = config.url
      .replaceAll('{last_seen_id}', encodeURIComponent(cursor.last_seen_id ?? ''))
      .replaceAll('{last_seen_ts}', encodeURIComponent(cursor.last_seen_ts ?? ''));
    const answer = await fetchUnlessSame(fetch, address, { accept: ACCEPT, secret, cursor, signal });
    if (answer === null) return null;
    const { body, contentType, marks } = answer;
    const found = await read({ kind: 'api', body, contentType, config, cursor }, signal);
    if ('unreadable' in found) throw new SourceUnreadable(found.unreadable);
    return { items: found.items, marks };
  };
}
