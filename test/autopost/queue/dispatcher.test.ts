import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { databaseKinds, freshDatabase, opening } from '../../support/stores.ts';
import { aPostOffice, until } from './a-post-office.ts';

describe.each(databaseKinds)('a dispatcher on %s', (kind) => {
  const database = opening(() => freshDatabase(kind));

  it('sends a post to every channel of both messengers, once', async () => {
    const office = await aPostOffice(database());
    const first = await office.telegramChannel('t1');
    const second = await office.telegramChannel('t2');
    const chat = await office.maxChat('m1', 901);
    await office.startDispatcher();
    await office.post('Скидка на окна');
    expect(await office.settled()).toEqual({ sent: 3 });
    expect([office.textsIn(first), office.textsIn(second)]).toEqual([['Скидка на окна'], ['Скидка на окна']]);
    expect(office.max.world.messages(chat).map(({ body }) => body.text)).toEqual(['Скидка на окна']);
    const ids = await office.sql<{ id: string }[]>`
      select provider_message_id as id from deliveries where workspace_id = ${office.id} order by channel_id`;
    expect(ids.map(({ id }) => id)).toEqual([
      office.max.world.messages(chat)[0]!.body.mid,
      String(office.telegram.channels.posts(first)[0]!.message_id),
      String(office.telegram.channels.posts(second)[0]!.message_id),
    ]);
  });

  it('keeps the order of a channel', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const posts = Array.from({ length: 20 }, (_, i) => `Новость ${i}`);
    for (const text of posts) await office.post(text);
    await office.startDispatcher();
    await office.settled();
    expect(office.textsIn(chat)).toEqual(posts);
  });

  it('wakes when something is enqueued, long before it would look by itself', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const dispatcher = await office.startDispatcher({ pollMs: 600_000 });
    await sleep(300); // its first look is over
    await office.post('Срочно');
    if (kind === 'PGlite') dispatcher.ring();
    await office.settled();
    expect(office.textsIn(chat)).toEqual(['Срочно']);
  });

  it('gives back what it claimed and did not begin when it stops, and finishes what it is sending', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    office.telegram.faults.add({ match: 'sendMessage', fault: { kind: 'slow', ms: 300 } });
    for (const text of ['Первый', 'Второй', 'Третий']) await office.post(text);
    const dispatcher = await office.startDispatcher();
    await until(async () => (await office.statuses()).sending === 1);
    await dispatcher.stop();
    expect(await office.statuses()).toEqual({ sent: 1, queued: 2 });
    expect(office.textsIn(chat)).toEqual(['Первый']);
  });

  it('tries five times and then gives up', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const description = 'Bad Request: wrong file identifier/HTTP URL specified: wrong file id';
    const body = { ok: false, error_code: 400, description };
    office.telegram.faults.add({
      match: 'sendMessage',
      times: null,
      fault: { kind: 'status', status: 400, body },
    });
    await office.post('Никак');
    await office.startDispatcher();
    const hurry = setInterval(
      () => void office.sql`update deliveries set next_retry_at = now() where status = 'retry'`.execute(),
      50,
    );
    expect(await office.settled()).toEqual({ dead: 1 });
    clearInterval(hurry);
    const actions = await office.actions();
    expect(actions.filter((action) => action === 'send_attempt')).toHaveLength(5);
    expect(actions.at(-1)).toBe('dead_letter');
    expect(office.textsIn(chat)).toEqual([]);
  });

  it('never repeats a message whose answer was lost', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    office.telegram.faults.add({ match: 'sendMessage', fault: { kind: 'reset-after' } });
    await office.post('Дошло, но никто не узнал');
    await office.post('Следующее');
    await office.startDispatcher();
    expect(await office.settled()).toEqual({ unknown: 1, sent: 1 });
    expect(office.textsIn(chat)).toEqual(['Дошло, но никто не узнал', 'Следующее']);
    expect(await office.actions()).toContain('result_unknown');
  });

  it('works through a backlog that was there before it started, whatever the clock of the process says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2001-01-01') });
    try {
      const office = await aPostOffice(database());
      // On PGlite the clock of the process is that of the database: a century is longer than any post may wait.
      const chat = await office.telegramChannel('t1', { rateRps: 20, expireHours: null });
      for (const text of ['Раз', 'Два', 'Три']) await office.post(text);
      await office.startDispatcher();
      await until(async () => (await office.statuses()).sent === 1);
      vi.setSystemTime(new Date('2101-01-01'));
      expect(await office.settled()).toEqual({ sent: 3 });
      expect(office.textsIn(chat)).toEqual(['Раз', 'Два', 'Три']);
    } finally {
      vi.useRealTimers();
    }
  });
});
