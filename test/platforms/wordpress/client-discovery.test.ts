import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { listen } from '../../../src/http/server.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import { startWordPressStandIn, type WordPressStandIn } from '../../../src/sandbox/wordpress/start.ts';
import { selfSigned } from '../../clients/http/self-signed.ts';

let standIn: WordPressStandIn;
const servers: Server[] = [];

beforeEach(async () => {
  standIn = await startWordPressStandIn({ sites: { '': { settings: { title: 'Окна Арбата' } }, blog: {} } });
});
afterEach(async () => {
  await standIn.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const wordpress = createWordPress({ fetch: createGuardedFetch({ allowPrivate: true }), allowHttp: true });
/** As outside of the sandbox, where an address says nothing about the way to it. */
const remote = createWordPress({ fetch: createGuardedFetch({ allowPrivate: true }) });
const credentials = { login: 'admin', appPassword: 'sand boxa dmin pass word 0001' };

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}

async function faultOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WordPressFailed);
  return (error as WordPressFailed).fault;
}

describe('a site is found', () => {
  it('by its address, with its name and where it gives out passwords', async () => {
    expect(await wordpress.discover(standIn.url)).toEqual({
      restRoot: `${standIn.url}/wp-json/`,
      name: 'Окна Арбата',
      seoPlugin: null,
      authorizationUrl: `${standIn.url}/wp-admin/authorize-application.php`,
    });
  });

  it.each(['', 'http://'])(
    'over HTTP where HTTPS does not answer: "%s" was typed before it',
    async (scheme) => {
      const typed = `${scheme}${standIn.url.replace('http://', '')}`;
      expect((await remote.discover(typed)).restRoot).toBe(`${standIn.url}/wp-json/`);
    },
  );

  it.each(['/wp-admin/', '/wp-admin/profile.php', '/wp-login.php', '/wp-json/wp/v2', '/'])(
    'by the address a person works at: %s',
    async (path) => {
      expect((await wordpress.discover(`${standIn.url}${path}`)).restRoot).toBe(`${standIn.url}/wp-json/`);
    },
  );

  it('in a folder', async () => {
    const { restRoot } = await wordpress.discover(`${standIn.url}/blog`);
    expect(restRoot).toBe(`${standIn.url}/blog/wp-json/`);
  });

  it('without readable addresses, and everything else works there too', async () => {
    standIn.site().change({ permalinks: 'plain' });
    const { restRoot } = await wordpress.discover(standIn.url);
    expect(restRoot).toBe(`${standIn.url}/?rest_route=/`);
    expect((await wordpress.me({ restRoot, ...credentials })).name).toBe('Анна Петрова');
  });

  it.each([
    ['yoast', 'yoast'],
    ['yoast-old', 'yoast'],
    ['rankmath', 'rankmath'],
    ['none', null],
  ] as const)('with its SEO plugin: %s', async (seo, plugin) => {
    standIn.site().change({ seo });
    expect((await wordpress.discover(standIn.url)).seoPlugin).toBe(plugin);
  });

  it('where its redirects end', async () => {
    const www = await serve((request, response) =>
      response.writeHead(301, { location: `${standIn.url}${request.url}` }).end(),
    );
    expect((await wordpress.discover(www)).restRoot).toBe(`${standIn.url}/wp-json/`);
  });

  it('where every old address leads to the new front page', async () => {
    const old = await serve((_, response) => response.writeHead(301, { location: standIn.url }).end());
    expect((await wordpress.discover(old)).restRoot).toBe(`${standIn.url}/wp-json/`);
  });

  it('through the link of its front page, when the API lives elsewhere', async () => {
    const front = await serve((request, response) => {
      if (request.url !== '/') return response.writeHead(404).end('<h1>404</h1>');
      const link = `<${standIn.url}/blog/wp-json/>; rel="https://api.w.org/"`;
      return response.writeHead(200, { link, 'content-type': 'text/html' }).end('<html></html>');
    });
    expect((await wordpress.discover(front)).restRoot).toBe(`${standIn.url}/blog/wp-json/`);
  });

  it('behind a plugin that opens the API to those who log in', async () => {
    standIn.site().change({ rest: 'members' });
    expect(await faultOf(wordpress.discover(standIn.url))).toBe('rest-off');
    expect((await wordpress.discover(standIn.url, { credentials })).name).toBe('Окна Арбата');
  });

  it('with its name as people read it', async () => {
    standIn.site().change({ title: 'Окна &amp; двери' });
    expect((await wordpress.discover(standIn.url)).name).toBe('Окна & двери');
  });

  it('as one that gives out no passwords', async () => {
    standIn.site().change({ applicationPasswords: false });
    expect((await wordpress.discover(standIn.url)).authorizationUrl).toBeNull();
  });
});

