import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pinterestConsentHandler } from '../../../src/http/pinterest-consent.ts';
import { createHttpServer, listen } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log.ts';
import { createPinterest } from '../../../src/platforms/pinterest/client.ts';
import { type Consents, createConsents } from '../../../src/platforms/pinterest/consents.ts';
import { type PinterestStandIn, startPinterestStandIn } from '../../../src/sandbox/pinterest/start.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { testSealing } from '../../support/article-works.ts';

const signal = new AbortController().signal;
const MINUTES = 60_000;
const anna = { run: 'run-1', userId: 1001 };
let service: PinterestStandIn;
let site: { url: string; close(): Promise<void> };
let consents: Consents;
let now = Date.now();
let refusals: { userId: number; run: string; reason: string }[] = [];
const store = createMemoryKeyValueStore(() => now);

beforeAll(async () => {
  service = await startPinterestStandIn();
  service.world.addAccount({ username: 'anna', accountType: 'PINNER' });
  service.world.addBoard({ name: 'Мебель', owner: 'anna' });
  const returnUrl = (payload: string | null) =>
    payload === null ? null : `tg://resolve?domain=seo_bot&start=${payload}`;
  const server = createHttpServer(
    [(...args) => pinterestConsentHandler(consents, returnUrl)(...args)],
    (error) => {
      throw error;
    },
  );
  const port = await listen(server, 0, '127.0.0.1');
  site = {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  consents = makeConsents(['key-one']);
});
beforeEach(() => {
  refusals = [];
  service.faults.clear();
});
afterAll(async () => {
  await Promise.all([service.close(), site.close()]);
});

const makeConsents = (keys: readonly string[]) =>
  createConsents({
    ...{ store, keys, publicUrl: site.url, log: createLog('silent', false) },
    seal: (run, tokens) => testSealing.seal(`run:${run}`, tokens),
    open: (run, sealed) => testSealing.open(`run:${run}`, sealed) as never,
    pinterest: createPinterest({ baseUrl: `${service.url}/v5`, siteUrl: service.url, ...service.app }),
    async onRefused({ userId, run, reason }) {
      refusals.push({ userId, run, reason });
    },
  });

/** As a browser goes: our link, Pinterest's page, the button pressed there. Where it is sent back to. */
async function goesToPinterest(link: string, press: 'approve' | 'reject' = 'approve'): Promise<string> {
  const away = await fetch(link, { redirect: 'manual' });
  const form = new URLSearchParams(new URL(away.headers.get('location')!).searchParams);
  form.set('username', 'anna');
  form.set(press, '1');
  const back = await fetch(`${service.url}/oauth/`, { method: 'POST', body: form, redirect: 'manual' });
  return back.headers.get('location')!;
}

const asks = (address: string) => fetch(address, { redirect: 'manual' });

describe('the sign-in at Pinterest', () => {
  it('leads to Pinterest and back into the chat, and keeps the tokens sealed', async () => {
    const { link, nonce } = await consents.offer(anna);
    expect(link).toBe(`${site.url}/api/auth/pinterest?user_id=1001&nonce=${nonce}`);
    const answer = await asks(await goesToPinterest(link));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`tg://resolve?domain=seo_bot&start=pinterest_auth_${nonce}`);
    expect(await store.get(`pinterest_auth:${nonce}`)).not.toContain('pina_');
    const { boards, sealed } = await consents.take({ ...anna, nonce }, signal);
    expect(boards).toMatchObject([{ name: 'Мебель' }]);
    expect(testSealing.open('run:run-1', sealed)).toMatchObject({ accessToken: expect.any(String) });
    expect(() => testSealing.open('run:other', sealed)).toThrow();
  });

  it('E30: refuses a state that was forged, changed to another person, or used before', async () => {
    const { link, nonce } = await consents.offer(anna);
    const back = new URL(await goesToPinterest(link));
    const state = back.searchParams.get('state')!;
    const forged = [
      state.replace('1001_', '1002_'),
      `1001_${nonce}_${'0'.repeat(64)}`,
      `1001_${'a'.repeat(32)}_${state.split('_')[2]}`,
      'nonsense',
      '',
    ];
    for (const wrong of forged) {
      back.searchParams.set('state', wrong);
      expect((await asks(back.href)).status, wrong).toBe(403);
    }
    expect(await store.get(`pinterest_auth:${nonce}`), 'nothing stored').toBeNull();
    back.searchParams.set('state', state);
    expect((await asks(back.href)).status).toBe(302);
    const replayed = await asks(back.href);
    expect(replayed.status).toBe(403);
    expect(await replayed.text()).toContain('Ссылка не действует');
  });

  it('E30: opens the way for the person who asked alone', async () => {
    const { nonce } = await consents.offer(anna);
    const stranger = await asks(`${site.url}/api/auth/pinterest?user_id=1002&nonce=${nonce}`);
    expect(stranger.status).toBe(403);
    expect((await asks(`${site.url}/api/auth/pinterest?user_id=1001&nonce=x`)).status).toBe(403);
    const { link, nonce: own } = await consents.offer(anna);
    await asks(await goesToPinterest(link));
    await expect(consents.take({ run: 'run-1', userId: 1002, nonce: own }, signal)).rejects.toMatchObject({
      code: 'CONSENT_OVER',
    });
  });

  it('E21: tells the dialogue that the person did not let us in', async () => {
    const { link } = await consents.offer(anna);
    const answer = await asks(await goesToPinterest(link, 'reject'));
    expect(await answer.text()).toContain('Доступ не дан');
    expect(refusals).toEqual([
      { userId: 1001, run: 'run-1', reason: 'Вы не дали доступ в Pinterest, поэтому ничего не подключено.' },
    ]);
  });

  it('E20: is over after half an hour, before Pinterest and after it', async () => {
    const late = await consents.offer(anna);
    const back = await goesToPinterest(late.link);
    now += 31 * MINUTES;
    expect((await asks(back)).status).toBe(403);
    expect((await asks(late.link)).status).toBe(403);
    const { link, nonce } = await consents.offer(anna);
    await asks(await goesToPinterest(link));
    now += 31 * MINUTES;
    await expect(consents.take({ ...anna, nonce }, signal)).rejects.toMatchObject({
      userMessage: expect.stringContaining('занял больше 30 минут'),
    });
  });

  it('lets the person try again when Pinterest gave no token', async () => {
    const { link, nonce } = await consents.offer(anna);
    service.faults.add({ match: 'token', fault: { kind: 'status', status: 500 } });
    const failed = await asks(await goesToPinterest(link));
    expect(failed.status).toBe(502);
    expect(await failed.text()).toContain('Pinterest не ответил');
    expect((await asks(await goesToPinterest(link))).status).toBe(302);
    await expect(consents.take({ ...anna, nonce }, signal)).resolves.toMatchObject({ boards: [{}] });
  });

  it('still believes what was signed with the key before the newest', async () => {
    const { link } = await consents.offer(anna);
    const back = new URL(await goesToPinterest(link));
    const [state, code] = [back.searchParams.get('state')!, back.searchParams.get('code')];
    const rotated = makeConsents(['key-two', 'key-one']);
    expect(await rotated.receive({ state, code, error: null })).toMatchObject({ outcome: 'granted' });
  });

  it('takes no other method, and leaves other paths alone', async () => {
    expect((await fetch(`${site.url}/api/auth/pinterest`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${site.url}/api/auth/pinterest/else`)).status).toBe(404);
  });
});
