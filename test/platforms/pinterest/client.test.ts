import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerLost } from '../../../src/clients/http/call-once.ts';
import { createPinterest, type Pinterest } from '../../../src/platforms/pinterest/client.ts';
import { pinterestReport } from '../../../src/platforms/pinterest/failures.ts';
import { drawPicture } from '../../../src/sandbox/openrouter/author/draw-picture.ts';
import { type PinterestStandIn, startPinterestStandIn } from '../../../src/sandbox/pinterest/start.ts';
import { toJpeg } from '../../../src/services/pictures/process-picture.ts';
import { startRecorder } from '../../support/recorder.ts';

const redirectUri = 'https://bot.example/api/auth/pinterest/callback';
const owner = 'masterskaya';
let now = Date.parse('2026-11-18T10:00:00Z');
let service: PinterestStandIn;
let pinterest: Pinterest;
let boardId: string;
let jpeg: Uint8Array;

const clientOf = ({ url, app }: PinterestStandIn, more = {}) =>
  createPinterest({ baseUrl: `${url}/v5`, siteUrl: url, ...app, waitMs: () => 1, now: () => now, ...more });

beforeEach(async () => {
  now = Date.parse('2026-11-18T10:00:00Z');
  service = await startPinterestStandIn({ now: () => now });
  service.world.addAccount({ username: owner, accountType: 'BUSINESS' });
  boardId = service.world.addBoard({ name: 'Мебель', owner }).id;
  pinterest = clientOf(service);
  jpeg ??= await toJpeg(await drawPicture({ prompt: 'x', aspectRatio: '2:3', size: '1K' }));
});
afterEach(() => service.close());

const tokens = () => pinterest.exchange(service.world.issueCode(owner, redirectUri), redirectUri);

