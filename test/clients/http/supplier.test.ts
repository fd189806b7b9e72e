import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSupplier, SupplierFailed, type SupplierOptions } from '../../../src/clients/http/supplier.ts';
import { listen, sendJson } from '../../../src/http/server.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { type StandIn, startStandIn } from '../../../src/sandbox/stand-in.ts';

let standIn: StandIn;
let asked: string[];
const servers: Server[] = [];

beforeEach(async () => {
  asked = [];
  standIn = await startStandIn({
    name: 'echo',
    async handle(request, response, url) {
      asked.push(`${request.method} ${url.pathname}${url.search}`);
      sendJson(response, 200, { token: request.headers.authorization });
      return true;
    },
  });
});

afterEach(async () => {
  await standIn.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const supplier = (options: Partial<SupplierOptions> = {}) =>
  createSupplier({
    name: 'echo',
    baseUrl: standIn.url,
    headers: { authorization: 'Bearer key' },
    waitMs: () => 1,
    ...options,
  });

const strike = (fault: Fault, times = 1) => standIn.faults.add({ match: '.', times, fault });

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}

const failure = (call: Promise<unknown>): Promise<SupplierFailed> =>
  call.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error as SupplierFailed,
  );

describe('a supplier', () => {
  it('is asked with our key, and answers in JSON', async () => {
    expect(await supplier().json('/find', { query: { q: 'мебель' } })).toEqual({ token: 'Bearer key' });
    expect(asked).toEqual(['GET /find?q=%D0%BC%D0%B5%D0%B1%D0%B5%D0%BB%D1%8C']);
  });

  it.each([
    ['429', { kind: 'status', status: 429 }],
    ['500', { kind: 'status', status: 500 }],
    ['502', { kind: 'status', status: 502 }],
    ['503', { kind: 'status', status: 503 }],
    ['504', { kind: 'status', status: 504 }],
    ['a broken connection', { kind: 'reset' }],
    ['an answer that breaks off', { kind: 'truncated' }],
  ] satisfies [string, Fault][])('is asked again after %s', async (_, fault) => {
    strike(fault, 2);
    expect(await supplier().json('/find')).toEqual({ token: 'Bearer key' });
  });

  it('is asked three times and no more', async () => {
    strike({ kind: 'status', status: 503 }, 3);
    expect(await failure(supplier().json('/find'))).toMatchObject({ status: 503 });
    expect(standIn.faults.list()).toEqual([]);
    expect(asked).toEqual([]);
  });

  it.each([400, 401, 403, 404, 422])('is not asked again after %i', async (status) => {
    strike({ kind: 'status', status });
    const error = await failure(supplier().json('/find'));
    expect(error).toBeInstanceOf(SupplierFailed);
    expect(error).toMatchObject({ status });
    expect(asked).toEqual([]);
  });

  it('is never asked twice to create something', async () => {
    strike({ kind: 'reset-after' });
    expect(await failure(supplier().once('/create', { json: { a: 1 } }))).toMatchObject({ status: null });
    expect(asked).toEqual(['POST /create']);
  });

  it('is given the time it asks for, instead of the usual wait', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 0 });
    const waitMs = () => expect.fail('the supplier has said how long');
    expect(await supplier({ waitMs }).json('/find')).toEqual({ token: 'Bearer key' });
  });

  it('is not waited for longer than the most we wait', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 3_600 });
    expect(await supplier({ mostWaitMs: 5 }).json('/find')).toEqual({ token: 'Bearer key' });
  });

  it('tells the caller how long it wants to be left alone', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 17 });
    expect(await failure(supplier({ retries: 0 }).json('/find'))).toMatchObject({ retryAfter: 17 });
  });

  it('that does not answer in time has failed', async () => {
    strike({ kind: 'hang' });
    const error = await failure(supplier({ timeoutMs: 60, retries: 0 }).json('/find'));
    expect(error).toBeInstanceOf(SupplierFailed);
    expect(error).toMatchObject({ status: null });
  });

  it('that begins to answer and never ends has failed as well', async () => {
    const baseUrl = await serve((_, response) => void response.write('{'));
    const error = await failure(supplier({ baseUrl, timeoutMs: 60, retries: 0 }).json('/find'));
    expect(error).toMatchObject({ status: null });
  });

  it('that sends no JSON has failed, and is not asked for more of it', async () => {
    strike({ kind: 'malformed' });
    expect(await failure(supplier().json('/find'))).toMatchObject({ code: 'EXTERNAL_SERVICE', status: 200 });
    expect(asked).toHaveLength(1);
  });

  it('that sends too much is cut off, and is not asked for more of it', async () => {
    let requests = 0;
    const baseUrl = await serve((_, response) => {
      requests += 1;
      response.end(Buffer.alloc(5_000));
    });
    const error = await failure(supplier({ baseUrl, mostBytes: 1_000 }).read('/find'));
    expect(error.message).toBe('echo: sent more than 1000 bytes');
    expect(requests).toBe(1);
  });

  it('that redirects has refused: its log-in page is no answer', async () => {
    let requests = 0;
    const baseUrl = await serve((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/login' }).end();
    });
    expect(await failure(supplier({ baseUrl }).read('/find'))).toMatchObject({ status: 302 });
    expect(requests).toBe(1);
  });
});

describe('a caller who leaves', () => {
  const reason = new Error('the person has left');

  it('is not waited with for an answer', async () => {
    const caller = new AbortController();
    strike({ kind: 'hang' });
    const asking = failure(supplier().json('/find', { signal: caller.signal }));
    await expect.poll(() => standIn.faults.list()).toEqual([]);
    caller.abort(reason);
    expect(await asking).toBe(reason);
  });

  it('ends the wait for the next try', async () => {
    const caller = new AbortController();
    strike({ kind: 'status', status: 503 });
    const waitMs = () => {
      setImmediate(() => caller.abort(reason));
      return 60_000;
    };
    expect(await failure(supplier({ waitMs }).json('/find', { signal: caller.signal }))).toBe(reason);
    expect(asked).toEqual([]);
  });

  it('has nothing asked in their name afterwards', async () => {
    expect(await failure(supplier().json('/find', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(asked).toEqual([]);
  });
});
