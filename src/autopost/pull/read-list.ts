import { toPulledItem } from './pull-item.ts';
import type { PullConfigs } from './pull-source.ts';
import type { LazyEntry } from './read-document.ts';

/** A list in JSON, read by the paths that its settings name. */
export function readList(
  body: Uint8Array,
  { items, map, parse_mode }: PullConfigs['api'],
): LazyEntry[] | { unreadable: string } {
  const answer = parsed(body);
  if (answer === undefined) return { unreadable: 'the answer is not JSON' };
  const list = at(answer, items);
  if (!Array.isArray(list)) return { unreadable: `expected a list at "${items}"` };
  const entries = list.flatMap((entry: unknown): LazyEntry | [] => {
    const fields = { id: at(entry, map.id), ts: map.ts === undefined ? undefined : at(entry, map.ts) };
    const item = toPulledItem(fields, parse_mode);
    return item ? { ...item, body: null, toBody: () => toPulledItem(fieldsOf(entry), parse_mode)?.body } : [];
  });
  if (list.length > 0 && entries.length === 0)
    return { unreadable: `no entry of the list has an id at "${map.id}"` };
  return entries;

  function fieldsOf(entry: unknown) {
    return Object.fromEntries(
      Object.entries(map).map(([name, path]) => [name, path === undefined ? undefined : at(entry, path)]),
    );
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
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
