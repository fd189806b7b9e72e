import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperationLost } from '../../src/errors.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { makeIsSigned, signedCallHandler } from '../../src/http/signed-call.ts';
import { createLog } from '../../src/log.ts';
import { signCall } from '../../src/services/schedules/sign-call.ts';

const CURRENT = 'sig_current-of-no-value';
const NEXT = 'sig_next-of-no-value';
const PUBLIC = 'https://bot.example';
const body = '{"action":"cleanup"}';

describe('an endpoint that only the scheduler may call', () => {
  const handled: unknown[] = [];
  let failure: Error | null = null;
  let server: ReturnType<typeof createHttpServer>;
  let address: string;
  beforeAll(async () => {
    const isSigned = makeIsSigned({ publicUrl: PUBLIC, currentKey: CURRENT, nextKey: NEXT });
    const handler = signedCallHandler(
      '/api/cleanup',
      isSigned,
      async (call) => {
        if (failure) throw failure;
        handled.push(call);
        return { status: 200, body: { status: 'ok' } };
      },
      createLog('silent'),
    );
    server = createHttpServer([handler], () => undefined);
    address = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/cleanup`;
  });
  afterAll(() => closeServer(server));

  const call = async (signature: string | null, sent = body) => {
    const headers = { 'upstash-message-id': 'msg_1', ...(signature && { 'upstash-signature': signature }) };
    const response = await fetch(address, { method: 'POST', headers, body: sent });
    return { status: response.status, handled: handled.splice(0) };
  };
  const signed = (over: Partial<Parameters<typeof signCall>[0]> = {}) =>
    signCall({ key: CURRENT, url: `${PUBLIC}/api/cleanup`, body, ...over });

  it('lets in what either key has signed', async () => {
    const letIn = { status: 200, handled: [{ body: { action: 'cleanup' }, messageId: 'msg_1', retried: 0 }] };
    expect(await call(signed())).toEqual(letIn);
    expect(await call(signed({ key: NEXT }))).toEqual(letIn);
  });

  it.each([
    ['without a signature', null, body],
    ['with one that is no token', 'nonsense', body],
    ['signed by a stranger', signed({ key: 'sig_stranger' }), body],
    ['signed for another address', signed({ url: 'https://elsewhere.example/api/cleanup' }), body],
    ['signed for another endpoint', signed({ url: `${PUBLIC}/api/publish` }), body],
    ['signed an hour ago', signed({ now: Date.now() - 3_600_000 }), body],
    ['with another body than was signed', signed(), '{"action":"publish"}'],
    ['signed, and no JSON', signed({ body: 'no json' }), 'no json'],
  ])('refuses a call %s', async (_, signature, sent) => {
    expect(await call(signature, sent)).toEqual({ status: 401, handled: [] });
  });

  it('refuses a body of ten megabytes before it looks at the signature', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024);
    expect(await call(signed({ body: large }), large)).toEqual({ status: 413, handled: [] });
  });

  it.each([
    [503, new OperationLost('schedule:1:2')],
    [500, new Error('a fault of ours')],
  ])('asks for another call with %i when the work could not be ended here', async (status, error) => {
    failure = error;
    expect(await call(signed())).toMatchObject({ status });
    failure = null;
  });

  it('is for POST only', async () => {
    expect((await fetch(address)).status).toBe(405);
  });
});
