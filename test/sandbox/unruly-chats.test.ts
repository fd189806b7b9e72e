import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MaxStandIn, startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';

let telegram: TelegramStandIn;
let max: MaxStandIn;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token: '123456:own' });
  telegram.channels.add({ id: -1001, title: 'Тихий' });
  telegram.channels.add({ id: -1002, title: 'Буйный' });
  max = await startMaxStandIn();
  const bot = max.world.addBot({ token: 'token', name: 'Бот' });
  for (const id of [-71, -72]) max.world.addChat({ id, bots: { [bot.user_id]: {} } });
});

afterEach(() => Promise.all([telegram.close(), max.close()]));

const toTelegram = (chat_id: number) =>
  fetch(`${telegram.url}/bot123456:own/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id, text: 'Пост' }),
  });

const toMax = (chatId: number) =>
  fetch(`${max.url}/messages?chat_id=${chatId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'token' },
    body: JSON.stringify({ text: 'Пост' }),
  });

describe('a chat that was told to misbehave', () => {
  it('is alone in it, though Telegram names the chat in the body', async () => {
    telegram.faults.add({ match: '.', chat: '-1002', times: null, fault: { kind: 'status', status: 403 } });
    expect((await toTelegram(-1002)).status).toBe(403);
    expect((await toTelegram(-1001)).status).toBe(200);
    expect(telegram.channels.posts(-1002)).toEqual([]);
  });

  it('is alone in it, though MAX names the chat in the query', async () => {
    const fault = { kind: 'status', status: 429, retryAfter: 7 } as const;
    max.faults.add({ match: '.', chat: '-72', fault });
    const refused = await toMax(-72);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await toMax(-71)).status).toBe(200);
    expect((await toMax(-72)).status).toBe(200);
  });

  it('keeps the post whose answer it drops', async () => {
    telegram.faults.add({ match: '.', chat: '-1002', fault: { kind: 'reset-after' } });
    max.faults.add({ match: '.', chat: '-72', fault: { kind: 'reset-after' } });
    await expect(toTelegram(-1002)).rejects.toThrow();
    await expect(toMax(-72)).rejects.toThrow();
    expect(telegram.channels.posts(-1002)).toHaveLength(1);
    expect(max.world.messages(-72)).toHaveLength(1);
  });

  it('is told over HTTP like any other, and is forgiven alone', async () => {
    const rules = [
      { match: '.', chat: '-72', times: null, fault: { kind: 'status', status: 403 } },
      { match: 'GET /me', times: null, fault: { kind: 'status', status: 503 } },
    ];
    await fetch(`${max.url}/__faults`, { method: 'POST', body: JSON.stringify(rules) });
    expect((await toMax(-72)).status).toBe(403);
    max.faults.forgive('-72');
    expect((await toMax(-72)).status).toBe(200);
    expect((await fetch(`${max.url}/me`, { headers: { authorization: 'token' } })).status).toBe(503);
  });
});
