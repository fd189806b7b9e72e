import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressRefused, AnswerTooLarge, SiteUnreachable } from '../../src/clients/fetch-errors.ts';
import { createGuardedFetch } from '../../src/clients/guarded-fetch.ts';
import { isPublicAddress } from '../../src/clients/public-address.ts';
import { listen } from '../../src/http/server.ts';

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

  it('unpacks a page that came packed though nobody asked', async () => {
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

  it('calls a name that nobody has unreachable', async () => {
    const fetchPage = createGuardedFetch({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(fetchPage('http://nobody.example/')).rejects.toThrow(SiteUnreachable);
  });
});
