import type { ParseMode } from '../../platforms/messenger/messenger.ts';
import type { PulledItem } from './pull-source.ts';

/** The fields of a row of a table, or of an entry of a JSON list. */
type ItemFields = Partial<Record<'id' | 'ts' | 'text' | 'media' | 'links' | 'tags', unknown>>;

/** Null: without an id it cannot be told from the others. */
export function toPulledItem(fields: ItemFields, parseMode: ParseMode | undefined): PulledItem | null {
  const id = textOf(fields.id);
  if (id === null) return null;
  return {
    id,
    ts: fields.ts instanceof Date ? fields.ts.toISOString() : textOf(fields.ts),
    body: {
      text: fields.text,
      media: listOf(fields.media)?.map((item) =>
        typeof item === 'string' ? { type: 'image', url: item } : item,
      ),
      links: listOf(fields.links),
      tags: listOf(fields.tags)?.map((tag) => textOf(tag) ?? tag),
      parse_mode: parseMode,
    },
  };
}

/** By their times where all have one; otherwise the list is taken for newest first, as nearly all are. */
export function oldestFirst<Item extends PulledItem>(items: readonly Item[]): Item[] {
  const times = new Map(items.map((item) => [item, Date.parse(item.ts ?? '')]));
  const turned = [...items].reverse();
  if ([...times.values()].some(Number.isNaN)) return turned;
  return turned.sort((one, other) => (times.get(one) ?? 0) - (times.get(other) ?? 0));
}

/** Strips characters that PostgreSQL cannot store. */
export const storable = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, most);

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** One thing is a list of one; an empty string is what a form leaves where nothing was filled in. */
function listOf(value: unknown): unknown[] | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  return Array.isArray(value) ? value : [value];
}
