import type { PullCursor, PullOverlap } from '../store/pull-sources.ts';

/** How long the transaction of a row may take, for the row still to be found. */
const LONGEST_MS = 10 * 60_000;
/** Of a flood of rows less time is read again: everything in it has to be remembered. */
const MOST_ROWS = 900;

/**
 * A row gets its number or time when it is written, and is there when its transaction ends: it may appear behind rows that
 * were taken long ago. So a table is read again from where its last row was ten minutes ago, without what was taken since
 * then. That place moves by whole steps, for only of a whole step it is known what in `seen` may be forgotten.
 * `readAt`: when the reading began, of which this is the end; whatever was written after that is in front of the last row.
 */
export function moveOverlap(cursor: PullCursor, readAt: number): PullCursor {
  const last = lastRow(cursor);
  const { overlap = { after: last, next: last, since: readAt, seenBefore: 0 }, seen = [] } = cursor;
  const isOver = readAt - overlap.since >= LONGEST_MS || seen.length - overlap.seenBefore >= MOST_ROWS;
  if (!isOver) return { ...cursor, overlap };
  const kept = seen.slice(overlap.seenBefore);
  return {
    ...cursor,
    seen: kept,
    overlap: { after: overlap.next, next: last, since: readAt, seenBefore: kept.length },
  };
}

export const lastRow = ({ last_seen_id: id, last_seen_ts: ts }: PullCursor): PullOverlap['after'] =>
  id === undefined ? null : { id, ts: ts ?? null };
