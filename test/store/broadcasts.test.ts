import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broadcasts, makeBroadcasts } from '../../src/store/broadcasts.ts';
import type { Database } from '../../src/store/database.ts';
import { aUser } from '../support/rows.ts';
import { databaseKinds, freshDatabase } from '../support/stores.ts';

describe.each(databaseKinds)('broadcasts on %s', (kind) => {
  let database: Database;
  let broadcasts: Broadcasts;
  beforeAll(async () => {
    database = await freshDatabase(kind);
    broadcasts = makeBroadcasts(database.sql);
    for (let i = 0; i < 45; i += 1) await aUser(database.sql);
  });
  afterAll(() => database.close());

  const begun = async () => {
    const id = await broadcasts.draft(1, 'all', { text: 'Новость', marks: [], photo: null });
    await broadcasts.begin((await broadcasts.byId(id))!, false);
    return id;
  };
  const nextAt = async () => {
    const [row] = await database.sql<[{ at: number }]>`
      select extract(epoch from next_at)::float8 * 1000 as at from broadcast_pace`;
    return row.at;
  };

  it('are sent at 20 a second by all processes together: each batch begins where the last one ends', async () => {
    const id = await begun();
    await broadcasts.rest(500);
    const first = (await broadcasts.claim(20))!;
    const afterFirst = await nextAt();
    const second = (await broadcasts.claim(20))!;
    expect((await nextAt()) - afterFirst).toBeCloseTo(20 * 50, 0);
    expect(second.waitMs).toBeGreaterThan(first.waitMs);
    expect(new Set([...first.userIds, ...second.userIds]).size).toBe(40);
    // Too far ahead: people whose time has not come are not claimed.
    await broadcasts.rest(5_000);
    expect(await broadcasts.claim(20)).toBeNull();
    await broadcasts.stop(id);
  });

  it('give back what a dead process had not begun, and never repeat what it had', async () => {
    await database.sql`update broadcast_pace set next_at = now()`;
    const id = await begun();
    const batch = (await broadcasts.claim(20))!;
    const [started, other] = batch.userIds as [number, number];
    expect(await broadcasts.startSending(batch, started)).toBe(true);
    expect(await broadcasts.startSending(batch, started)).toBe(false);
    await broadcasts.releaseLost();
    expect(await broadcasts.byId(id)).toMatchObject({ unknown: 0 });
    await broadcasts.releaseLost({ all: true });
    expect(await broadcasts.byId(id)).toMatchObject({ unknown: 1 });
    expect(await broadcasts.startSending(batch, other)).toBe(false);
    await database.sql`update broadcast_pace set next_at = now()`;
    const again = (await broadcasts.claim(50))!;
    expect(again.userIds).toContain(other);
    expect(again.userIds).not.toContain(started);
    // The process was only slow: its answer counts, once.
    await broadcasts.settle(batch, started, 'sent');
    await broadcasts.settle(batch, started, 'sent');
    expect(await broadcasts.byId(id)).toMatchObject({ unknown: 0, sent: 1 });
    await broadcasts.stop(id);
    expect(await broadcasts.startSending(again, other)).toBe(false);
  });

  it('keep the outcome of a person who was forgotten, without their id', async () => {
    await database.sql`update broadcast_pace set next_at = now()`;
    const id = await begun();
    const { recipients } = (await broadcasts.byId(id))!;
    const [person] = await database.sql<
      [{ id: number }]
    >`select min(id)::float8 as id from users where id > 0`;
    await database.sql`select forget_person(${person.id}, 'hash')`;
    const batch = (await broadcasts.claim(100))!;
    expect(batch.userIds).toHaveLength(recipients - 1);
    expect(await broadcasts.byId(id)).toMatchObject({ recipients, blocked: 1 });
  });
});
