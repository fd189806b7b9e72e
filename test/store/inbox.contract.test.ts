import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Inbox, Letter, Part } from '../../src/engine/inbox.ts';
import { createMemoryInbox } from '../../src/store/inbox-memory.ts';
import { createPostgresInbox } from '../../src/store/inbox-postgres.ts';
import { forEachDatabase } from '../support/stores.ts';

let nextPerson = 1;
const NOW = 1_800_000_000_000;

describe('an inbox in memory', () => contract(() => createMemoryInbox()));
forEachDatabase((sql) => contract(() => createPostgresInbox(sql(), { botId: nextPerson++ })));

function letter(userId: number, more: Partial<Letter> = {}): Letter {
  const run = { flow: 'ProjectCreate', run: 'r1' };
  return { id: randomUUID(), userId, run, event: { type: 'grant.received', text: '\u0000 ok' }, ...more };
}

const part = (place: number): Part => ({
  item: { kind: 'file', file: { fileId: `F${place}`, name: 'a', mimeType: '', size: 0 } },
  place,
  caption: '',
});

function contract(open: () => Inbox): void {
  it('keeps a letter once, however often it is brought', async () => {
    const inbox = open();
    const its = letter(7);
    expect(await inbox.put(its)).toBe(true);
    expect(await inbox.put({ ...its, event: { type: 'other' } })).toBe(false);
    expect(await inbox.open(7, NOW)).toMatchObject([its]);
  });

  it('hands letters out in the order in which they came, each person their own', async () => {
    const inbox = open();
    const own = [letter(7), letter(7, { run: null }), letter(7)];
    for (const each of [own[0]!, letter(8), own[1]!, own[2]!]) await inbox.put(each);
    expect((await inbox.open(7, NOW)).map(({ id, run }) => ({ id, run }))).toEqual(
      own.map(({ id, run }) => ({ id, run })),
    );
  });

  it('does not know a settled one any more, and takes it for known when it comes again', async () => {
    const inbox = open();
    const its = letter(7);
    await inbox.put(its);
    await inbox.settle(its.id, 'applied');
    expect(await inbox.open(7, NOW)).toEqual([]);
    expect(await inbox.due(NOW, 10, 1_000)).toEqual([]);
    expect(await inbox.put(its)).toBe(false);
  });

  it('holds a letter back until it is due', async () => {
    const inbox = open();
    await inbox.put(letter(7), NOW + 1_000);
    expect(await inbox.open(7, NOW + 999)).toEqual([]);
    expect(await inbox.due(NOW + 999, 10, 1_000)).toEqual([]);
    expect(await inbox.due(NOW + 1_000, 10, 1_000)).toEqual([7]);
  });

  it('counts how long a letter waits from when it was due, not from when it was written', async () => {
    const inbox = open();
    await inbox.put(letter(7), NOW);
    expect((await inbox.open(7, NOW + 1_000)).map(({ since }) => since)).toEqual([NOW]);
  });

  it('hands a person out to one of several sweeps, and again when nothing came of it', async () => {
    const inbox = open();
    await inbox.put(letter(7));
    await inbox.put(letter(7));
    const asked = await Promise.all([inbox.due(NOW, 10, 30_000), inbox.due(NOW, 10, 30_000)]);
    expect(asked.flat()).toEqual([7]);
    expect(await inbox.due(NOW + 29_999, 10, 30_000)).toEqual([]);
    expect(await inbox.due(NOW + 30_000, 10, 30_000)).toEqual([7]);
  });

  it('collects the parts of an album under one letter, in their order, each once', async () => {
    const inbox = open();
    const its = letter(7, { run: null, event: { type: 'album.received' } });
    for (const place of [12, 11, 13, 12])
      expect(await inbox.collect(its, part(place), NOW + place)).toBe('collected');
    expect(await inbox.open(7, NOW + 12), 'another part may still come').toEqual([]);
    const [album] = await inbox.open(7, NOW + 13);
    expect(album!.parts).toEqual([part(11), part(12), part(13)]);
    await inbox.settle(its.id, 'applied');
    expect(await inbox.collect(its, part(14), NOW)).toBe('late');
    expect(await inbox.collect(its, part(12), NOW)).toBe('repeat');
  });
}
