import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWordPressStandIn, type WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { tinyPng } from './tiny-png.ts';

const admin = { login: 'admin', password: 'sand boxa dmin pass word 0001' };
const author = { login: 'author', password: 'sand boxa utho rpas swor 0002' };
let standIn: WordPressStandIn;

beforeEach(async () => {
  standIn = await startWordPressStandIn({ sites: { '': { settings: { title: 'Окна' } }, blog: {} } });
});
afterEach(() => standIn.close());

type Who = { login: string; password: string } | null;
async function ask(method: string, path: string, who: Who = admin, body?: unknown, headers = {}) {
  const isBytes = body instanceof Uint8Array || body instanceof FormData;
  const response = await fetch(`${standIn.url}${path}`, {
    method,
    headers: {
      ...(who && {
        authorization: `Basic ${Buffer.from(`${who.login}:${who.password}`).toString('base64')}`,
      }),
      ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: (isBytes ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']>,
    }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
const page = async (path: string) => (await fetch(`${standIn.url}${path}`)).text();
const post = (fields: object, who: Who = admin) => ask('POST', '/wp-json/wp/v2/posts', who, fields);

describe('the WordPress of the sandbox', () => {
  it('tells about itself, in full or in part', async () => {
    const { body } = await ask('GET', '/wp-json/', null);
    expect(body).toMatchObject({
      name: 'Окна',
      home: standIn.url,
      namespaces: expect.arrayContaining(['wp/v2']),
    });
    expect((await ask('GET', '/blog/wp-json/?_fields=name', null)).body).toEqual({
      name: 'Сайт на WordPress',
    });
  });

  it('has a site for everybody who is to have one, apart from those of the others', async () => {
    await standIn.close();
    standIn = await startWordPressStandIn({ siteAt: (path) => (/^u\d+$/u.test(path) ? {} : null) });
    await ask('POST', '/u1/wp-json/wp/v2/posts', admin, { title: 'Окна', status: 'publish' });
    expect((await ask('GET', '/u1/wp-json/wp/v2/posts', null)).body).toHaveLength(1);
    expect((await ask('GET', '/u2/wp-json/wp/v2/posts', null)).body).toEqual([]);
    expect(() => standIn.site('somebody')).toThrow('Expected a site');
  });

  it('answers 401 to strangers and 403 to those without the right', async () => {
    expect(await post({ title: 'x' }, null)).toMatchObject({
      status: 401,
      body: { code: 'rest_cannot_create' },
    });
    const made = await ask('POST', '/wp-json/wp/v2/categories', author, { name: 'Окна' });
    expect(made).toMatchObject({ status: 403, body: { code: 'rest_cannot_create' } });
  });

  it.each([
    ['without data', new Uint8Array(), {}, 'rest_upload_no_data'],
    ['without a type', tinyPng(2, 2), { 'content-type': '' }, 'rest_upload_no_content_type'],
    [
      'without a disposition',
      tinyPng(2, 2),
      { 'content-type': 'image/png' },
      'rest_upload_no_content_disposition',
    ],
    [
      'without a name',
      tinyPng(2, 2),
      { 'content-type': 'image/png', 'content-disposition': 'attachment' },
      'rest_upload_invalid_disposition',
    ],
  ])('refuses a file %s in the words of WordPress', async (_, bytes, headers, code) => {
    expect(await ask('POST', '/wp-json/wp/v2/media', admin, bytes, headers)).toMatchObject({
      status: 400,
      body: { code, data: { status: 400 } },
    });
  });

  it('takes a file from a form', async () => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(tinyPng(3, 2))], 'okno.png', { type: 'image/png' }));
    expect(await ask('POST', '/wp-json/wp/v2/media', admin, form)).toMatchObject({
      status: 201,
      body: { mime_type: 'image/png', media_details: { width: 3, height: 2 } },
    });
  });

  it('gives a second post of a name another slug', async () => {
    const slugs = [];
    for (let n = 0; n < 3; n += 1) slugs.push((await post({ title: 'Окна', status: 'publish' })).body.slug);
    expect(slugs).toEqual(['okna', 'okna-2', 'okna-3']);
  });

  it('names the term that is there', async () => {
    const made = await ask('POST', '/wp-json/wp/v2/tags', author, { name: 'Цены' });
    expect(await ask('POST', '/wp-json/wp/v2/tags', author, { name: 'цены' })).toMatchObject({
      status: 400,
      body: { code: 'term_exists', data: { status: 400, term_id: made.body.id } },
    });
  });

  it('takes scripts out of what an author writes, and leaves their text', async () => {
    const content = '<p onclick="x()">Текст</p><script type="application/ld+json">{"a":1}</script>';
    expect((await post({ content }, author)).body.content.raw).toBe('<p>Текст</p>{"a":1}');
    expect((await post({ content }, admin)).body.content.raw).toBe(content);
  });

  it('shows drafts only to those who may edit', async () => {
    await post({ title: 'Черновик', slug: 'chernovik' });
    const look = (query: string, who: Who) => ask('GET', `/wp-json/wp/v2/posts?slug=chernovik${query}`, who);
    expect((await look('', null)).body).toEqual([]);
    expect(await look('&status=draft', null)).toMatchObject({ status: 401 });
    expect((await look('&status=publish,draft&context=edit', admin)).body).toHaveLength(1);
  });

  it('keeps its sites apart', async () => {
    await ask('POST', '/blog/wp-json/wp/v2/posts', admin, { title: 'В блоге', status: 'publish' });
    expect([standIn.site().posts.values().length, standIn.site('blog').posts.values().length]).toEqual([
      0, 1,
    ]);
  });
});