describe('the client of Pinterest', () => {
  it('asks for everything as Pinterest takes it, field by field', async () => {
    const recorder = await startRecorder(({ path }) => answers[path as keyof typeof answers]);
    const answers = {
      '/v5/oauth/token': {
        access_token: 'A',
        token_type: 'bearer',
        expires_in: 2592000,
        refresh_token: 'R2',
      },
      '/v5/user_account': { id: '1', username: owner, account_type: 'PINNER' },
      '/v5/boards': { items: [{ id: '12', name: 'Мебель', privacy: 'PUBLIC' }], bookmark: null },
      '/v5/pins': { id: '99' },
    };
    const recorded = createPinterest({
      ...{ baseUrl: `${recorder.url}/v5`, siteUrl: 'https://www.pinterest.com' },
      ...{ appId: 'app', appSecret: 'secret', now: () => now },
    });
    const link = new URL(recorded.authorizationLink({ redirectUri, state: '1_n_h' }));
    expect(`${link.origin}${link.pathname}`).toBe('https://www.pinterest.com/oauth/');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      ...{ client_id: 'app', redirect_uri: redirectUri, response_type: 'code', state: '1_n_h' },
      scope: 'boards:read,boards:write,pins:read,pins:write,user_accounts:read',
    });
    expect(await recorded.exchange('C', redirectUri)).toEqual({
      ...{ accessToken: 'A', refreshToken: 'R2', expiresAt: now + 2_592_000_000 },
    });
    await recorded.refresh('R1');
    await recorded.account('A');
    await recorded.boards('A');
    const pin = { boardId: '12', title: 'Шкаф', description: 'Текст', jpeg: Buffer.from('jpeg') };
    const made = await recorded.createPin('A', {
      ...pin,
      link: 'https://site.example/',
      altText: 'Белый шкаф',
    });
    await recorder.close();
    const basic = `Basic ${Buffer.from('app:secret').toString('base64')}`;
    const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
    const bearer = { authorization: 'Bearer A', 'content-type': '' };
    const common = { method: 'GET', query: {}, body: null, headers: bearer };
    expect(recorder.requests).toEqual([
      {
        ...{ method: 'POST', path: '/v5/oauth/token', query: {}, headers: form },
        body: { grant_type: 'authorization_code', code: 'C', redirect_uri: redirectUri },
      },
      {
        ...{ method: 'POST', path: '/v5/oauth/token', query: {}, headers: form },
        body: { grant_type: 'refresh_token', refresh_token: 'R1' },
      },
      { ...common, path: '/v5/user_account' },
      { ...common, path: '/v5/boards', query: { page_size: '100' } },
      {
        ...{ method: 'POST', path: '/v5/pins', query: {} },
        headers: { authorization: 'Bearer A', 'content-type': 'application/json' },
        body: {
          ...{ board_id: '12', title: 'Шкаф', description: 'Текст', link: 'https://site.example/' },
          alt_text: 'Белый шкаф',
          media_source: {
            ...{ source_type: 'image_base64', content_type: 'image/jpeg' },
            data: Buffer.from('jpeg').toString('base64'),
          },
        },
      },
    ]);
    expect(made).toMatchObject({ pinId: '99', url: 'https://www.pinterest.com/pin/99/' });
  });

  it('reads every page of boards and makes a pin', async () => {
    for (let more = 0; more < 120; more += 1) service.world.addBoard({ name: `Доска ${more}`, owner });
    const { accessToken } = await tokens();
    expect(await pinterest.account(accessToken)).toMatchObject({ username: owner });
    expect(await pinterest.boards(accessToken)).toHaveLength(121);
    const { pinId } = await pinterest.createPin(accessToken, {
      ...{ boardId, title: 'Шкаф', description: 'Белый', jpeg },
    });
    expect(service.world.pins(boardId)).toMatchObject([{ id: pinId, title: 'Шкаф', mime: 'image/jpeg' }]);
  });

  it('gets new tokens for the old ones, which are good for nothing afterwards', async () => {
    const first = await tokens();
    const second = await pinterest.refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    await expect(pinterest.refresh(first.refreshToken)).rejects.toMatchObject({ status: 400, word: '287' });
    await expect(pinterest.account(first.accessToken)).rejects.toMatchObject({ status: 401 });
    now += 31 * 24 * 3_600_000;
    await expect(pinterest.account(second.accessToken)).rejects.toMatchObject({ status: 401 });
  });

  it('takes a code once, with the address it was asked for', async () => {
    const code = service.world.issueCode(owner, redirectUri);
    await pinterest.exchange(code, redirectUri);
    await expect(pinterest.exchange(code, redirectUri)).rejects.toMatchObject({ status: 400 });
    const other = service.world.issueCode(owner, redirectUri);
    await expect(pinterest.exchange(other, 'https://other.example/')).rejects.toMatchObject({ word: '282' });
    const stranger = clientOf(service, { appSecret: 'wrong' });
    await expect(stranger.exchange('x', redirectUri)).rejects.toMatchObject({ status: 401 });
  });

  it('says in words what Pinterest refused: trial app, lost board, too many requests (X11)', async () => {
    const { accessToken } = await tokens();
    const pin = { boardId, title: 'Шкаф', description: 'Белый', jpeg };
    const failure = () => pinterest.createPin(accessToken, pin).catch(pinterestReport);
    service.world.change({ access: 'trial' });
    expect(await failure()).toMatchObject({ code: 'trial_app', scope: 'channel' });
    service.world.change({ access: 'standard' });
    service.world.removeBoard(boardId);
    expect(await failure()).toMatchObject({ code: 'board_gone' });
    service.faults.add({ match: 'POST', fault: { kind: 'status', status: 429, retryAfter: 30 } });
    expect(await failure()).toMatchObject({ category: 'TRANSIENT', retryAfterMs: 30_000, code: '429' });
    service.faults.add({ match: 'POST', fault: { kind: 'status', status: 401 } });
    expect(await failure()).toMatchObject({ scope: 'channel', code: '401' });
  });

  it('never asks for a pin twice', async () => {
    const { accessToken } = await tokens();
    service.faults.add({ match: 'POST /v5/pins', fault: { kind: 'reset-after' } });
    const lost = pinterest.createPin(accessToken, { boardId, title: 'Шкаф', description: 'x', jpeg });
    await expect(lost).rejects.toBeInstanceOf(AnswerLost);
    expect(service.world.pins()).toHaveLength(1);
  });
});
