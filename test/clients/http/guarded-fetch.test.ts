import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressRefused, AnswerTooLarge, SiteUnreachable } from '../../../src/clients/http/fetch-errors.ts';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { isPublicAddress } from '../../../src/clients/http/public-address.ts';
import { listen, readBody } from '../../../src/http/server.ts';
import { selfSigned } from './self-signed.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  return `http://${host}:${await listen(server, 0, host)}`;
}

const open = createGuardedFetch({ allowPrivate: true });
/** A world in which 127.0.0.1 is the public internet and 127.0.0.2 somebody's intranet. */
const world = { allows: (address: string) => address === '127.0.0.1' };

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a02:6b8::2:242'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('the client for addresses that people type', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://169.254.169.254/latest/meta-data/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:secret@example.com/',
    'nonsense',
  ])('does not ask %s', async (url) => {
    await expect(createGuardedFetch()(url)).rejects.toThrow(AddressRefused);
  });

  it('reads a page and follows a redirect within the open world', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end();
      else response.end(`страница ${request.headers.host?.split(':')[0]}`);
    });
    const page = await createGuardedFetch(world)(`${url}/old`);
    expect(page).toMatchObject({ url: `${url}/new`, status: 200 });
    expect(page.body.toString()).toBe('страница 127.0.0.1');
  });

  it('asks a stand-in that was named to it, and nothing else on this machine', async () => {
    const standIn = await serve((_, response) => response.end('страница'));
    const other = await serve((_, response) => response.end('secret'));
    const fetchPage = createGuardedFetch({ openOrigins: [standIn] });
    expect((await fetchPage(`${standIn}/page`)).body.toString()).toBe('страница');
    await expect(fetchPage(other)).rejects.toThrow(AddressRefused);
  });

  it('does not follow a redirect into a closed network', async () => {
    let asked = 0;
    const inside = await serve((_, response) => {
      asked += 1;
      response.end('secret');
    }, '127.0.0.2');
    const url = await serve((_, response) => response.writeHead(302, { location: inside }).end());
    await expect(createGuardedFetch(world)(url)).rejects.toThrow(AddressRefused);
    expect(asked).toBe(0);
  });

  it('connects to the address it has checked, whatever the name says the next time', async () => {
    const url = await serve((request, response) => response.end(request.headers.host));
    const answers = ['127.0.0.1', '127.0.0.2'];
    const fetchPage = createGuardedFetch({ ...world, resolve: async () => [answers.shift()!] });
    const { port } = new URL(url);
    const page = await fetchPage(`http://rebinding.example:${port}/`);
    expect(page.body.toString()).toBe(`rebinding.example:${port}`);
    await expect(fetchPage(`http://rebinding.example:${port}/`)).rejects.toThrow(AddressRefused);
  });

  it('refuses a name with one closed address among its open ones', async () => {
    const fetchPage = createGuardedFetch({ ...world, resolve: async () => ['127.0.0.1', '127.0.0.2'] });
    await expect(fetchPage('http://half.example/')).rejects.toThrow(AddressRefused);
  });

  it('gives up a chain of redirects without an end', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    await expect(open(url)).rejects.toThrow(SiteUnreachable);
  });

  it.each([
    ['declared', { 'content-length': '50000000' }],
    ['endless', {}],
  ])('cuts an answer that is too large, %s', async (_, headers) => {
    const url = await serve((_, response) => {
      response.writeHead(200, headers);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pump);
      pump();
    });
    await expect(createGuardedFetch({ allowPrivate: true, mostBytes: 1_000_000 })(url)).rejects.toThrow(
      AnswerTooLarge,
    );
  });

  it('counts what is unpacked: a small archive may hold a large page', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(bomb.length).toBeLessThan(100_000);
    await expect(createGuardedFetch({ allowPrivate: true, mostBytes: 1_000_000 })(url)).rejects.toThrow(
      AnswerTooLarge,
    );
  });

  it('unpacks a page that came compressed without being asked to', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('привет')),
    );
    expect((await open(url)).body.toString()).toBe('привет');
  });

  it.each([
    ['never answers', () => undefined],
    [
      'begins and never ends',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.write('a'),
    ],
    ['drops the connection', (request: Parameters<RequestListener>[0]) => void request.socket.destroy()],
  ])('calls a site that %s unreachable', async (_, handle) => {
    const url = await serve(handle as RequestListener);
    await expect(createGuardedFetch({ allowPrivate: true, mostMs: 300 })(url)).rejects.toThrow(
      SiteUnreachable,
    );
  });

  it('calls an unknown name unreachable', async () => {
    const fetchPage = createGuardedFetch({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(fetchPage('http://nobody.example/')).rejects.toThrow(SiteUnreachable);
  });
});

