import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import type { KeptFiles } from '../kept-files.ts';
import { imageSize } from '../telegram/image-size.ts';
import { type BoardRow, type PinRow, type PinterestWorld, REFRESH_SECONDS } from './world.ts';

/** A refusal in Pinterest's words. `code` is a number of its own, not the status. */
class PinterestError extends Error {
  override readonly name = 'PinterestError';
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type PinterestApp = { appId: string; appSecret: string };
type Options = { world: PinterestWorld; files: KeptFiles; app: PinterestApp };
type Asked = { query: URLSearchParams; body: string; authorization: string };

const MAX_BODY = 32 * 1024 * 1024;
const limits = { title: 100, description: 800, link: 2_048, alt_text: 500 };

/** Pinterest's API v5, under `/v5`. */
export function createPinterestApi({ world, files, app }: Options): HttpHandler {
  const routes: Readonly<Record<string, (asked: Asked) => { status?: number; body: unknown }>> = {
    'POST /v5/oauth/token': token,
    'GET /v5/user_account': ({ authorization }) => {
      const { username } = grantedTo(authorization, 'user_accounts:read');
      return {
        body: { id: `1${username.length}`, account_type: 'PINNER', ...world.account(username), username },
      };
    },
    'GET /v5/boards': boards,
    'POST /v5/pins': createPin,
  };
  return handle;

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (!url.pathname.startsWith('/v5/')) return false;
    const body = (await readBody(request, MAX_BODY)).toString();
    const { authorization = '' } = request.headers;
    try {
      const route = routes[`${request.method} ${url.pathname}`];
      if (!route) throw new PinterestError(404, 12, 'Not found');
      const answer = route({ query: url.searchParams, body, authorization });
      sendJson(response, answer.status ?? 200, answer.body);
    } catch (error) {
      if (!(error instanceof PinterestError)) throw error;
      sendJson(response, error.status, { code: error.code, message: error.message });
    }
    return true;
  }

  function token({ authorization, body }: Asked) {
    const expected = `Basic ${Buffer.from(`${app.appId}:${app.appSecret}`).toString('base64')}`;
    if (authorization !== expected) throw new PinterestError(401, 2, 'Authentication failed.');
    const form = new URLSearchParams(body);
    const granted = form.get('grant_type') === 'refresh_token' ? refreshed(form) : exchanged(form);
    const { accessSeconds } = world.settings();
    return {
      body: {
        access_token: granted.accessToken,
        token_type: 'bearer',
        expires_in: accessSeconds,
        scope: granted.scope,
        response_type: form.get('grant_type'),
        refresh_token: granted.refreshToken,
        refresh_token_expires_in: REFRESH_SECONDS,
        refresh_token_expires_at: Math.floor(granted.expiresAt / 1_000) + REFRESH_SECONDS,
      },
    };
  }

  function exchanged(form: URLSearchParams) {
    if (form.get('grant_type') !== 'authorization_code')
      throw new PinterestError(400, 1, 'Invalid grant_type');
    const code = world.takeCode(form.get('code') ?? '');
    if (!code) throw new PinterestError(400, 283, 'Invalid authorization code');
    if (code.redirectUri !== form.get('redirect_uri'))
      throw new PinterestError(400, 282, 'Redirect URI does not match');
    return world.grant(code.username, 'boards:read boards:write pins:read pins:write user_accounts:read');
  }

  function refreshed(form: URLSearchParams) {
    const granted = world.refresh(form.get('refresh_token') ?? '');
    if (!granted) throw new PinterestError(400, 287, 'The refresh token is invalid or expired');
    return granted;
  }

  function grantedTo(authorization: string, scope: string): { username: string } {
    const given = /^Bearer (.+)$/u.exec(authorization)?.[1] ?? '';
    const granted = world.byAccess(given);
    if (!granted) throw new PinterestError(401, 2, 'Authentication failed.');
    if (!granted.scope.split(' ').includes(scope))
      throw new PinterestError(401, 3, `Your application consumer type is not supported: missing ${scope}`);
    return granted;
  }

  function boards({ authorization, query }: Asked) {
    const { username } = grantedTo(authorization, 'boards:read');
    const size = Number(query.get('page_size') ?? 25);
    if (!(size >= 1 && size <= 250)) throw new PinterestError(400, 1, 'page_size must be from 1 to 250');
    const own = world.boards(username);
    const from = Number(query.get('bookmark') ?? 0);
    const page = own.slice(from, from + size);
    const bookmark = from + size < own.length ? String(from + size) : null;
    return { body: { items: page.map(shownBoard), bookmark } };
  }

  function shownBoard({ id, name, owner, privacy }: BoardRow) {
    return {
      id,
      name,
      description: '',
      owner: { username: owner },
      privacy,
      pin_count: world.pins(id).length,
    };
  }

  function createPin({ authorization, body }: Asked) {
    const { username } = grantedTo(authorization, 'pins:write');
    if (world.settings().access === 'trial')
      throw new PinterestError(403, 29, 'Apps with Trial access may not create Pins in production');
    const given = parsed(body);
    const board = world.board(String(given.board_id ?? ''));
    if (!board || board.owner !== username) throw new PinterestError(404, 40, 'Board not found.');
    for (const [field, most] of Object.entries(limits))
      if (textOf(given[field]).length > most)
        throw new PinterestError(400, 1, `${field} is longer than ${most} characters`);
    const { bytes, mime } = pictureOf(given.media_source);
    const pin = world.addPin({
      boardId: board.id,
      title: textOf(given.title),
      description: textOf(given.description),
      link: textOf(given.link) || null,
      altText: textOf(given.alt_text) || null,
      mime,
    });
    files.put(`pin-${pin.id}`, bytes);
    return { status: 201, body: shownPin(pin) };
  }
}

const shownPin = ({ id, boardId, title, description, link, altText, at }: PinRow) => ({
  ...{ id, board_id: boardId, title, description, link, alt_text: altText },
  created_at: new Date(at).toISOString(),
  media: { media_type: 'image' },
});

/** Bare base64 of a JPEG or PNG: an address in front of it is refused, and so is another format. */
function pictureOf(given: unknown): { bytes: Buffer; mime: string } {
  const { source_type, content_type, data } = (given ?? {}) as Record<string, unknown>;
  if (source_type !== 'image_base64')
    throw new PinterestError(400, 1, 'media_source: expected source_type image_base64');
  const encoded = textOf(data);
  const bytes = /^[A-Za-z0-9+/]+=*$/u.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  const size = imageSize(bytes);
  const isAllowed = content_type === 'image/jpeg' || content_type === 'image/png';
  if (!isAllowed || size?.mime !== content_type)
    throw new PinterestError(400, 235, 'Sorry, we could not fetch the image.');
  return { bytes, mime: size.mime };
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new PinterestError(400, 1, 'Invalid request body');
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
