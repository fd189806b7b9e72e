import { describe, expect, it, onTestFinished } from 'vitest';
import { ingestHandler } from '../../src/http/ingest.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { aPostOffice, until } from '../autopost/queue/a-post-office.ts';
import { databaseKinds, freshDatabase, opening } from '../support/stores.ts';

const SECRET = 'an-entrance-for-tests-only';
const TELEGRAM_CHANNELS = 24;
const MAX_CHATS = 16;

/** What the reference asks to be shown of autoposting: posts come in over HTTP, and are counted where they arrive. */
describe.each(databaseKinds)('one message, forty channels, on %s', (kind) => {
  const database = opening(() => freshDatabase(kind));

  it('a channel that was added receives the next post: nothing else has to change', async () => {
    const town = await forty();
    expect((await town.send({ text: 'До новичка' })).queued).toBe(40);
    await town.settled();
    const newcomer = await town.telegramChannel('newcomer');
    expect((await town.send({ text: 'После новичка' })).queued).toBe(41);
    expect(await town.settled()).toEqual({ sent: 81 });
    expect(town.textsIn(newcomer)).toEqual(['После новичка']);
    for (const texts of town.everything()) expect(texts).toEqual(['До новичка', 'После новичка']);
  });

  it('a provider that asks to wait is asked again later, and the audit tells why', async () => {
    const town = await forty();
    const chat = String(town.telegramIds[0]);
    const wait = { kind: 'status', status: 429, retryAfter: 3 } as const;
    town.telegram.faults.add({ match: 'sendMessage', chat, times: 1, fault: wait });
    await town.send({ text: 'Подождите немного' });
    await until(async () => (await town.lifeIn('telegram-0')).actions.includes('retry_scheduled'));
    const waiting = await town.lifeIn('telegram-0');
    expect(waiting).toMatchObject({ status: 'retry', attempt: 1, error: '429' });
    expect(waiting.retryInMs).toBeGreaterThan(0);

    expect(await town.settled()).toEqual({ sent: 40 });
    const done = await town.lifeIn('telegram-0');
    expect(done).toMatchObject({ status: 'sent', attempt: 2 });
    // The group's rest and the retry are written at the same instant: which of them is read first means nothing.
    const life = ['enqueue', 'send_attempt', 'retry_scheduled', 'send_attempt', 'sent'];
    expect(done.actions.filter((action) => action !== 'group_cooldown')).toEqual(life);
    expect(done.actions.slice(2, 4)).toContain('group_cooldown');
    for (const texts of town.everything()) expect(texts).toEqual(['Подождите немного']);
  });

  it('the same post goes to every channel once, and the second time to none', async () => {
    const town = await forty();
    await town.send({ text: 'Скидки  на окна', tags: ['Акции'] });
    await town.settled();
    const again = await town.send({ text: ' Скидки на окна ', tags: ['акции'], source_ref: 'another-run' });
    expect(again).toMatchObject({ queued: 0, suppressed: 40 });
    expect(await town.settled()).toEqual({ sent: 40, deduped: 40 });
    expect((await town.lifeIn('max-3')).actions).toContain('dedup_suppressed');
    for (const texts of town.everything()) expect(texts).toHaveLength(1);
  });

  it('one forbidden channel is paused at once and switched off at the third refusal; 39 do not notice', async () => {
    const town = await forty();
    const closed = town.telegramIds[5]!;
    town.telegram.channels.stand(closed, town.bot.id, { status: 'kicked' });
    for (const text of ['Первая', 'Вторая', 'Третья']) {
      await town.send({ text });
      await until(
        async () =>
          (await town.statuses()).failed_permanent === ['Первая', 'Вторая', 'Третья'].indexOf(text) + 1,
      );
      const { state } = await town.lifeIn('telegram-5');
      expect(state).toMatchObject({ isPaused: true, enabled: text !== 'Третья' });
      // An hour later.
      await town.sql`update channels set paused_until = null where workspace_id = ${town.id}`;
    }
    expect(await town.settled()).toEqual({ sent: 39 * 3, failed_permanent: 3 });
    const { actions } = await town.lifeIn('telegram-5');
    expect(actions).toEqual(expect.arrayContaining(['channel_paused', 'channel_disabled']));
    const [nobody, ...others] = town.everything().sort((a, b) => a.length - b.length);
    expect(nobody).toEqual([]);
    for (const texts of others) expect(texts).toEqual(['Первая', 'Вторая', 'Третья']);
    expect((await town.send({ text: 'Четвёртая' })).queued).toBe(39);
  });

  /** A town with forty channels, its entrance and one dispatcher. */
  async function forty() {
    const office = await aPostOffice(database());
    const telegramIds: number[] = [];
    const maxIds: number[] = [];
    for (let i = 0; i < TELEGRAM_CHANNELS; i += 1)
      telegramIds.push(await office.telegramChannel(`telegram-${i}`));
    for (let i = 0; i < MAX_CHATS; i += 1) maxIds.push(await office.maxChat(`max-${i}`, 5_000 + i));
    const endpoint = { endpointId: 'main', kind: 'webhook_push', secret: `${SECRET}-${office.id}` } as const;
    await office.stores.workspaces.saveEndpoint(office.id, endpoint);
    const { ingest, knowsSecret, dispatcher } = office.compose({ pollMs: 100 });
    await dispatcher.start();
    onTestFinished(() => dispatcher.stop(0));
    const server = createHttpServer(
      [ingestHandler(ingest, { knows: knowsSecret, log: createLog('silent') })],
      (error) => {
        throw error;
      },
    );
    const port = await listen(server, 0, '127.0.0.1');
    onTestFinished(() => closeServer(server));
    return { ...office, telegramIds, send, everything, lifeIn };

    async function send(body: object): Promise<Record<string, unknown>> {
      const response = await fetch(`http://127.0.0.1:${port}/api/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${endpoint.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(202);
      return (await response.json()) as Record<string, unknown>;
    }

    /** The texts in each channel that was there from the start. */
    function everything(): (string | null | undefined)[][] {
      return [
        ...telegramIds.map(office.textsIn),
        ...maxIds.map((id) => office.max.world.messages(id).map(({ body }) => body.text)),
      ];
    }

    /** The newest delivery to a channel: how it stands, and what was written down about it. */
    async function lifeIn(channelId: string) {
      const { sql, id } = office;
      const [delivery] = await sql<
        { id: string; status: string; attempt: number; error: string; retryInMs: number }[]
      >`
        select delivery_id as id, status, attempt, last_error ->> 'code' as error,
          extract(epoch from next_retry_at - updated_at)::float8 * 1000 as "retryInMs"
        from deliveries where workspace_id = ${id} and channel_id = ${channelId} order by seq desc limit 1`;
      const events = await sql<{ action: string }[]>`
        select action from events where workspace_id = ${id} and channel_id = ${channelId}
          and (delivery_id = ${delivery!.id} or delivery_id is null) order by ts, id`;
      const [state] = await sql<{ enabled: boolean; isPaused: boolean }[]>`
        select enabled, coalesce(paused_until > clock_timestamp(), false) as "isPaused"
        from channels where workspace_id = ${id} and channel_id = ${channelId}`;
      return { ...delivery!, actions: events.map(({ action }) => action), state };
    }
  }
});
