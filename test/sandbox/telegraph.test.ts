import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegraphStandIn, type TelegraphStandIn } from '../../src/sandbox/telegraph/start.ts';

let telegraph: TelegraphStandIn;
let token: string;
beforeEach(async () => {
  telegraph = await startTelegraphStandIn();
  token = (await call('createAccount', { short_name: 'SEO' })).result.access_token;
});
afterEach(() => telegraph.close());

async function call(method: string, params: object) {
  const response = await fetch(`${telegraph.url}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}
const content = [{ tag: 'p', children: ['Текст'] }];
const page = (changes: object = {}) => ({
  access_token: token,
  title: 'Как выбрать окна',
  content,
  ...changes,
});
const opened = async (url: string) => (await fetch(url)).text();

describe("Telegraph's stand-in", () => {
  it('names pages after their title and the day, and counts those of one name', async () => {
    const first = (await call('createPage', page())).result;
    const second = (await call('createPage', page())).result;
    expect(first).toMatchObject({
      url: `${telegraph.url}/${first.path}`,
      title: 'Как выбрать окна',
      can_edit: true,
    });
    expect(first.path).toMatch(/^Kak-vybrat-okna-\d\d-\d\d$/u);
    expect(second.path).toBe(`${first.path}-2`);
  });

  it('takes a form too, with the content as JSON in a string', async () => {
    const body = new URLSearchParams({
      access_token: token,
      title: 'Окна',
      content: JSON.stringify(content),
    });
    const answer = JSON.parse(
      await (await fetch(`${telegraph.url}/createPage`, { method: 'POST', body })).text(),
    );
    expect(answer.ok).toBe(true);
  });

  it('gives a page back, and lists the pages of an account', async () => {
    const { path } = (await call('createPage', page())).result;
    expect((await call(`getPage/${path}`, { return_content: true })).result.content).toEqual(content);
    expect((await call('getPageList', { access_token: token })).result).toMatchObject({ total_count: 1 });
  });

  it('lets only its owner change a page', async () => {
    const { path, url } = (await call('createPage', page())).result;
    const stranger = (await call('createAccount', { short_name: 'x' })).result.access_token;
    expect(await call(`editPage/${path}`, page({ access_token: stranger }))).toEqual({
      ok: false,
      error: 'PAGE_ACCESS_DENIED',
    });
    await call(`editPage/${path}`, page({ title: 'Новое имя' }));
    expect(await opened(url)).toContain('<h1>Новое имя</h1>');
  });

  it.each([
    ['CONTENT_REQUIRED', { content: [] }],
    ['CONTENT_FORMAT_INVALID', { content: [{ tag: 'div', children: ['x'] }] }],
    ['CONTENT_FORMAT_INVALID', { content: [{ tag: 'p', attrs: { onclick: 'x' }, children: ['x'] }] }],
    ['CONTENT_FORMAT_INVALID', { content: 'no JSON' }],
    ['CONTENT_TEXT_REQUIRED', { content: [{ tag: 'p' }] }],
    ['CONTENT_TOO_BIG', { content: ['я'.repeat(33_000)] }],
    ['TITLE_REQUIRED', { title: ' ' }],
    ['TITLE_TOO_LONG', { title: 'x'.repeat(257) }],
    ['ACCESS_TOKEN_INVALID', { access_token: 'x' }],
  ])('refuses with %s: %j', async (error, changes) => {
    expect(await call('createPage', page(changes))).toEqual({ ok: false, error });
  });

  it('knows what it has not', async () => {
    expect(await call('getPage/Nothing-01-01', {})).toEqual({ ok: false, error: 'PAGE_NOT_FOUND' });
    expect((await fetch(`${telegraph.url}/Nothing-01-01`)).status).toBe(404);
  });

  it('can be told to ask for patience', async () => {
    telegraph.faults.add({
      match: 'createPage',
      fault: { kind: 'status', status: 200, body: { ok: false, error: 'FLOOD_WAIT_7' } },
    });
    expect(await call('createPage', page())).toEqual({ ok: false, error: 'FLOOD_WAIT_7' });
  });
});

describe('a page opened in a browser', () => {
  it('reads like a page of Telegraph', async () => {
    const nodes = [
      { tag: 'h3', children: ['Цены'] },
      { tag: 'figure', children: [{ tag: 'img', attrs: { src: 'https://a.example/1.webp?a=1&b=2' } }] },
      {
        tag: 'p',
        children: ['См. ', { tag: 'a', attrs: { href: 'https://a.example/' }, children: ['сайт'] }],
      },
    ];
    const { url } = (await call('createPage', page({ author_name: 'Окна Плюс', content: nodes }))).result;
    const html = await opened(url);
    expect(html).toContain('<h3>Цены</h3>');
    expect(html).toContain('<img src="https://a.example/1.webp?a=1&amp;b=2">');
    expect(html).toContain('<a href="https://a.example/">сайт</a>');
    expect(html).toMatch(/<address>Окна Плюс · \d+ \S+ \d{4}/u);
  });

  it('runs nothing of what somebody wrote', async () => {
    const nodes = [
      '<script>alert(1)</script>',
      { tag: 'a', attrs: { href: 'javascript:alert(1)' }, children: ['x'] },
      { tag: 'img', attrs: { src: 'x" onerror="alert(1)' } },
    ];
    const { url } = (await call('createPage', page({ title: '<img src=x>', content: nodes }))).result;
    const response = await fetch(url);
    const html = await response.text();
    expect(html).not.toMatch(/<script|javascript:|onerror="|<img src=x>/u);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
