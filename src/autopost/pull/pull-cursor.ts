import { createHash } from 'node:crypto';
import type { PullCursor } from '../store/pull-sources.ts';
import { storable } from './pull-item.ts';
import type { Pulled, PulledItem } from './pull-source.ts';

/** An item that left its source this many items ago, and comes back, is new. */
const MOST_SEEN = 2_000;
const LONGEST = 1_000;

/** What of a source is new, and the place to go on from. Of a source that was never read, only its newest are new. */
export function whatIsNew(
  cursor: PullCursor,
  items: readonly PulledItem[],
  firstItems: number,
): { cursor: PullCursor; fresh: readonly PulledItem[] } {
  const seen = new Set(cursor.seen);
  const fresh = items.filter((item) => {
    const key = keyOf(item);
    const isNew = !seen.has(key);
    seen.add(key); // one name twice in one answer is one item
    return isNew;
  });
  if (cursor.begun) return { cursor, fresh };
  const passed = fresh.slice(0, Math.max(0, fresh.length - firstItems));
  const begun = passed.reduce(behind, cursor);
  return { cursor: { ...begun, begun: true }, fresh: fresh.slice(passed.length) };
}

/** Whatever a source shows again, and in whatever order: what was taken is known. */
export function behind({ waiting: _, ...cursor }: PullCursor, item: PulledItem): PullCursor {
  const { id, ts, isLate = false } = item;
  return {
    ...cursor,
    ...(!isLate && {
      last_seen_id: storable(id, LONGEST),
      ...(ts !== null && { last_seen_ts: storable(ts, LONGEST) }),
    }),
    seen: [...(cursor.seen ?? []), keyOf(item)].slice(-MOST_SEEN),
  };
}

/** When nothing is left to take: asked before that, the source would say that nothing has changed. */
export function atTheEnd(
  { etag: _, last_modified: __, ...cursor }: PullCursor,
  items: readonly PulledItem[],
  marks: Pulled['marks'],
): PullCursor {
  // Of a table they stay in the order in which they were taken: see moveOverlap.
  if (cursor.seen === undefined || cursor.overlap !== undefined) return { ...cursor, ...marks };
  // What the source still shows stays known, however long ago it was taken.
  const shown = new Set(items.map(keyOf));
  const seen = [
    ...cursor.seen.filter((key) => !shown.has(key)),
    ...cursor.seen.filter((key) => shown.has(key)),
  ];
  return { ...cursor, seen: seen.slice(-MOST_SEEN), ...marks };
}

/** Of one length, whatever a source uses for a name. */
export const keyOf = ({ id, key }: PulledItem): string =>
  key ?? createHash('sha256').update(id).digest('base64url').slice(0, 16);