/** Tells what it was sent; redirects what it is told to. */
async function echo(redirects: Record<string, [status: number, location: string]> = {}, host?: string) {
  const seen: { method?: string; url?: string; body: string; authorization?: string; accept?: string }[] = [];
  const url = await serve(async (request, response) => {
    const { authorization, accept } = request.headers;
    const body = (await readBody(request, 1_000_000)).toString();
    const { method, url: path } = request;
    seen.push({
      method: method!,
      url: path!,
      body,
      ...(authorization && { authorization }),
      accept: accept!,
    });
    const redirect = redirects[path ?? ''];
    if (redirect) response.writeHead(redirect[0], { location: redirect[1] });
    response.end('ok');
  }, host);
  return { url, seen };
}

const post = {
  method: 'POST',
  headers: { authorization: 'Basic c2VjcmV0', accept: 'application/json' },
  body: Buffer.from([1, 2, 3]),
} as const;

describe('a request with a body and credentials', () => {
  it('arrives as it was given', async () => {
    const { url, seen } = await echo();
    await open(`${url}/posts`, post);
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/posts',
        body: '\u0001\u0002\u0003',
        authorization: 'Basic c2VjcmV0',
        accept: 'application/json',
      },
    ]);
  });

  it('is held to the same guards as a page', async () => {
    const inside = await echo({}, '127.0.0.2');
    await expect(createGuardedFetch(world)(inside.url, post)).rejects.toThrow(AddressRefused);
    expect(inside.seen).toEqual([]);
  });

  it.each([307, 308])('goes on where its own origin asks for it again, %i', async (status) => {
    const { url, seen } = await echo({ '/old': [status, '/new'] });
    await open(`${url}/old`, post);
    expect(seen.map(({ method, url: path, body }) => [method, path, body.length])).toEqual([
      ['POST', '/old', 3],
      ['POST', '/new', 3],
    ]);
  });

  it.each([301, 302, 303])('is not made again where a redirect asks for a page, %i', async (status) => {
    const { url, seen } = await echo({ '/old': [status, '/new'] });
    expect((await open(`${url}/old`, post)).status).toBe(status);
    expect(seen).toHaveLength(1);
  });

  it('never goes on to another origin', async () => {
    const other = await echo();
    const { url } = await echo({ '/': [307, other.url] });
    expect((await open(url, post)).status).toBe(307);
    expect(other.seen).toEqual([]);
  });

  it('gives credentials of a read to no other origin, and to its own again', async () => {
    const other = await echo();
    const first = await echo({ '/away': [301, `${other.url}/there`], '/near': [301, '/here'] });
    const { headers } = post;
    await open(`${first.url}/near`, { headers });
    await open(`${first.url}/away`, { headers });
    expect(first.seen.every(({ authorization }) => authorization === headers.authorization)).toBe(true);
    expect(other.seen).toMatchObject([{ url: '/there' }]);
    expect(other.seen[0]).not.toHaveProperty('authorization');
  });
});

describe('what is known when no answer came', () => {
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    );

  it('a closed port got nothing', async () => {
    const { url } = await echo();
    servers.pop()!.close();
    const call = failure(open(url, { ...post, timeoutMs: 5_000 }));
    expect(await call).toMatchObject({ reason: 'no-answer', mayHaveArrived: false });
  });

  it('a server that dropped the connection may have obeyed', async () => {
    const url = await serve((request) => void request.socket.resetAndDestroy());
    expect(await failure(open(url, post))).toMatchObject({ reason: 'no-answer', mayHaveArrived: true });
  });

  it('a server that fell silent may have obeyed, and each call has its own patience', async () => {
    const url = await serve(() => undefined);
    const call = failure(open(url, { ...post, timeoutMs: 100 }));
    expect(await call).toMatchObject({ reason: 'timeout', mayHaveArrived: true });
  });

  it('a name that is never resolved got nothing, and is not waited for', async () => {
    const stuck = createGuardedFetch({ resolve: () => new Promise(() => {}) });
    const call = failure(stuck('http://stuck.example/', { ...post, timeoutMs: 50 }));
    expect(await call).toMatchObject({ reason: 'timeout', mayHaveArrived: false });
  });

  it('an answer that broke off may have been a yes', async () => {
    const url = await serve((_, response) => {
      response.writeHead(201, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    expect(await failure(open(url, post))).toMatchObject({ mayHaveArrived: true });
  });

  it('an invalid certificate ends it before anything is sent', async () => {
    let asked = 0;
    const server = createSecureServer(selfSigned, () => {
      asked += 1;
    });
    servers.push(server);
    const url = `https://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    expect(await failure(open(url, post))).toMatchObject({ reason: 'certificate', mayHaveArrived: false });
    expect(asked).toBe(0);
  });

  it('a caller that aborts gets its own reason back', async () => {
    const url = await serve(() => undefined);
    const leaving = new AbortController();
    const call = failure(open(url, { ...post, signal: leaving.signal }));
    const reason = new Error('enough');
    leaving.abort(reason);
    expect(await call).toBe(reason);
  });
});
