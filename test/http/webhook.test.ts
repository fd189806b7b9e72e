import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { NotAdmitted, Stopping, StoreAway } from '../../src/engine/not-applied.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { webhookHandler } from '../../src/http/webhook.ts';

const SECRET = 'a-secret_of-the-test';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function webhook(
  handle: (update: { update_id: number }) => Promise<void> = async () => undefined,
  { reply = null, mostMs }: { reply?: { method: string } | null; mostMs?: number } = {},
) {
  const updates: unknown[] = [];
  const log: string[] = [];
  const handler = webhookHandler(
    SECRET,
    async (update) => {
      updates.push(update);
      await handle(update);
      return reply;
    },
    pino({}, { write: (line: string) => void log.push(line) }),
    mostMs,
  );
  const server = createHttpServer([handler], (error) => log.push(String(error)));
  const port = await listen(server, 0, '127.0.0.1');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { updates, log, port, post };

  function post(body: unknown, { secret = SECRET, ...init }: RequestInit & { secret?: string | null } = {}) {
    return fetch(`http://127.0.0.1:${port}/webhook`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: secret === null ? {} : { 'x-telegram-bot-api-secret-token': secret },
      ...init,
    });
  }
}

const failing = (error: Error) => webhook(() => Promise.reject(error));

describe('the webhook', () => {
  it('takes an update and answers when it is applied', async () => {
    let applied = false;
    const { post, updates } = await webhook(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      applied = true;
    });
    const response = await post({ update_id: 5, message: { text: 'Привет 👋' } });
    expect(response.status).toBe(200);
    expect(applied).toBe(true);
    expect(updates).toEqual([{ update_id: 5, message: { text: 'Привет 👋' } }]);
  });

  it('asks for the update again when it is not applied in the time Telegram gives, and answers once', async () => {
    let apply = () => {};
    const { post, log } = await webhook(
      () =>
        new Promise((resolve) => {
          apply = resolve;
        }),
      { mostMs: 30 },
    );
    const response = await post({ update_id: 5 });
    expect(response.status).toBe(503);
    apply();
    expect((await post({ update_id: 'x' })).status).toBe(400);
    expect(log).toEqual([]);
  });

  it('carries a call back to Telegram in its answer', async () => {
    const call = { method: 'answerCallbackQuery', callback_query_id: '7', text: 'Готово' };
    const { post } = await webhook(undefined, { reply: call });
    expect(await (await post({ update_id: 5 })).json()).toEqual(call);
  });

  it.each([
    ['without a secret', null],
    ['with an empty one', ''],
    ['with a wrong one', 'another'],
    ['with a part of it', SECRET.slice(0, -1)],
    ['with more than it', `${SECRET}x`],
    ['with it in capitals', SECRET.toUpperCase()],
  ])('lets nobody in %s', async (_, secret) => {
    const { post, updates } = await webhook();
    expect((await post({ update_id: 5 }, { secret })).status).toBe(401);
    expect(updates).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'HEAD'])('is not for %s', async (method) => {
    const { post } = await webhook();
    const response = await post('', { method, ...(method !== 'PUT' && { body: null }) });
    expect(response.status).toBe(405);
  });

  it('refuses a body of more than a megabyte, and says so', async () => {
    const { post, updates } = await webhook();
    const response = await post({ update_id: 5, padding: 'x'.repeat(1024 * 1024) });
    expect(response.status).toBe(413);
    expect(updates).toEqual([]);
    expect((await post({ update_id: 6 })).status, 'the next one is not held against anybody').toBe(200);
  });

  it('answers an invalid address with 400: a mistake of the client, not ours', async () => {
    const { port, log } = await webhook();
    const socket = connect(port, '127.0.0.1');
    closing.push(() => socket.destroy());
    socket.write('GET // HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 404 /);
    expect(log).toEqual([]);
  });

  it('refuses a body that never ends', async () => {
    const { port, updates } = await webhook();
    const status = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Telegram-Bot-Api-Secret-Token: ${SECRET}\r\n` +
          'Transfer-Encoding: chunked\r\n\r\n',
      );
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const feeding = setInterval(() => socket.write(chunk), 1);
      socket.once('data', (data) => resolve(data.toString().split('\r\n', 1)[0]!));
      socket.on('error', reject);
      socket.once('close', () => clearInterval(feeding));
      closing.push(() => socket.destroy());
    });
    expect(status).toBe('HTTP/1.1 413 Payload Too Large');
    expect(updates).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['half an update', '{"update_id":5'],
    ['null', 'null'],
    ['a number', '5'],
    ['a list', '[{"update_id":5}]'],
    ['an update without its id', '{"message":{}}'],
    ['an id that is text', '{"update_id":"5"}'],
    ['an id that is none', '{"update_id":1.5}'],
  ])('refuses %s', async (_, body) => {
    const { post, updates } = await webhook();
    expect((await post(body)).status).toBe(400);
    expect(updates).toEqual([]);
  });

  it('takes an update of a kind that Telegram invents tomorrow', async () => {
    const { post, updates } = await webhook();
    expect((await post({ update_id: 5, time_travel: {} })).status).toBe(200);
    expect(updates).toHaveLength(1);
  });

  it.each([new Stopping('no new work'), new NotAdmitted('locked'), new StoreAway('Redis is away')])(
    'asks for the update again when it could not be taken: $name',
    async (error) => {
      const { post, log } = await failing(error);
      expect((await post({ update_id: 5 })).status).toBe(503);
      expect(log).toEqual([]);
    },
  );

  it('asks for it again after an unexpected error, and tells only the log why', async () => {
    const { post, log } = await failing(new Error('the pool is empty'));
    const response = await post({ update_id: 5 });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('pool');
    expect(log.join()).toContain('the pool is empty');
  });

  it('is the only path: others are not found', async () => {
    const { port } = await webhook();
    for (const path of ['/', '/webhook/', '/webhook2', '/WEBHOOK', '//webhook', '/%', '/..%2f']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' });
      expect(response.status, path).toBe(404);
    }
  });
});
