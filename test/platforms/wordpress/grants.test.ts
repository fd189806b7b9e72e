import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGrants } from '../../../src/platforms/wordpress/grants.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { createSealing } from '../../../src/store/sealing.ts';

const ANNA = 1;
const BORIS = 2;
const RUN = 'run-1';
const PASSWORD = 'abcdEFGH1234ijklMNOP5678';
const MINUTE = 60_000;
const authorizationUrl = 'https://romashka.ru/wp-admin/authorize-application.php';
const romashka = { identifier: 'romashka.ru', authorizationUrl };

let now: number;
const sealing = createSealing([randomBytes(32).toString('base64url')]);
let grants: ReturnType<typeof createGrants>;
let told: { userId: number; run: string; nonce: string }[];
const open = (publicUrl: string | null) =>
  createGrants({
    store: createMemoryKeyValueStore(() => now),
    seal: (run, secret) => sealing.seal(`run:${run}`, secret),
    onGranted: async (granted) => void told.push(granted),
    publicUrl,
  });

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  told = [];
  grants = open('https://bot.example');
});

const offered = async () => (await grants.offer(romashka, { run: RUN, userId: ANNA }))!;
const answer = (state: string, more = {}) => ({
  state,
  siteUrl: 'https://www.romashka.ru',
  login: 'anna',
  password: PASSWORD,
  ...more,
});

describe('access that a site grants itself', () => {
  it('is asked for on the site, which sends the person back to us', async () => {
    const { link, nonce } = await offered();
    const { origin, pathname, searchParams } = new URL(link);
    expect(origin + pathname).toBe(authorizationUrl);
    expect(searchParams.get('app_name')).toBe('SEO Master');
    expect(searchParams.get('success_url')).toBe(
      `https://bot.example/api/auth/wordpress/callback?state=${nonce}`,
    );
  });

  it('comes to the dialogue that asked, sealed for it', async () => {
    const { nonce } = await offered();
    expect(await grants.receive(answer(nonce))).toBe('granted');
    expect(told).toEqual([{ userId: ANNA, run: RUN, nonce }]);
    const { login, sealed } = await grants.take({ userId: ANNA, nonce });
    expect(login).toBe('anna');
    expect(sealed).not.toContain(PASSWORD);
    expect(sealing.open(`run:${RUN}`, sealed)).toBe(PASSWORD);
    expect(await grants.take({ userId: ANNA, nonce }), 'again, after a crash').toEqual({ login, sealed });
  });

  it('is not taken for another person’s', async () => {
    const { nonce } = await offered();
    await grants.receive(answer(nonce));
    await expect(grants.take({ userId: BORIS, nonce })).rejects.toMatchObject({ code: 'GRANT_NOT_THERE' });
  });

  it('is not there before the site has sent it', async () => {
    const { nonce } = await offered();
    await expect(grants.take({ userId: ANNA, nonce })).rejects.toMatchObject({ code: 'GRANT_NOT_THERE' });
  });

  it('is taken once per question: a second answer changes nothing', async () => {
    const { nonce } = await offered();
    await grants.receive(answer(nonce));
    expect(await grants.receive(answer(nonce, { login: 'boris' }))).toBe('expired');
    expect(await grants.take({ userId: ANNA, nonce })).toMatchObject({ login: 'anna' });
  });

  it('may be granted after it was declined', async () => {
    const { nonce } = await offered();
    expect(await grants.receive(answer(nonce, { login: null, password: null }))).toBe('declined');
    expect(await grants.receive(answer(nonce))).toBe('granted');
  });

  it('is not believed from another site', async () => {
    const { nonce } = await offered();
    for (const siteUrl of ['https://evil.example', 'romashka.ru', '', null])
      expect(await grants.receive(answer(nonce, { siteUrl })), String(siteUrl)).toBe('declined');
  });

  it('is not believed for a question that was not asked, or half an hour ago', async () => {
    for (const state of ['', 'x', '\u0000', 'n'.repeat(24), 'n'.repeat(5_000)])
      expect(await grants.receive(answer(state))).toBe('expired');
    const { nonce } = await offered();
    now += 31 * MINUTE;
    expect(await grants.receive(answer(nonce))).toBe('expired');
  });

  it('is not offered where browsers cannot find us', async () => {
    grants = open(null);
    expect(await grants.offer(romashka, { run: RUN, userId: ANNA })).toBeNull();
  });

  it('is not offered on a page that is not the site’s', async () => {
    const pages = [
      null,
      'https://evil.example/wp-admin/',
      'javascript:alert(1)',
      'wp-admin',
      `${authorizationUrl}?${'x'.repeat(500)}`,
    ];
    for (const page of pages)
      expect(
        await grants.offer({ ...romashka, authorizationUrl: page }, { run: RUN, userId: ANNA }),
      ).toBeNull();
  });
});
