import { Api, type GrammyError } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';

const token = '123456:sandbox-token';
let telegram: TelegramStandIn;
let api: Api;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
  api = new Api(token, { apiRoot: telegram.url });
});

afterEach(() => telegram.close());

const ids = (updates: { update_id: number }[]) => updates.map(({ update_id }) => update_id);

describe('long polling', () => {
  it('waits for something to happen', async () => {
    const asked = api.getUpdates({ timeout: 10 });
    await untilPolled();
    const { update_id } = telegram.people.say(1001, 'привет');
    expect(ids(await asked)).toEqual([update_id]);
  });

  it('gives up after its time', async () => {
    const from = Date.now();
    expect(await api.getUpdates({ timeout: 1 })).toEqual([]);
    expect(Date.now() - from).toBeGreaterThan(900);
  });

  it('repeats an update until a later one is asked for', async () => {
    const [a, b] = [telegram.people.say(1001, 'a'), telegram.people.say(1001, 'b')];
    expect(ids(await api.getUpdates())).toEqual([a.update_id, b.update_id]);
    expect(ids(await api.getUpdates({ limit: 1 }))).toEqual([a.update_id]);
    expect(ids(await api.getUpdates({ offset: b.update_id }))).toEqual([b.update_id]);
    expect(ids(telegram.pendingUpdates())).toEqual([b.update_id]);
    expect(await api.getUpdates({ offset: b.update_id + 1 })).toEqual([]);
    expect(telegram.pendingUpdates()).toEqual([]);
  });

  it('counts a negative offset from the end and forgets the rest', async () => {
    telegram.people.say(1001, 'a');
    const last = telegram.people.say(1001, 'b');
    expect(ids(await api.getUpdates({ offset: -1 }))).toEqual([last.update_id]);
    expect(telegram.pendingUpdates()).toHaveLength(1);
  });

  it('ends in a conflict for the first of two bots', async () => {
    const first = api.getUpdates({ timeout: 10 }).catch((error: unknown) => error);
    await untilPolled();
    const second = api.getUpdates({ timeout: 10 });
    expect(await first).toMatchObject({
      error_code: 409,
      description: expect.stringMatching(/^Conflict: terminated by other getUpdates/),
    });
    telegram.people.say(1001, 'a');
    expect(await second).toHaveLength(1);
  });

  it('is refused while a webhook is set, and ended by setting one', async () => {
    const asked = api.getUpdates({ timeout: 10 }).catch((error: unknown) => error);
    await untilPolled();
    await api.setWebhook('http://127.0.0.1:9/webhook');
    expect(await asked).toMatchObject({
      error_code: 409,
      description: 'Conflict: terminated by setWebhook request',
    });
    const refused = await api.getUpdates().catch((error: unknown) => error);
    expect((refused as GrammyError).description).toMatch(
      /^Conflict: can't use getUpdates method while webhook is active/,
    );
    await api.deleteWebhook();
    expect(await api.getUpdates()).toEqual([]);
  });

  it('is no conflict when the bot before has gone away', async () => {
    const gone = new AbortController();
    const asked = api.getUpdates({ timeout: 10 }, gone.signal as never).catch(() => 'gone');
    await untilPolled();
    gone.abort();
    expect(await asked).toBe('gone');
    telegram.people.say(1001, 'a');
    expect(await api.getUpdates({ timeout: 10 })).toHaveLength(1);
  });

  it('brings only the kinds that were asked for', async () => {
    await api.getUpdates({ allowed_updates: ['callback_query'] });
    telegram.people.say(1001, 'a');
    expect(await api.getUpdates()).toEqual([]);
  });

  async function untilPolled(): Promise<void> {
    for (let i = 0; i < 200 && telegram.calls().at(-1)?.method !== 'getUpdates'; i += 1) await pause(5);
    await pause(20);
  }
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
