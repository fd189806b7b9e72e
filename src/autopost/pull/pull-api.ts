import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { fetchUnlessSame } from './fetch-unless-same.ts';
import { oldestFirst, toPulledItem } from './pull-item.ts';
import { type PulledItem, type ReadSource, SourceUnreadable } from './pull-source.ts';

const ACCEPT = 'application/json';

/** A list in JSON, read by the paths that its settings name. */
export function makePullApi(fetch: GuardedFetch): ReadSource<'api'> {
  return async ({ url, items, map, parse_mode }, { secret, cursor, signal }) => {
    const address = url
      .replaceAll('{last_seen_id}', encodeURIComponent(cursor.last_seen_id ?? ''))
      .replaceAll('{last_seen_ts}', encodeURIComponent(cursor.last_seen_ts ?? ''));
    const answer = await fetchUnlessSame(fetch, address, { accept: ACCEPT, secret, cursor, signal });
    if (answer === null) return null;
    const list = at(parsed(answer.body), items);
    if (!Array.isArray(list)) throw new SourceUnreadable(`expected a list at "${items}"`);
    const pulled = list.flatMap((entry): PulledItem | [] => {
      const fields = Object.fromEntries(
        Object.entries(map).map(([name, path]) => [name, path === undefined ? undefined : at(entry, path)]),
      );
      return toPulledItem(fields, parse_mode) ?? [];
    });
    if (list.length > 0 && pulled.length === 0)
      throw new SourceUnreadable(`no entry of the list has an id at "${map.id}"`);
    return { items: oldestFirst(pulled), marks: answer.marks };
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new SourceUnreadable('the answer is not JSON', error);
  }
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, unknown>)[name]
          : undefined,
      value,
    );