describe('a reader of the site', () => {
  it('sees the list, and the article with its picture, rubric, tags and SEO title', async () => {
    standIn.site().change({ seo: 'yoast' });
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="okno.png"' };
    const media = (await ask('POST', '/wp-json/wp/v2/media', admin, tinyPng(4, 4), headers)).body;
    const rubric = (await ask('POST', '/wp-json/wp/v2/categories', admin, { name: 'Советы' })).body;
    const tag = (await ask('POST', '/wp-json/wp/v2/tags', admin, { name: 'Цены & сроки' })).body;
    const made = await post({
      title: 'Окна <дома>',
      slug: 'okna',
      content: '<p>Текст статьи</p>',
      status: 'publish',
      featured_media: media.id,
      categories: [rubric.id],
      tags: [tag.id],
      meta: { _yoast_wpseo_title: 'SEO-заголовок', _yoast_wpseo_metadesc: 'Описание "в кавычках"' },
    });
    expect(await page('/')).toContain(`<a href="${made.body.link}">Окна &lt;дома&gt;</a>`);
    const article = await page('/okna/');
    for (const part of [
      '<title>SEO-заголовок</title>',
      '<meta name="description" content="Описание &quot;в кавычках&quot;">',
      '<h1>Окна &lt;дома&gt;</h1>',
      `<img src="${media.source_url}"`,
      'Советы',
      'Цены &amp; сроки',
      '<p>Текст статьи</p>',
    ])
      expect(article).toContain(part);
  });

  it('does not see what is not published', async () => {
    await post({ title: 'Черновик', slug: 'chernovik' });
    expect((await fetch(`${standIn.url}/chernovik/`)).status).toBe(404);
  });
});

describe('the page that gives out an application password', () => {
  const address =
    '/wp-admin/authorize-application.php?app_name=SEO%20Master&success_url=http://bot.example/ok%3Fn=1';
  const answer = (fields: Record<string, string>) =>
    fetch(`${standIn.url}/wp-admin/authorize-application.php`, {
      method: 'POST',
      body: new URLSearchParams({ success_url: 'http://bot.example/ok?n=1', user: 'admin', ...fields }),
      redirect: 'manual',
    });

  it('asks, and returns with a password that opens the site', async () => {
    expect(await page(address)).toContain('Разрешить');
    const back = new URL((await answer({ approve: '1' })).headers.get('location')!);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      n: '1',
      site_url: standIn.url,
      user_login: 'admin',
    });
    const password = back.searchParams.get('password')!;
    expect((await ask('GET', '/wp-json/wp/v2/users/me', { login: 'admin', password })).status).toBe(200);
  });

  it('returns without one when the person says no', async () => {
    expect((await answer({ reject: '1' })).headers.get('location')).toBe(
      'http://bot.example/ok?n=1&success=false',
    );
  });
});

describe('a sandbox that is started again', () => {
  it('has its posts, pictures and passwords, and goes on counting', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-wordpress-'));
    const journal = join(folder, 'wordpress.jsonl');
    await standIn.close();
    standIn = await startWordPressStandIn({ journal });
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="okno.png"' };
    const media = (await ask('POST', '/wp-json/wp/v2/media', admin, tinyPng(4, 4), headers)).body;
    const content = `<figure><img src="${media.source_url}"></figure>`;
    const made = await post({ title: 'Окна', status: 'publish', content });
    const password = standIn.site().issuePassword('author');
    await standIn.close();

    standIn = await startWordPressStandIn({ journal });
    const source = /<img src="([^"]+)"/u.exec(await page('/okna/'))![1]!;
    expect(source.startsWith(standIn.url)).toBe(true);
    expect(Buffer.from(await (await fetch(source)).arrayBuffer()).equals(tinyPng(4, 4))).toBe(true);
    expect((await post({ title: 'Ещё' }, { login: 'author', password })).body.id).toBeGreaterThan(
      made.body.id,
    );
    rmSync(folder, { recursive: true, force: true });
  });
});
