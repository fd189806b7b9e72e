import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressList, callerAddress } from '../../src/http/caller-address.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { yookassaSenders, yookassaWebhookHandler } from '../../src/http/yookassa-webhook.ts';
import { createLog } from '../../src/log.ts';

const log = createLog('silent', false);
const aNotice = {
  type: 'notification',
  event: 'payment.succeeded',
  object: { id: 'p-1', status: 'succeeded' },
};

describe('a notice of a card payment', () => {
  const heard: unknown[] = [];
  let fails = false;
  const server = createHttpServer(
    [
      yookassaWebhookHandler(
        async (notice) => {
          if (fails) throw new Error('the database is away');
          return `heard ${heard.push(notice)}`;
        },
        { senders: yookassaSenders, trustedHops: 1, log },
      ),
    ],
    () => undefined,
  );
  let url = '';
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/yookassa/webhook`;
  });
  beforeEach(() => {
    heard.length = 0;
    fails = false;
  });
  afterAll(() => closeServer(server));

  it('from the provider is passed on, and only by its id', async () => {
    expect(await posted(aNotice, '185.71.76.5')).toBe(200);
    expect(await posted(aNotice, '2a02:5180::7')).toBe(200);
    expect(heard).toEqual([
      { event: 'payment.succeeded', id: 'p-1' },
      { event: 'payment.succeeded', id: 'p-1' },
    ]);
  });

  it('from anywhere else is refused, also when it claims to come from the provider', async () => {
    expect(await posted(aNotice, '8.8.8.8')).toBe(403);
    expect(await posted(aNotice, '185.71.76.5, 8.8.8.8'), 'written by the sender').toBe(403);
    expect(await posted(aNotice, null), 'past the proxy, from this machine').toBe(403);
    expect(heard).toEqual([]);
  });

  it('that is no JSON is refused, and one without an object is ignored', async () => {
    expect(await posted('{', '185.71.76.5')).toBe(400);
    expect(await posted({ event: 'payment.succeeded' }, '185.71.76.5')).toBe(200);
    expect(heard).toEqual([]);
  });

  it('that could not be taken is asked for again', async () => {
    fails = true;
    expect(await posted(aNotice, '185.71.76.5')).toBe(500);
  });

  async function posted(body: unknown, forwardedFor: string | null): Promise<number> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return response.status;
  }
});

describe('the address of a caller', () => {
  const request = (remoteAddress: string, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as never;

  it.each([
    ['without a proxy, whatever is claimed', 0, '1.1.1.1', '9.9.9.9', '1.1.1.1'],
    ['behind one proxy', 1, '10.0.0.1', '9.9.9.9, 2.2.2.2', '2.2.2.2'],
    ['behind two proxies', 2, '10.0.0.1', '9.9.9.9, 2.2.2.2, 10.0.0.2', '2.2.2.2'],
    ['past one of two proxies', 2, '10.0.0.1', '2.2.2.2', null],
    ['over IPv6 as IPv4', 1, '10.0.0.1', '::ffff:2.2.2.2', '2.2.2.2'],
  ])('%s', (_, hops, remote, forwarded, expected) => {
    expect(callerAddress(request(remote, forwarded), hops)).toBe(expected);
  });

  it('that is none is in no list', () => {
    expect(addressList(['::/0'])('no address')).toBe(false);
  });
});
