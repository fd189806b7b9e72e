import { afterEach, describe, expect, it } from 'vitest';
import { healthHandler } from '../../src/http/health.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { type Check, makeCheckServices } from '../../src/services/monitor/check-services.ts';

const TOKEN = 'health-check-token';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const fine: Check = { name: 'database', ping: async () => 'pong' };
const broken: Check = {
  name: 'redis',
  ping: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')),
};

async function health(
  checks: Check[],
  {
    token = TOKEN as string | undefined,
    given,
    autopost = async () => ({ waiting: 7 }),
  }: { token?: string | undefined; given?: string; autopost?: () => Promise<unknown> } = {},
) {
  const handler = healthHandler({
    ...{ checkServices: makeCheckServices(checks), token, version: '2.0.0', busy: () => 3, autopost },
  });
  const server = createHttpServer([handler], (error) => {
    throw error;
  });
  const port = await listen(server, 0, '127.0.0.1');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const headers: Record<string, string> = given === undefined ? {} : { authorization: given };
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, { headers });
  return { status: response.status, body: await response.json() };
}

describe('the health check', () => {
  it.each([
    ['without a token', undefined],
    ['with a wrong one', 'Bearer another-token'],
    ['with a part of it', `Bearer ${TOKEN.slice(0, -1)}`],
    ['with an empty one', 'Bearer '],
    ['with another scheme', `Basic ${TOKEN}`],
    ['with no scheme', TOKEN],
  ])('tells nothing but the status %s', async (_, given) => {
    expect(await health([fine], given === undefined ? {} : { given })).toEqual({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await health([fine, broken], given === undefined ? {} : { given })).toEqual({
      status: 503,
      body: { status: 'down' },
    });
  });

  it('answers a caller with the token though the database says nothing at all', async () => {
    const silent = () => new Promise(() => undefined);
    const { status, body } = await health([{ name: 'database', ping: silent }], {
      given: `Bearer ${TOKEN}`,
      autopost: silent,
    });
    expect(status).toBe(503);
    expect(body).toMatchObject({ autopost: null, checks: { database: { status: 'down' } } });
  });

  it('tells the details to a caller with the token', async () => {
    const { status, body } = await health([fine], { given: `Bearer ${TOKEN}` });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      version: '2.0.0',
      uptime_seconds: expect.any(Number),
      busy: 3,
      autopost: { waiting: 7 },
      checks: { database: { status: 'ok', latency_ms: expect.any(Number) } },
    });
  });

  it('tells no details without a token in the settings', async () => {
    for (const given of ['Bearer undefined', 'Bearer ', 'Bearer null']) {
      expect((await health([fine], { token: undefined, given })).body).toEqual({ status: 'ok' });
    }
  });

  it('names what is down, and not where it stands', async () => {
    const { status, body } = await health([fine, broken], { given: `Bearer ${TOKEN}` });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'down',
      checks: { database: { status: 'ok' }, redis: { status: 'down' } },
    });
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it('is degraded, not down, without what the bot can do without (E29)', async () => {
    const models: Check = { ...broken, name: 'openrouter', optional: true };
    expect(await health([fine, models])).toEqual({ status: 200, body: { status: 'degraded' } });
    expect((await health([broken, models])).body).toEqual({ status: 'down' });
  });

  it('does not hang on a check that hangs', async () => {
    const hanging: Check = { name: 'redis', ping: () => new Promise(() => undefined) };
    expect((await health([fine, hanging])).status).toBe(503);
  });

  it('survives a check that throws before it promises', async () => {
    const throwing: Check = {
      name: 'redis',
      ping: () => {
        throw new Error('closed');
      },
    };
    expect(await health([throwing])).toEqual({ status: 503, body: { status: 'down' } });
  });
});
