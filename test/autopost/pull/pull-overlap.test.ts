import fc from 'fast-check';
import { expect, it } from 'vitest';
import { behind, whatIsNew } from '../../../src/autopost/pull/pull-cursor.ts';
import { lastRow, moveOverlap } from '../../../src/autopost/pull/pull-overlap.ts';
import type { PulledItem } from '../../../src/autopost/pull/pull-source.ts';
import type { PullCursor } from '../../../src/autopost/store/pull-sources.ts';

const MINUTE_MS = 60_000;
const MOST_ITEMS = 3;

type Row = { number: number; committedAt: number };

const item = (number: number) => ({ id: String(number), key: String(number), ts: null, body: null });

/** What a table answers, as its SQL does. */
function read(rows: readonly Row[], cursor: PullCursor, now: number): PulledItem[] {
  const after = Number(cursor.overlap?.after?.id ?? -1);
  const last = Number(lastRow(cursor)?.id ?? -1);
  return rows
    .filter(({ number, committedAt }) => committedAt <= now && number > after)
    .map(({ number }) => ({ ...item(number), isLate: number <= last }))
    .filter(({ key }) => !cursor.seen?.includes(key))
    .slice(0, MOST_ITEMS + 1);
}

/** Everything that is there, in as many runs as it takes. */
function pull(rows: readonly Row[], start: PullCursor, now: number) {
  const taken: string[] = [];
  let cursor = start;
  for (;;) {
    const { cursor: begun, fresh } = whatIsNew(cursor, read(rows, cursor, now), 0);
    const run = fresh.slice(0, MOST_ITEMS);
    taken.push(...run.map(({ id }) => id));
    cursor = moveOverlap(run.reduce(behind, begun), now);
    if (fresh.length <= MOST_ITEMS) return { cursor, taken };
  }
}

const minutes = (most: number) => fc.double({ min: 0, max: most, noNaN: true });

it('takes every row of a table once, however late its transaction ended within ten minutes', () => {
  const gaps = fc.array(minutes(40), { minLength: 1, maxLength: 30 });
  const written = fc.array(fc.record({ gap: minutes(5), late: minutes(9.99) }), { maxLength: 60 });
  fc.assert(
    fc.property(written, gaps, (writes, pauses) => {
      let at = 0;
      const rows = writes.map(({ gap, late }, number) => {
        at += gap * MINUTE_MS;
        return { number, committedAt: at + late * MINUTE_MS };
      });
      let now = 0;
      let { cursor } = pull([], {}, now);
      const taken: string[] = [];
      const end = Math.max(0, ...rows.map(({ committedAt }) => committedAt));
      for (let i = 0; now < end; i++) {
        now += Math.max(0.5, pauses[i % pauses.length] ?? 1) * MINUTE_MS;
        const pulled = pull(rows, cursor, now);
        taken.push(...pulled.taken);
        cursor = pulled.cursor;
      }
      expect(taken.sort()).toEqual(rows.map(({ number }) => String(number)).sort());
    }),
  );
});

it('remembers no more of a flood than it reads again', () => {
  let cursor: PullCursor = moveOverlap({ begun: true }, 0);
  for (let number = 0; number < 5_000; number += 1) cursor = moveOverlap(behind(cursor, item(number)), 1);
  const after = Number(cursor.overlap?.after?.id);
  expect(cursor.seen).toEqual(Array.from({ length: 4_999 - after }, (_, at) => String(after + 1 + at)));
  expect(cursor.seen?.length).toBeLessThan(2_000);
});
