import { z } from 'zod';
import type { ReadRows } from '../../clients/foreign-database.ts';
import { toPulledItem } from './pull-item.ts';
import { lastRow } from './pull-overlap.ts';
import { type ReadSource, SourceUnreadable } from './pull-source.ts';

const withUrl = z.object({ url: z.string().min(1) });

/** Rows of a foreign table, from the last one on and from a little before it: see moveOverlap. */
export function makePullDb(readRows: ReadRows): ReadSource<'db'> {
  return async ({ query, parse_mode, first_items, max_items }, { secret, cursor }) => {
    const address = withUrl.safeParse(secret).data?.url;
    if (address === undefined) throw new SourceUnreadable('the source has no address to connect to');
    const { begun, overlap, seen = [] } = cursor;
    const last = lastRow(cursor);
    const after = overlap ? overlap.after : last;
    const rows = await readRows(
      address,
      query,
      begun
        ? { after, last, without: seen, limit: max_items + 1 } // one more: is there a rest?
        : { newest: true, limit: Math.max(1, first_items) },
    );
    const items = rows.flatMap(({ place, columns, ...known }) => {
      const item = toPulledItem({ ...columns, id: place.id }, parse_mode);
      return item ? { ...item, ...known, ts: place.ts } : [];
    });
    return { items, marks: {} };
  };
}
