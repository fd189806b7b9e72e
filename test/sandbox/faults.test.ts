import { Api, GrammyError, HttpError } from 'grammy';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendJson } from '../../src/http/server.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { startStandIn } from '../../src/sandbox/stand-in.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';

const token = '123456:sandbox-token';
let telegram: TelegramStandIn;
let api: Api;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
  api = new Api(token, { apiRoot: telegram.url });
  telegram.people.start(1001);
});

afterEach(() => telegram.close());

const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );
const sent = () => telegram.people.messages(1001).filter(({ from }) => from?.is_bot).length;
const raw = () =>
  fetch(`${telegram.url}/bot${token}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: 1001, text: 'привет' }),
    signal: AbortSignal.timeout(20_000),
  });

describe('a fault', () => {
  it('of kind status refuses in the words of the service, with the time to wait', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 429, retryAfter: 3 } });
    const error = (await failure(api.sendMessage(1001, 'x'))) as GrammyError;
    expect(error).toMatchObject({
      error_code: 429,
      description: 'Too Many Requests: retry after 3',
      parameters: { retry_after: 3 },
    });
    expect(sent()).toBe(0);
    await api.sendMessage(1001, 'x');
  });

  it('of kind status may bring its own body', async () => {
    telegram.faults.add({
      match: 'sendMessage',
      fault: { kind: 'status', status: 502, body: { nginx: true } },
    });
    const response = await raw();
    expect([response.status, await response.json()]).toEqual([502, { nginx: true }]);
  });

  it('of kind reset breaks the connection before anything happened', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'reset' } });
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(HttpError);
    expect(sent()).toBe(0);
  });

  it('of kind reset-after loses the answer to what did happen', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'reset-after' } });
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(HttpError);
    expect(sent()).toBe(1);
  });

  it('of kind hang does nothing and says nothing until it is cleared', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'hang' } });
    const asked = failure(raw());
    expect(await Promise.race([asked, pause(100)])).toBe('waited');
    telegram.faults.clear();
    expect(await asked).toBeInstanceOf(TypeError);
    expect(sent()).toBe(0);
  });

  it('of kind hang-after does it and says nothing', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'hang-after' } });
    const asked = failure(raw());
    await vi.waitFor(() => expect(sent()).toBe(1), { timeout: 10_000 });
    expect(await Promise.race([asked, pause(100)])).toBe('waited');
    telegram.faults.clear();
    expect(await asked).toBeInstanceOf(TypeError);
  });

  it('of kind slow takes its time', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'slow', ms: 120 } });
    const from = Date.now();
    await api.sendMessage(1001, 'x');
    expect(Date.now() - from).toBeGreaterThan(110);
  });

  it('of kind malformed answers 200 and no JSON', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'malformed' } });
    const response = await raw();
    expect(response.status).toBe(200);
    expect(await failure(response.json())).toBeInstanceOf(SyntaxError);
    expect(sent()).toBe(1);
  });

  it('of kind truncated breaks off in the middle', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'truncated' } });
    const response = await raw();
    expect(response.status).toBe(200);
    expect(await failure(response.text())).toBeInstanceOf(TypeError);
    expect(sent()).toBe(1);
  });

  it('strikes as often as it was told, and only what it names', async () => {
    const fault = { kind: 'status', status: 500 } as const;
    telegram.faults.add({ match: '^POST .*/sendMessage$', times: 2, fault });
    await api.getMe();
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(GrammyError);
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(GrammyError);
    await api.sendMessage(1001, 'x');
    telegram.faults.add({ match: 'get', times: Number.POSITIVE_INFINITY, fault });
    await api.getMe(); // a bare word is a whole word
  });

  it('may have others behind it, which strike nothing before it has struck', async () => {
    const fault = { kind: 'status', status: 500 } as const;
    const follower = { match: 'getMe', times: 1, fault };
    telegram.faults.add({ match: 'sendMessage', times: 2, fault, next: [follower] });
    await api.getMe();
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(GrammyError);
    await api.getMe();
    expect(telegram.faults.list()).toEqual([{ match: 'sendMessage', times: 1, fault, next: [follower] }]);
    expect(await failure(api.sendMessage(1001, 'x'))).toBeInstanceOf(GrammyError);
    expect(telegram.faults.list()).toEqual([follower]);
    expect(await failure(api.getMe())).toBeInstanceOf(GrammyError);
    await api.getMe();
    const unknown = { match: 'x', fault: { kind: 'explode' } } as unknown as FaultRule;
    expect(() => telegram.faults.add({ ...follower, next: [unknown] })).toThrow('Expected a fault of kind');
    expect(telegram.faults.list()).toEqual([]);
  });

  it('can be ordered, listed and cleared over HTTP', async () => {
    const order = { match: 'getMe', times: null, fault: { kind: 'status', status: 503 } };
    const faults = (method: string, body?: unknown) =>
      fetch(`${telegram.url}/__faults`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(await (await faults('POST', order)).json()).toEqual({ faults: [order] });
    expect(await failure(api.getMe())).toMatchObject({ error_code: 503 });
    expect(await failure(api.getMe())).toMatchObject({ error_code: 503 });
    expect(await (await faults('DELETE')).json()).toEqual({ faults: [] });
    await api.getMe();
    expect((await faults('POST', { match: 'x', fault: { kind: 'explode' } })).status).toBe(400);
  });
});

describe('any stand-in', () => {
  it('is closed at once, and ends the requests that wait for it', async () => {
    const standIn = await startStandIn({
      name: 'silent',
      handle: async () => new Promise<boolean>(() => {}),
    });
    const asked = failure(fetch(standIn.url));
    await pause(50);
    await standIn.close();
    expect(await asked).toBeInstanceOf(TypeError);
  });

  it('refuses pages of other sites', async () => {
    const standIn = await startStandIn({
      name: 'open',
      handle: async (_, response) => {
        sendJson(response, 200, { ok: true });
        return true;
      },
    });
    expect((await fetch(standIn.url)).status).toBe(200);
    expect((await fetch(standIn.url, { headers: { origin: standIn.url } })).status).toBe(200);
    expect((await fetch(standIn.url, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    await standIn.close();
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(() => resolve('waited'), ms));