describe('a site is not found', () => {
  it('when its API is switched off', async () => {
    standIn.site().change({ rest: 'off' });
    expect(await faultOf(wordpress.discover(standIn.url))).toBe('rest-off');
  });

  it('when a page comes in place of the API', async () => {
    standIn.site().change({ rest: 'html' });
    expect(await faultOf(wordpress.discover(standIn.url))).toBe('html');
  });

  it('when it is no WordPress', async () => {
    const other = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Тильда</h1>'),
    );
    expect(await faultOf(wordpress.discover(other))).toBe('not-wordpress');
  });

  it('when there is no server', async () => {
    const gone = await serve(() => undefined);
    servers.pop()!.close();
    expect(await faultOf(wordpress.discover(gone))).toBe('unreachable');
  });

  it('when its certificate is its own', async () => {
    const server = createSecureServer(selfSigned, (_, response) => void response.end());
    servers.push(server);
    const port = await listen(server, 0, '127.0.0.1');
    expect(await faultOf(wordpress.discover(`127.0.0.1:${port}`))).toBe('certificate');
  });

  it('when it leads from HTTP to HTTPS with an invalid certificate', async () => {
    const server = createSecureServer(selfSigned, (_, response) => void response.end());
    servers.push(server);
    const port = await listen(server, 0, '127.0.0.1');
    const old = await serve((request, response) =>
      response.writeHead(301, { location: `https://127.0.0.1:${port}${request.url}` }).end(),
    );
    expect(await faultOf(wordpress.discover(old))).toBe('certificate');
  });

  it('over HTTP where HTTPS is there: it is asked for that, whatever was typed', async () => {
    const server = createSecureServer(selfSigned, (_, response) => void response.end());
    servers.push(server);
    const port = await listen(server, 0, '127.0.0.1');
    expect(await faultOf(remote.discover(`http://127.0.0.1:${port}`))).toBe('certificate');
  });

  it.each([
    [403, 'html'],
    [503, 'broken'],
  ])('when it refuses every visitor: %i', async (status, fault) => {
    const closed = await serve((_, response) => response.writeHead(status).end('<h1>Стоп</h1>'));
    expect(await faultOf(wordpress.discover(closed))).toBe(fault);
  });

  it.each(['', '   ', 'http://', 'просто слова с пробелами'])(
    'when it is no address: "%s"',
    async (address) => {
      expect(await faultOf(wordpress.discover(address))).toBe('address-refused');
    },
  );

  it('when it is somebody’s own machine', async () => {
    const guarded = createWordPress({ fetch: createGuardedFetch() });
    expect(await faultOf(guarded.discover('http://127.0.0.1'))).toBe('address-refused');
  });

  it('over HTTPS only where HTTPS was asked for: a password is never downgraded', async () => {
    expect(await faultOf(remote.discover(standIn.url.replace('http:', 'https:')))).toBe('unreachable');
  });

  it('when it is too slow', async () => {
    standIn.faults.add({ match: 'wp-json', fault: { kind: 'hang' } });
    const hasty = createWordPress({
      fetch: createGuardedFetch({ allowPrivate: true }),
      allowHttp: true,
      limits: { lookMs: 100 },
    });
    expect(await faultOf(hasty.discover(standIn.url))).toBe('timeout');
  });
});
