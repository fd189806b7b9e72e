import { z } from 'zod';
import { parseJson, readAs } from '../../clients/http/api-answer.ts';
import { AnswerUnreadable, ApiRefused, mayPass, refusedWithoutForm } from '../../clients/http/api-refused.ts';
import { callOnce, type OnceCall } from '../../clients/http/call-once.ts';
import { doubling, MOST_WAIT_MS, repeat } from '../../clients/http/repeat.ts';
import type { Json } from '../../engine/json.ts';

type PinterestOptions = {
  /** With the version, without a slash at the end. */
  baseUrl: string;
  /** Where people let an application in and look at pins. */
  siteUrl: string;
  appId: string;
  appSecret: string;
  timeoutMs?: number;
  /** A pin carries its picture. */
  pinTimeoutMs?: number;
  /** Of a read, beyond the first try. */
  retries?: number;
  waitMs?: (repeat: number) => number;
  now?: () => number;
};

export type PinterestTokens = {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

export type PinterestBoard = z.infer<typeof board>;

type NewPin = {
  boardId: string;
  title: string;
  description: string;
  link?: string;
  altText?: string;
  /** Pinterest takes JPEG and PNG; we send the first. */
  jpeg: Uint8Array;
};

export type Pinterest = ReturnType<typeof createPinterest>;

const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'];
const PAGE_SIZE = 100;
/** More boards than a person can look through in a chat. */
const MOST_BOARDS = 300;

/** Pinterest's API v5. Reads are repeated; tokens and pins are asked for once. */
export function createPinterest({
  baseUrl,
  siteUrl,
  appId,
  appSecret,
  timeoutMs = 15_000,
  pinTimeoutMs = 30_000,
  retries = 2,
  waitMs = doubling,
  now = Date.now,
}: PinterestOptions) {
  return {
    authorizationLink,
    exchange: (code: string, redirectUri: string, signal?: AbortSignal) =>
      grant({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, signal),
    /** The answer holds a new refresh token as well: it takes the place of the old one. */
    refresh: (refreshToken: string, signal?: AbortSignal) =>
      grant({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal),
    account: (token: string, signal?: AbortSignal) => read(token, '/user_account', account, signal),
    boards,
    /** As Pinterest makes it: of the name, in lower case with dashes. */
    boardUrl: (username: string, name: string): string =>
      `${siteUrl}/${encodeURIComponent(username)}/${encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))}/`,
    createPin,
  };

  function authorizationLink({ redirectUri, state }: { redirectUri: string; state: string }): string {
    const asked = { client_id: appId, redirect_uri: redirectUri, response_type: 'code' };
    return `${siteUrl}/oauth/?${new URLSearchParams({ ...asked, scope: SCOPES.join(','), state })}`;
  }

  async function grant(form: Record<string, string>, signal?: AbortSignal): Promise<PinterestTokens> {
    const what = `Pinterest token by ${form.grant_type}`;
    const answer = await call(what, '/oauth/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${appId}:${appSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
      timeoutMs,
      signal,
    });
    const given = readAs(what, answer, tokens);
    const expiresAt = now() + given.expires_in * 1_000;
    // A refresh may leave the refresh token as it was, and then does not say it again.
    const refreshToken = given.refresh_token ?? form.refresh_token;
    if (!refreshToken) throw new AnswerUnreadable(what, 'no refresh token');
    return { accessToken: given.access_token, refreshToken, expiresAt };
  }

  async function boards(token: string, signal?: AbortSignal): Promise<PinterestBoard[]> {
    const found: PinterestBoard[] = [];
    let bookmark: string | null = null;
    do {
      const query = new URLSearchParams({ page_size: String(PAGE_SIZE), ...(bookmark && { bookmark }) });
      const page: z.infer<typeof boardPage> = await read(token, `/boards?${query}`, boardPage, signal);
      found.push(...page.items);
      bookmark = page.bookmark ?? null;
    } while (bookmark && found.length < MOST_BOARDS);
    return found;
  }

  async function createPin(
    token: string,
    { boardId, title, description, link, altText, jpeg }: NewPin,
    signal?: AbortSignal,
  ): Promise<{ pinId: string; url: string; raw: Json }> {
    const json = {
      board_id: boardId,
      title,
      description,
      ...(link && { link }),
      ...(altText && { alt_text: altText }),
      media_source: {
        source_type: 'image_base64',
        content_type: 'image/jpeg',
        data: Buffer.from(jpeg).toString('base64'),
      },
    };
    const raw = await call('Pinterest POST /pins', '/pins', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
      timeoutMs: pinTimeoutMs,
      signal,
    });
    const { id: pinId } = readAs('Pinterest POST /pins', raw, pin);
    return { pinId, url: `${siteUrl}/pin/${pinId}/`, raw };
  }

  function read<Result>(token: string, path: string, shape: z.ZodType<Result>, signal?: AbortSignal) {
    const what = `Pinterest GET ${path.split('?')[0]}`;
    const request: OnceCall = {
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
      timeoutMs,
      signal,
    };
    const attempt = async () => readAs(what, await call(what, path, request), shape);
    return repeat(attempt, { retries, waitMs, mostWaitMs: MOST_WAIT_MS, signal, mayPass });
  }

  async function call(what: string, path: string, request: OnceCall): Promise<Json> {
    const answer = await callOnce(what, `${baseUrl}${path}`, request);
    const { status, text, retryAfterMs } = answer;
    const body = parseJson(text);
    if (status >= 200 && status < 300) {
      if (body === null) throw new AnswerUnreadable(what, text);
      return body;
    }
    const said = refusal.safeParse(body);
    if (!said.success) throw refusedWithoutForm(what, answer, body);
    const { code, message: description } = said.data;
    throw new ApiRefused(what, { status, word: String(code), description, retryAfterMs, body });
  }
}

const tokens = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string().nullish(),
});
const account = z.object({ username: z.string(), account_type: z.string().nullish() });
const board = z.object({ id: z.string(), name: z.string(), privacy: z.string().nullish() });
const boardPage = z.object({ items: z.array(board), bookmark: z.string().nullish() });
const pin = z.object({ id: z.string() });
const refusal = z.object({ code: z.number(), message: z.string() });
