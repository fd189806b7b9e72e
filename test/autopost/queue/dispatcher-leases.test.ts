import { describe, expect, it, onTestFinished } from 'vitest';
import { makeClaims } from '../../../src/autopost/store/claims.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { databaseKinds, freshDatabase, opening } from '../../support/stores.ts';
import { aPostOffice, type PostOffice, until } from './a-post-office.ts';

const shortLeases = { claimedLeaseMs: 300, sendingLeaseMs: 600 };

describe.each(databaseKinds)('what a worker left behind that died, on %s', (kind) => {
  const database = opening(() => freshDatabase(kind));

  it('is sent by another one when nothing of it had begun', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    await office.post('Взято и брошено');
    await claimAndDie(office);
    await office.startDispatcher(shortLeases);
    expect(await office.settled()).toEqual({ sent: 1 });
    expect(office.textsIn(chat)).toEqual(['Взято и брошено']);
    expect(await office.actions()).toContain('claimed_lease_expired');
  });

  it('is sent by another one when its files were still being brought: nothing was called', async () => {
    const office = await aPostOffice(database());
    const chat = await office.maxChat('m1', 4711);
    await office.post('С картинкой', { media: [await office.shelve('a.png', tinyPng(8, 8))] });
    const held = await beginAndDie(office, { isPrepared: false });
    await office.startDispatcher(shortLeases);
    expect(await office.settled()).toEqual({ sent: 1 });
    expect(office.max.world.messages(chat)).toHaveLength(1);
    expect(await makeClaims(office.sql).beginCall(held)).toBe(false);
  });

  it('is unknown when its files were there and the call came next', async () => {
    const office = await aPostOffice(database());
    const chat = await office.maxChat('m1', 4712);
    await office.post('С картинкой', { media: [await office.shelve('a.png', tinyPng(8, 8))] });
    const held = await beginAndDie(office, { isPrepared: false });
    expect(await makeClaims(office.sql).beginCall(held)).toBe(true);
    await office.startDispatcher(shortLeases);
    expect(await office.settled()).toEqual({ unknown: 1 });
    expect(office.max.world.messages(chat)).toEqual([]);
  });

  it('is unknown when the attempt was on record, called or not, and is not repeated', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    await office.post('Отправлено или нет');
    await beginAndDie(office);
    await office.post('Следующее');
    await office.startDispatcher(shortLeases);
    expect(await office.settled()).toEqual({ unknown: 1, sent: 1 });
    expect(office.textsIn(chat)).toEqual(['Следующее']);
    expect(await office.actions()).toContain('sending_lease_expired');
  });

  it.runIf(kind === 'PGlite')('is settled at the start where only one process can be', async () => {
    const office = await aPostOffice(database());
    const begun = await office.telegramChannel('t1');
    const claimed = await office.telegramChannel('t2');
    await office.post('Отправлено или нет', { channels: ['t1'] });
    await beginAndDie(office);
    await office.post('Взято и брошено', { channels: ['t2'] });
    await claimAndDie(office);
    const autopost = office.compose();
    await autopost.start();
    onTestFinished(() => autopost.stop(0));
    expect(await office.settled()).toEqual({ unknown: 1, sent: 1 });
    expect([office.textsIn(begun), office.textsIn(claimed)]).toEqual([[], ['Взято и брошено']]);
  });

  it('is sent after all when the worker was only slow, and says so late', async () => {
    const office = await aPostOffice(database());
    await office.telegramChannel('t1');
    await office.post('Медленно, но верно');
    const held = await beginAndDie(office);
    await office.startDispatcher(shortLeases);
    expect(await office.settled()).toEqual({ unknown: 1 });
    await office.stores.results.markSent([{ ...held, providerMessageId: '17' }]);
    expect(await office.statuses()).toEqual({ sent: 1 });
  });

  it('stays with a worker that lives, however long its call takes', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const leases = { claimedLeaseMs: 900, sendingLeaseMs: 2_500 };
    office.telegram.faults.add({ match: 'sendMessage', fault: { kind: 'slow', ms: 3_500 } });
    await office.post('Долго');
    await office.startDispatcher(leases);
    await office.startDispatcher(leases);
    await until(async () => (await office.statuses()).sent === 1);
    expect(office.textsIn(chat)).toEqual(['Долго']);
    expect(await office.actions()).toEqual(['enqueue', 'send_attempt', 'sent']);
  });
});

async function claimAndDie({ sql, id }: PostOffice) {
  const [held] = await makeClaims(sql).claim(id, 'a worker that dies');
  if (!held) throw new Error('nothing to claim');
  return held;
}

async function beginAndDie(office: PostOffice, { isPrepared = true } = {}) {
  const held = await claimAndDie(office);
  const unprepared = isPrepared ? [] : [held.deliveryId];
  const [begun] = await makeClaims(office.sql).begin(office.id, [held], { unprepared });
  expect(begun?.outcome).toBe('sending');
  return held;
}
