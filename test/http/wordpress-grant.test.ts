import type { Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { wordPressGrantHandler } from '../../src/http/wordpress-grant.ts';
import type { GrantAnswer, GrantOutcome } from '../../src/platforms/wordpress/grants.ts';

let server: Server;
afterEach(() => closeServer(server));

async function serve(outcome: GrantOutcome = 'granted', chatUrl: string | null = null) {
  const received: GrantAnswer[] = [];
  const handler = wordPressGrantHandler(
    async (answer) => {
      received.push(answer);
      return outcome;
    },
    () => chatUrl,
  );
  server = createHttpServer([handler], () => undefined);
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/auth/wordpress`;
  return { url, received };
}

const brought = '?state=n1&site_url=https%3A%2F%2Fromashka.ru&user_login=anna&password=abcd1234';

it('hands on what the site sent, and leads the browser away from the address with the password', async () => {
  const { url, received } = await serve();
  const response = await fetch(`${url}/callback${brought}`, { redirect: 'manual' });
  expect(received).toEqual([
    { state: 'n1', siteUrl: 'https://romashka.ru', login: 'anna', password: 'abcd1234' },
  ]);
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/api/auth/wordpress/granted');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

it.each([
  ['granted', 'подключение продолжается само'],
  ['declined', 'Ничего не сохранено'],
  ['expired', 'Ссылка уже не действует'],
] as const)('ends on a page that says what to do: %s', async (outcome, words) => {
  const { url } = await serve(outcome);
  const page = await (await fetch(`${url}/callback${brought}`)).text();
  expect(page).toContain(words);
  expect(page).not.toContain('abcd1234');
});

it('leads back into the chat, where the bot has an address', async () => {
  const { url } = await serve('granted', 'https://t.me/seo_master_bot');
  expect(await (await fetch(`${url}/granted`)).text()).toContain('href="https://t.me/seo_master_bot"');
});

it('takes a refusal for what it is', async () => {
  const { url, received } = await serve('declined');
  await fetch(`${url}/callback?state=n1`);
  expect(received).toEqual([{ state: 'n1', siteUrl: null, login: null, password: null }]);
});

it('has no other doors', async () => {
  const { url, received } = await serve();
  expect((await fetch(`${url}/constructor`)).status).toBe(404);
  expect((await fetch(`${url}x/callback`)).status).toBe(404);
  expect((await fetch(`${url}/callback${brought}`, { method: 'POST' })).status).toBe(405);
  expect(received).toEqual([]);
});
