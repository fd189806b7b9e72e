import { escaped } from '../wordpress/theme.ts';
import type { BoardRow, PinRow, PinterestWorld } from './world.ts';

export type Shown = { html: string } | { redirect: string };

/** The consent page. Here no login comes before it. */
export function consentPage(world: PinterestWorld, query: URLSearchParams, appId: string): Shown {
  if (query.get('client_id') !== appId || query.get('response_type') !== 'code' || !redirectOf(query))
    return { html: page('Pinterest', '<h1>Приложение не найдено</h1>') };
  const accounts = world
    .accounts()
    .map(({ username }) => {
      const mark = username === world.signedIn() ? ' selected' : '';
      return `<option${mark}>${escaped(username)}</option>`;
    })
    .join('');
  const hidden = ['redirect_uri', 'state'].map(
    (name) => `<input type="hidden" name="${name}" value="${escaped(query.get(name) ?? '')}">`,
  );
  return {
    html: page(
      'Разрешить доступ — Pinterest',
      `<h1>SEO Master просит доступ</h1><p>Приложение сможет видеть ваши доски и создавать пины.</p>
<form method="post"><label>Аккаунт <select name="username">${accounts}</select></label>${hidden.join('')}
<p><button name="approve" value="1">Разрешить</button> <button name="reject" value="1">Отклонить</button></p></form>`,
    ),
  };
}

/** The answer to the form: back to the application with a code, or with Pinterest's word for a refusal. */
export function consent(world: PinterestWorld, form: URLSearchParams): Shown {
  const back = redirectOf(form);
  const account = world.account(form.get('username') ?? '');
  if (!back) return { html: page('Pinterest', '<h1>Нет обратного адреса</h1>') };
  const state = form.get('state') ?? '';
  const answer =
    form.has('approve') && account
      ? { code: world.issueCode(account.username, back), state }
      : { error: 'access_denied', error_description: 'The user denied access', state };
  const url = new URL(back);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return { redirect: url.href };
}

/** What a reader of Pinterest sees at `/pin/1/` and `/board/1/`; null where there is no such page. */
export function pinterestPage(world: PinterestWorld, path: string): string | null {
  const [, kind, id = ''] = /^\/(pin|board)\/(\d+)\/?$/u.exec(path) ?? [];
  if (kind === 'board') {
    const board = world.board(id);
    return board ? boardPage(board, world.pins(id)) : null;
  }
  const pin = kind === 'pin' ? world.pin(id) : undefined;
  return pin ? page(pin.title, pinCard(pin)) : null;
}

const boardPage = ({ name, owner }: BoardRow, pins: readonly PinRow[]): string =>
  page(
    name,
    `<h1>${escaped(name)}</h1><p>${escaped(owner)}</p><div class="pins">${pins.map(pinCard).join('') || 'Пинов пока нет.'}</div>`,
  );

const pinCard = ({ id, title, description, link, altText }: PinRow): string =>
  `<article><img src="/pin-image/${id}" alt="${escaped(altText ?? '')}"><h2>${escaped(title)}</h2>
<p>${escaped(description)}</p>${link ? `<p><a href="${escaped(link)}">${escaped(link)}</a></p>` : ''}</article>`;

function redirectOf(params: URLSearchParams): string | null {
  const given = params.get('redirect_uri');
  return given && URL.canParse(given) && /^https?:/u.test(given) ? given : null;
}

const page = (title: string, main: string): string => `<!doctype html>
<html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { margin: 0 auto; max-width: 60rem; padding: 24px 16px; font: 16px/1.45 -apple-system, "Segoe UI", sans-serif; color: #111; }
.pins { columns: 3 14rem; gap: 16px; } article { break-inside: avoid; max-width: 22rem; margin: 0 0 20px; }
img { width: 100%; border-radius: 16px; } h2 { font-size: 16px; margin: 8px 4px 0; } p { margin: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
button { border: 0; border-radius: 24px; padding: 10px 18px; font: inherit; font-weight: 600; cursor: pointer; }
button[name=approve] { background: #e60023; color: #fff; }
</style>${main}</html>`;
