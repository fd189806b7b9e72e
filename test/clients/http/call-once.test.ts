import type { Server as HttpServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FormData } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerLost, callOnce } from '../../../src/clients/http/call-once.ts';
import { listen, readBody, sendJson } from '../../../src/http/server.ts';
import { type StandIn, startStandIn } from '../../../src/sandbox/stand-in.ts';
import { selfSigned } from './self-signed.ts';

let service: StandIn;
let handled: { method: string; type: string; body: string }[];

beforeEach(async () => {
  handled = [];
  service = await startStandIn({
    name: 'service',
    async handle(request, response) {
      const body = (await readBody(request, 1e6)).toString();
      handled.push({ method: request.method ?? '', type: request.headers['content-type'] ?? '', body });
      sendJson(response, 200, { ok: true });
      return true;
    },
  });
});
afterEach(() => service.close());

const post = (url: string, more: object = {}) =>
  callOnce('the call', url, { method: 'POST', body: 'x', timeoutMs: 5_000, ...more });
const lost = (call: Promise<unknown>): Promise<AnswerLost> =>
  call.then(
    () => Promise.reject(new Error('was answered')),
    (error: AnswerLost) => error,
  );

describe('a call that is made once', () => {
  it('returns whatever was answered, refusals too', async () => {
    expect(await post(service.url)).toEqual({ status: 200, retryAfterMs: null, text: '{"ok":true}' });
    service.faults.add({ match: 'POST', fault: { kind: 'status', status: 429, retryAfter: 3 } });
    expect(await post(service.url)).toMatchObject({ status: 429, retryAfterMs: 3_000 });
  });

  it('sends a form', async () => {
    const body = new FormData();
    body.set('photo', new Blob(['bytes']), 'фото.jpg');
    await post(service.url, { body });
    expect(handled[0]?.type).toMatch(/^multipart\/form-data; boundary=/u);
    expect(handled[0]?.body).toContain('bytes');
  });

  it.each(['reset', 'reset-after', 'truncated'] as const)(
    'may have arrived when the answer is lost by %s, and is not repeated',
    async (kind) => {
      service.faults.add({ match: 'POST', fault: { kind } });
      const error = await lost(post(service.url));
      expect(error).toBeInstanceOf(AnswerLost);
      expect(error.mayHaveArrived).toBe(true);
      expect(handled).toHaveLength(kind === 'reset' ? 0 : 1);
    },
  );

  it.each(['hang', 'hang-after'] as const)('may have arrived when time runs out after %s', async (kind) => {
    service.faults.add({ match: 'POST', fault: { kind } });
    expect(await lost(post(service.url, { timeoutMs: 100 }))).toMatchObject({ mayHaveArrived: true });
  });

  it('has certainly not arrived at a closed port or an unknown name', async () => {
    const { url } = service;
    await service.close();
    expect(await lost(post(url))).toMatchObject({ mayHaveArrived: false });
    expect(await lost(post('http://nobody.invalid'))).toMatchObject({ mayHaveArrived: false });
  });

  it('has certainly not arrived behind an invalid certificate', async () => {
    const secure = createSecureServer(selfSigned, (_, response) => response.end());
    const port = await listen(secure as unknown as HttpServer, 0, '127.0.0.1');
    expect(await lost(post(`https://127.0.0.1:${port}`))).toMatchObject({ mayHaveArrived: false });
    secure.close();
  });

  it('has certainly not arrived while the other side does not even shake hands', async () => {
    const mute = createServer((socket) => sockets.push(socket));
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const error = await lost(post(`https://127.0.0.1:${port}`, { timeoutMs: 100 }));
    expect(error.mayHaveArrived).toBe(false);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it('ends with the reason of a caller that aborts before it was sent', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(post(service.url, { signal })).rejects.toThrow('left');
    expect(handled).toEqual([]);
  });

  it('is lost, not undone, when its caller aborts after it was sent', async () => {
    service.faults.add({ match: 'POST', fault: { kind: 'hang-after' } });
    const leaving = new AbortController();
    const call = lost(post(service.url, { signal: leaving.signal }));
    await expect.poll(() => handled.length).toBe(1);
    leaving.abort();
    expect(await call).toMatchObject({ mayHaveArrived: true });
  });

  it('names no address in its error: it may hold a token', async () => {
    const error = await lost(post('http://nobody.invalid/bot123:secret/send'));
    expect(`${error.message}`).not.toContain('secret');
  });
});
