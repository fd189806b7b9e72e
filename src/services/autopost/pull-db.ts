import { z } from 'zod';
import type { ReadRows } from '../../clients/foreign-database.ts';
import { toPulledItem } from './pull-item.ts';
import { type ReadSource, SourceUnreadable } from './pull-source.ts';

const withUrl = z.object({ url: z.string().min(1) });

/** Rows of somebody's table, from the last one on. */
export function makePullDb(readRows: ReadRows): ReadSource<'db'> {
  return async ({ query, parse_mode, first_items, max_items }, { secret, cursor }) => {
    const address = withUrl.safeParse(secret).data?.url;
    if (address === undefined) throw new SourceUnreadable('the source has no address to connect to');
    const { last_seen_id: id, last_seen_ts: ts = null } = cursor;
    const rows = await readRows(
      address,
      query,
      cursor.begun
        ? { after: id === undefined ? null : { id, ts }, limit: max_items + 1 } // one more: is there a rest?
        : { newest: true, limit: Math.max(1, first_items) },
    );
    const items = rows.flatMap(({ place, columns }) => {
      const item = toPulledItem({ ...columns, id: place.id }, parse_mode);
      return item ? { ...item, ts: place.ts } : [];
    });
    return { items, marks: {} };
  };
}
