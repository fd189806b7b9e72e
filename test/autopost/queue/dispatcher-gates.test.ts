import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { freshDatabase, opening } from '../../support/stores.ts';
import { aPostOffice, until } from './a-post-office.ts';

/** A timer of the process may be late for one message and in time for the next. */
const TOLERANCE = 1.05;
const NEVER_OPEN = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

describe.skipIf(!inject('postgresUrl'))('dispatchers and the gates of channels (needs PostgreSQL)', () => {
  const database = opening(() => freshDatabase('PostgreSQL'));

  it('keep the rate of a channel and of its whole group, as measured where the messages arrive', async () => {
    const office = await aPostOffice(database());
    const chats = [
      await office.telegramChannel('t1', { rateRps: 5 }),
      await office.telegramChannel('t2', { rateRps: 5 }),
      await office.telegramChannel('t3', { rateRps: 5 }),
    ];
    await office.stores.workspaces.saveLimit(office.id, 'telegram', 'bot', 10);
    for (let i = 0; i < 6; i++) await office.post(`Новость ${i}`);
    await office.startDispatcher();
    await office.startDispatcher();
    await office.settled();
    const arrivals = chats.map((chat) => office.telegram.channels.arrivals(chat));
    for (const one of arrivals) expect(perSecond(one)).toBeLessThanOrEqual(5 * TOLERANCE);
    expect(perSecond(arrivals.flat().toSorted((a, b) => a.at - b.at))).toBeLessThanOrEqual(10 * TOLERANCE);
  });

  it('send as many at once into a channel as it allows, also when there are two of them', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1', { maxParallel: 2 });
    office.telegram.faults.add({ match: 'sendMessage', times: null, fault: { kind: 'slow', ms: 60 } });
    for (let i = 0; i < 8; i++) await office.post(`Новость ${i}`);
    await office.startDispatcher();
    await office.startDispatcher();
    let most = 0;
    for (let sent = 0; sent < 8; ) {
      const now = await office.statuses();
      most = Math.max(most, now.sending ?? 0);
      sent = now.sent ?? 0;
    }
    expect(most).toBe(2);
    expect(office.textsIn(chat)).toHaveLength(8);
  });

  it('share the work: nothing is sent twice, nothing is left', async () => {
    const office = await aPostOffice(database());
    const chats: number[] = [];
    for (let i = 0; i < 10; i++) chats.push(await office.telegramChannel(`t${i}`));
    const texts = Array.from({ length: 8 }, (_, i) => `Новость ${i}`);
    await Promise.all([office.startDispatcher(), office.startDispatcher(), office.startDispatcher()]);
    for (const text of texts) await office.post(text);
    expect(await office.settled()).toEqual({ sent: 80 });
    for (const chat of chats) expect(office.textsIn(chat)).toEqual(texts);
  });

  it('leave a channel alone whose window is closed', async () => {
    const office = await aPostOffice(database());
    const open = await office.telegramChannel('t1');
    const closed = await office.telegramChannel('t2', { postingWindow: NEVER_OPEN });
    await office.startDispatcher();
    await office.post('Доброе утро');
    await until(() => office.textsIn(open).length === 1);
    await sleep(300);
    expect(office.textsIn(closed)).toEqual([]);
    expect(await office.statuses()).toEqual({ sent: 1, queued: 1 });
  });

  it('cool a whole group down when the provider asks one of it to wait', async () => {
    const office = await aPostOffice(database());
    const chats: number[] = [];
    for (let i = 0; i < 20; i++) chats.push(await office.telegramChannel(`t${i}`));
    office.telegram.faults.add({
      match: 'sendMessage',
      times: null,
      fault: { kind: 'status', status: 429, retryAfter: 1 },
    });
    await office.post('Всем сразу');
    await office.startDispatcher({ concurrency: 4 });
    await until(async () => ((await office.statuses()).retry ?? 0) >= 1);
    await sleep(500);
    // Those that were under way at that moment, and none after them.
    const attempts = (await office.actions()).filter((action) => action === 'send_attempt');
    expect(attempts.length).toBeLessThanOrEqual(4);
    office.telegram.faults.clear();
    expect(await office.settled()).toEqual({ sent: 20 });
    for (const chat of chats) expect(office.textsIn(chat)).toEqual(['Всем сразу']);
  });

  it('cool a group down too when the provider does not say for how long', async () => {
    const office = await aPostOffice(database());
    for (let i = 0; i < 8; i++) await office.maxChat(`m${i}`, 700 + i);
    const tooOften = { kind: 'status', status: 429 } as const;
    office.max.faults.add({ match: 'POST /messages', times: null, fault: tooOften });
    await office.post('Всем сразу');
    await office.startDispatcher({ concurrency: 2 });
    await until(async () => ((await office.statuses()).retry ?? 0) >= 1);
    await sleep(500);
    const attempts = (await office.actions()).filter((action) => action === 'send_attempt');
    expect(attempts.length).toBeLessThanOrEqual(2);
    office.max.faults.clear();
    expect(await office.settled()).toEqual({ sent: 8 });
  });

  it('put a forbidden channel into quarantine and the third time switch it off, while the others are healthy', async () => {
    const office = await aPostOffice(database());
    const healthy = await office.telegramChannel('t1');
    const forbidden = await office.telegramChannel('t2');
    office.telegram.channels.stand(forbidden, office.bot.id, { status: 'kicked' });
    await office.startDispatcher();
    for (const text of ['Первая', 'Вторая', 'Третья']) {
      await office.post(text);
      await until(async () => {
        const [channel] = await office.sql<{ isPaused: boolean }[]>`
          select paused_until > now() as "isPaused" from channels
          where workspace_id = ${office.id} and channel_id = 't2'`;
        return channel?.isPaused;
      });
      await office.sql`update channels set paused_until = null where workspace_id = ${office.id}`;
    }
    const [channel] = await office.sql`
      select enabled, error_streak from channels where workspace_id = ${office.id} and channel_id = 't2'`;
    expect(channel).toEqual({ enabled: false, error_streak: 3 });
    expect(await office.settled()).toEqual({ sent: 3, failed_permanent: 3 });
    expect(office.textsIn(healthy)).toEqual(['Первая', 'Вторая', 'Третья']);
    expect(await office.actions()).toContain('channel_disabled');
  });

  it('hold a channel back whose credential is gone, and use a rotated one within seconds', async () => {
    const office = await aPostOffice(database());
    await office.telegramChannel('t1', { authRef: 'nobody' });
    const chat = await office.telegramChannel('t2', { authRef: 'stale' });
    await office.stores.workspaces.saveCredential(
      office.id,
      'stale',
      'telegram',
      '999:token-that-was-revoked-long',
    );
    await office.startDispatcher();
    await office.post('Проверка');
    expect(await office.settled()).toEqual({ failed_permanent: 2 });
    const errors = await office.sql<{ code: string }[]>`
      select last_error ->> 'code' as code from deliveries where workspace_id = ${office.id} order by channel_id`;
    expect(errors.map(({ code }) => code)).toEqual(['auth_missing', '401']);
    await office.stores.operators.rotateAuth(
      office.id,
      't2',
      { authRef: 'bot' },
      { operator: 'me', reason: 'test' },
    );
    await office.post('Снова с нами', { channels: ['t2'] });
    await until(() => office.textsIn(chat).length === 1);
  });
});

function perSecond(arrivals: readonly { at: number }[]): number {
  const spanMs = arrivals.at(-1)!.at - arrivals[0]!.at;
  return ((arrivals.length - 1) * 1000) / spanMs;
}
