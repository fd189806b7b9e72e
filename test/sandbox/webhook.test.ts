import { createServer, type Server } from 'node:http';
import { Api } from 'grammy';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, readBody } from '../../src/http/server.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';

type Delivery = { chat: number; text: string; secret: string | undefined };

const token = '123456:sandbox-token';
let telegram: TelegramStandIn;
let api: Api;
let server: Server;
let url: string;
let deliveries: Delivery[];
/** How the bot answers a delivery: a status and a body, or never. */
let answer: (delivery: Delivery) => Promise<{ status: number; body?: unknown } | 'never'>;

beforeEach(async () => {
  await startTelegram({ webhookTimeoutMs: 20_000 });
  deliveries = [];
  answer = async () => ({ status: 200 });
  server = createServer(async (request, response) => {
    const { message } = JSON.parse((await readBody(request, 100_000)).toString());
    const secret = request.headers['x-telegram-bot-api-secret-token'] as string | undefined;
    const delivery = { chat: message.chat.id, text: message.text, secret };
    deliveries.push(delivery);
    const said = await answer(delivery);
    if (said === 'never') return;
    response.writeHead(said.status).end(said.body === undefined ? '' : JSON.stringify(said.body));
  });
  url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/webhook`;
});

async function startTelegram(options: { webhookTimeoutMs: number }): Promise<void> {
  telegram = await startTelegramStandIn({ token, redeliveryMs: 20, ...options });
  api = new Api(token, { apiRoot: telegram.url });
}

afterEach(async () => {
  await telegram.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const delivered = (texts: string[]) =>
  vi.waitFor(() => expect(deliveries.map(({ text }) => text)).toEqual(texts), { timeout: 10_000 });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a webhook', () => {
  it('gets what waited and what comes, with the secret', async () => {
    telegram.people.say(1001, 'раньше');
    await api.setWebhook(url, { secret_token: 'se-cret_1' });
    telegram.people.say(1001, 'позже');
    await delivered(['раньше', 'позже']);
    expect(deliveries.every(({ secret }) => secret === 'se-cret_1')).toBe(true);
    await vi.waitFor(() => expect(telegram.pendingUpdates()).toEqual([]), { timeout: 10_000 });
    expect(await api.getWebhookInfo()).toMatchObject({ url, pending_update_count: 0 });
  });

  it('gets an update again until it takes it, and the next of that chat only then', async () => {
    let failures = 2;
    answer = async ({ text }) => ({ status: text === 'a' && failures-- > 0 ? 500 : 200 });
    await api.setWebhook(url);
    telegram.people.say(1001, 'a');
    telegram.people.say(1001, 'b');
    await delivered(['a', 'a', 'a', 'b']);
    expect(await api.getWebhookInfo()).toMatchObject({ last_error_message: expect.stringMatching(/500/) });
  });

  it('gets an update again that it did not answer in time', async () => {
    await telegram.close();
    await startTelegram({ webhookTimeoutMs: 100 });
    let answered = false;
    answer = async () => (answered ? { status: 200 } : 'never');
    await api.setWebhook(url);
    telegram.people.say(1001, 'a');
    await vi.waitFor(() => expect(deliveries.length).toBeGreaterThan(1), { timeout: 5000 });
    answered = true;
    await vi.waitFor(() => expect(telegram.pendingUpdates()).toEqual([]), { timeout: 5000 });
    expect(await api.getWebhookInfo()).toMatchObject({ last_error_message: 'Read timeout expired' });
  });

  it('does not let one chat hold up another', async () => {
    answer = async ({ chat }) => ({ status: chat === 1001 ? 500 : 200 });
    await api.setWebhook(url);
    telegram.people.say(1001, 'a');
    telegram.people.say(1002, 'b');
    telegram.people.say(1002, 'c');
    await vi.waitFor(
      () =>
        expect(deliveries.filter(({ chat }) => chat === 1002).map(({ text }) => text)).toEqual(['b', 'c']),
      { timeout: 10_000 },
    );
    await vi.waitFor(() => expect(telegram.pendingUpdates()).toHaveLength(1), { timeout: 5000 });
  });

  it('gets no more at once than it allowed, and never two of one chat', async () => {
    let [inside, most] = [0, 0];
    const busyChats = new Set<number>();
    answer = async ({ chat }) => {
      expect(busyChats.has(chat)).toBe(false);
      busyChats.add(chat);
      inside += 1;
      most = Math.max(most, inside);
      await pause(15);
      inside -= 1;
      busyChats.delete(chat);
      return { status: 200 };
    };
    for (const id of [1001, 1002, 1003]) for (const text of ['1', '2', '3']) telegram.people.say(id, text);
    await api.setWebhook(url, { max_connections: 2 });
    await vi.waitFor(() => expect(telegram.pendingUpdates()).toEqual([]), { timeout: 10_000 });
    expect(most).toBe(2);
    for (const id of [1001, 1002, 1003]) {
      expect(deliveries.filter(({ chat }) => chat === id).map(({ text }) => text)).toEqual(['1', '2', '3']);
    }
  });

  it('may answer with a call', async () => {
    answer = async ({ chat }) => ({
      status: 200,
      body: { method: 'sendMessage', chat_id: chat, text: 'из ответа' },
    });
    await api.setWebhook(url);
    telegram.people.say(1001, 'a');
    await vi.waitFor(() => expect(telegram.people.messages(1001).at(-1)?.text).toBe('из ответа'), {
      timeout: 10_000,
    });
  });

  it('can be dropped together with what waits', async () => {
    telegram.people.say(1001, 'a');
    await api.deleteWebhook({ drop_pending_updates: true });
    expect(await api.getUpdates()).toEqual([]);
    await expect(api.setWebhook(url, { secret_token: 'не латиница' })).rejects.toThrow(/secret token/);
  });
});
