import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSentry } from '../../src/clients/sentry.ts';
import { BadConfig, loadConfig } from '../../src/config.ts';
import { readDsn } from '../../src/sentry-dsn.ts';
import { readErrorLine } from '../../src/services/monitor/error-lines.ts';

const entry = readErrorLine(
  JSON.stringify({
    ...{ level: 50, time: '2026-11-18T09:00:00.000Z', msg: 'an update failed', user: 7, correlation: 'c-1' },
    err: { message: 'no such table 42', code: '42P01', stack: 'Error: no such table\n    at read (a.ts:1)' },
  }),
)!;

type Received = { path: string; headers: IncomingHttpHeaders; lines: Record<string, unknown>[] };

/** Answers with the statuses in turn, then with 200. */
async function aSentry(answers: { status: number; headers?: Record<string, string> }[] = []) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const lines = (await text(request)).split('\n').map((line) => JSON.parse(line));
    received.push({ path: request.url!, headers: request.headers, lines });
    const { status, headers } = answers.shift() ?? { status: 200 };
    response.writeHead(status, headers).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const dsn = `http://public-key@127.0.0.1:${(server.address() as AddressInfo).port}/7`;
  const clock = { now: Date.now() };
  const sentry = createSentry({ ...readDsn(dsn)!, release: '2.0.0', server: 'srv-1', now: () => clock.now });
  return { received, sentry, clock };
}

describe('errors on their way to Sentry', () => {
  it('arrive as envelopes that name the fault, the person and the release', async () => {
    const { received, sentry } = await aSentry();
    sentry.report(entry);
    await sentry.idle();
    const [{ path, headers, lines }] = received as [Received];
    expect(path).toBe('/api/7/envelope/');
    expect(headers['x-sentry-auth']).toContain('sentry_key=public-key');
    expect(headers['content-type']).toBe('application/x-sentry-envelope');
    expect(lines[1]).toEqual({ type: 'event' });
    expect(lines[2]).toMatchObject({
      event_id: lines[0]!.event_id,
      level: 'error',
      release: 'seo-master@2.0.0',
      exception: { values: [{ type: '42P01', value: 'an update failed: no such table 42' }] },
      fingerprint: ['42P01', 'an update failed: no such table #'],
      user: { id: '7' },
      extra: { correlation: 'c-1', stack: expect.stringContaining('at read') },
    });
  });

  it('wait when Sentry asks for it, and a Sentry that is away holds nothing up', async () => {
    const { received, sentry, clock } = await aSentry([{ status: 429, headers: { 'retry-after': '30' } }]);
    for (let i = 0; i < 3; i += 1) sentry.report(entry);
    await sentry.idle();
    sentry.report(entry);
    await sentry.idle();
    expect(received).toHaveLength(1);
    clock.now += 31_000;
    sentry.report(entry);
    await sentry.idle();
    expect(received).toHaveLength(2);

    const away = createSentry({ ...readDsn('http://k@127.0.0.1:9/1')!, release: '2', server: 's' });
    away.report(entry);
    await expect(away.idle()).resolves.toBeUndefined();
  });

  it('need an address of the usual form: another one stops the start', () => {
    expect(readDsn('https://abc@o1.ingest.sentry.io/42')).toEqual({
      ...{ url: 'https://o1.ingest.sentry.io/api/42/envelope/', key: 'abc' },
    });
    expect(readDsn('https://abc@errors.example/below/42')?.url).toBe(
      'https://errors.example/below/api/42/envelope/',
    );
    for (const dsn of [
      'nonsense',
      'https://o1.ingest.sentry.io/42',
      'https://abc@o1.ingest.sentry.io/',
      'ftp://a@b/1',
    ])
      expect(() => loadConfig({ SENTRY_DSN: dsn }), dsn).toThrow(BadConfig);
    expect(loadConfig({}).sentry).toBeNull();
  });
});
