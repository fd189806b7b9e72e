import { createServer } from 'node:http';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { DeliveryFailed } from '../../../src/errors.ts';
import { listen } from '../../../src/http/server.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { authorizationLink, makeWordPressAdapter } from '../../../src/platforms/wordpress/publish.ts';
import type { SiteSettings } from '../../../src/sandbox/wordpress/wire.ts';
import { keptStages } from '../../services/ai/kept-stages.ts';
import { article, type Desk, openDesk } from './desk.ts';

let desk: Desk;
afterEach(() => desk.standIn.close());

const open = async (settings?: Partial<SiteSettings>) => {
  desk = await openDesk(settings);
  return desk;
};
const warningsOf = (delivery: { outcome: string }) => (delivery as { warnings?: string[] }).warnings ?? [];
const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as DeliveryFailed,
  );

describe('connecting a site', () => {
  it('learns what publishing needs, and asks only the site (E15)', async () => {
    const { adapter, admin, standIn } = await open({ seo: 'yoast', title: 'Окна Арбата' });
    expect(await adapter.validate(admin)).toEqual({
      identifier: standIn.url.replace('http://', ''),
      restRoot: `${standIn.url}/wp-json/`,
      siteName: 'Окна Арбата',
      userName: 'Анна Петрова',
      seoPlugin: 'yoast',
      mayInstallPlugins: true,
      authorizationUrl: `${standIn.url}/wp-admin/authorize-application.php`,
      keepsJsonLd: true,
    });
  });

  it('knows a site by one name, however its address was written (E41, X24)', async () => {
    const { adapter, standIn } = await open();
    const host = standIn.url.replace('http://', '');
    const written = [
      standIn.url,
      `${standIn.url}/`,
      `${standIn.url}/wp-admin/`,
      ` ${standIn.url}/wp-login.php `,
    ];
    const names = await Promise.all(written.map(async (url) => (await adapter.inspect(url)).identifier));
    expect(new Set(names)).toEqual(new Set([host]));
  });

  it('takes www for no other site (E41, X24)', async () => {
    await open();
    const index = JSON.stringify({ name: 'Окна', namespaces: ['wp/v2'] });
    const server = createServer((_, response) => void response.end(index));
    const port = await listen(server, 0, '127.0.0.1');
    const fetchGuarded = createGuardedFetch({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
    const wordpress = createWordPress({ fetch: fetchGuarded, allowHttp: true });
    const { inspect } = makeWordPressAdapter({ wordpress, log: pino({ level: 'silent' }) });
    const written = ['http://www.okna.example', 'http://okna.example', 'http://OKNA.example'];
    const names = await Promise.all(
      written.map(async (url) => (await inspect(`${url}:${port}/`)).identifier),
    );
    server.close();
    expect(names).toEqual(written.map(() => `okna.example:${port}`));
  });

  it('takes a site without readable addresses for the same site', async () => {
    const { adapter, standIn } = await open({ permalinks: 'plain' });
    expect((await adapter.inspect(standIn.url)).identifier).toBe(standIn.url.replace('http://', ''));
  });

  it('offers the page on which the site itself gives out a password', async () => {
    const { adapter, standIn } = await open();
    const { authorizationUrl } = await adapter.inspect(standIn.url);
    const link = authorizationLink(authorizationUrl!, {
      appName: 'SEO Master',
      successUrl: 'https://bot.example/wp/ok?n=1',
      rejectUrl: 'https://bot.example/wp/no',
    });
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      app_name: 'SEO Master',
      success_url: 'https://bot.example/wp/ok?n=1',
      reject_url: 'https://bot.example/wp/no',
    });
  });

  it('refuses a person who may write but not publish', async () => {
    const { adapter, admin, site } = await open();
    site.addUser({ login: 'novice', name: 'Новичок', role: 'contributor', appPasswords: ['aaaa bbbb'] });
    const error = await failure(adapter.validate({ ...admin, login: 'novice', appPassword: 'aaaa bbbb' }));
    expect(error).toBeInstanceOf(DeliveryFailed);
    expect(error?.report).toMatchObject({ category: 'PERMANENT', scope: 'channel' });
    expect(error?.userMessage).toContain('нет права публиковать');
  });

  it('says that a password is wrong, and what to do', async () => {
    const { adapter, admin } = await open();
    const error = await failure(adapter.validate({ ...admin, appPassword: 'wrong' }));
    expect(error?.userMessage).toContain('пароль приложения');
    expect(error?.retryable).toBe(false);
  });
});

describe('publishing an article', () => {
  it('gives the site words, not markup, where it takes both', async () => {
    const { adapter, admin, call, site } = await open();
    const words = 'Окна <script>alert(1)</script>';
    const images = article.images.map((image) => ({ ...image, caption: words }));
    await adapter.publish(admin, { ...article, title: words, excerpt: words, images }, call);
    const [post] = site.posts.values();
    const [picture] = site.media.values();
    expect([post!.title, post!.excerpt, picture!.caption].filter((text) => text.includes('<'))).toEqual([]);
  });

  it('leaves out a picture that is gone, with its place, and says so', async () => {
    const { adapter, admin, call, site } = await open();
    const images = article.images.map((image, i) => (i === 1 ? { ...image, bytes: null } : image));
    const delivery = await adapter.publish(admin, { ...article, images }, call);
    expect(warningsOf(delivery)).toEqual(
      expect.arrayContaining(['Картинка 2 не попала в статью: файл не сохранился.']),
    );
    const [post] = site.posts.values();
    expect(post!.content).not.toContain('pictures.example');
    expect(post!.content.match(/<figure/gu)).toHaveLength(2);
  });

  it('puts pictures, rubric, tags and text where a reader finds them', async () => {
    const { adapter, admin, call, site, standIn } = await open();
    const delivery = await adapter.publish(admin, article, call);
    const [post] = site.posts.values();
    const media = site.media.values();
    expect(delivery).toMatchObject({
      outcome: 'sent',
      providerMessageId: String(post!.id),
      url: `${standIn.url}/kak-vybrat-okna/`,
    });
    expect(post).toMatchObject({
      title: article.title,
      slug: 'kak-vybrat-okna',
      status: 'publish',
      excerpt: 'Коротко о главном',
      featuredMedia: media[0]!.id,
    });
    expect(media.map(({ alt, caption, mime }) => [alt, caption, mime])).toEqual(
      [1, 2, 3, 4].map((n) => [`Окно ${n}`, `Подпись ${n}`, 'image/png']),
    );
    const named = (ids: number[]) => ids.map((id) => site.terms.get(id)!.name);
    expect([named(post!.categories), named(post!.tags)]).toEqual([
      ['Окна'],
      ['профиль', 'Монтаж &amp; уход'],
    ]);
    expect(post!.content).not.toContain('<h1');
    expect(post!.content).not.toContain('pictures.example');
    // The theme shows the featured one above the text.
    expect(post!.content).not.toContain(`wp-image-${media[0]!.id}"`);
    for (const { id, file } of media.slice(1)) {
      expect(post!.content).toContain(
        `<img class="wp-image-${id}" src="${standIn.url}/wp-content/uploads/${file}"`,
      );
    }
  });

  it('uses rubrics and tags that are there, whatever their case', async () => {
    const { adapter, admin, call, site } = await open();
    site.terms.put(501, { id: 501, taxonomy: 'categories', name: 'ОКНА', slug: 'okna' });
    site.terms.put(502, { id: 502, taxonomy: 'tags', name: 'Монтаж &amp; Уход', slug: 'montazh' });
    await adapter.publish(admin, article, call);
    const [post] = site.posts.values();
    expect(post).toMatchObject({ categories: [501], tags: expect.arrayContaining([502]) });
    expect(site.terms.values()).toHaveLength(3);
  });

  it('finds a rubric by the name that WordPress has made of it, also for those who may make none', async () => {
    const { adapter, author, call, site } = await open();
    site.terms.put(501, { id: 501, taxonomy: 'categories', name: 'Окна &amp; двери', slug: 'okna-dveri' });
    await adapter.publish(author, { ...article, categories: ['окна & Двери'] }, call);
    expect(site.posts.values()[0]!.categories).toEqual([501]);
  });

  it('takes the id of a rubric that search does not show', async () => {
    const { adapter, admin, call, site, standIn } = await open();
    site.terms.put(501, { id: 501, taxonomy: 'categories', name: 'Окна', slug: 'okna' });
    standIn.faults.add({ match: '^GET .*/categories$', fault: { kind: 'status', status: 200, body: [] } });
    await adapter.publish(admin, article, call);
    expect(site.posts.values()[0]!.categories).toEqual([501]);
  });

  it('remembers ids of terms for the next time', async () => {
    const { adapter, admin, call, standIn } = await open();
    const delivery = await adapter.publish(admin, article, call);
    const { terms } = delivery.raw as { terms: { categories: Record<string, number> } };
    expect(Object.keys(terms.categories)).toEqual(['окна']);
    standIn.faults.add({ match: 'categories', times: null, fault: { kind: 'status', status: 500 } });
    const next = { idempotencyKey: 'draft:18:publish', stage: keptStages().run };
    const again = await adapter.publish({ ...admin, terms }, { ...article, tags: [] }, next);
    expect(warningsOf(again).join()).not.toContain('Рубрику');
  });

  it('makes a rubric again that was deleted on the site meanwhile, and says so', async () => {
    const { adapter, admin, call, site } = await open();
    const terms = { categories: { окна: 404 }, tags: {} };
    const delivery = await adapter.publish({ ...admin, terms }, article, call);
    const [rubric] = site.terms.values().filter(({ taxonomy }) => taxonomy === 'categories');
    expect(site.posts.values()[0]!.categories).toEqual([rubric!.id]);
    expect(warningsOf(delivery)).toContainEqual(expect.stringContaining('«Окна» на сайте больше не было'));
  });

  it('goes without a rubric that its author may not make, and says so', async () => {
    const { adapter, author, call, site } = await open();
    const delivery = await adapter.publish(author, article, call);
    expect(site.posts.values()[0]).toMatchObject({
      categories: [],
      tags: [expect.any(Number), expect.any(Number)],
    });
    expect(warningsOf(delivery)).toContainEqual(expect.stringContaining('Рубрику «Окна»'));
  });

  it.each([
    ['too large for the site', { kind: 'status', status: 413 } as const],
    ['refused by its protection', { kind: 'status', status: 403, body: 'blocked' } as const],
    ['too slow', { kind: 'hang' } as const],
  ])('leaves out a picture that is %s, with its figure, and goes on', async (_, fault) => {
    const { adapter, admin, call, site, standIn } = await open();
    standIn.faults.add({ match: '^POST .*/media$', fault });
    if (fault.kind === 'hang') standIn.faults.add({ match: '^POST .*/media$', fault });
    const delivery = await adapter.publish(admin, article, call);
    const [post] = site.posts.values();
    const media = site.media.values();
    expect(media).toHaveLength(3);
    expect(post!.featuredMedia).toBe(media[0]!.id);
    expect(post!.content).not.toContain('Подпись 1');
    expect(post!.content).not.toContain('okno-1.webp');
    expect(post!.content.match(/<figure>/gu)).toHaveLength(2);
    expect(JSON.parse(/ld\+json">(.*?)<\/script>/u.exec(post!.content)![1]!).image).toHaveLength(3);
    expect(warningsOf(delivery)).toContainEqual(expect.stringContaining('Картинка 1 не попала в статью'));
  });

  it('waits once when the site asks for it', async () => {
    const { adapter, admin, call, site, standIn, pauses } = await open();
    const busy = { kind: 'status', status: 429, retryAfter: 20 } as const;
    standIn.faults.add({ match: '^POST .*/posts$', fault: busy });
    expect(await adapter.publish(admin, article, call)).toMatchObject({ outcome: 'sent' });
    expect(pauses).toEqual([20_000]);
    expect(site.posts.values()).toHaveLength(1);
  });

  it('does not wait longer than a minute', async () => {
    const { adapter, admin, call, standIn, pauses } = await open();
    standIn.faults.add({
      match: '^POST .*/posts$',
      fault: { kind: 'status', status: 429, retryAfter: 3_600 },
    });
    const error = await failure(adapter.publish(admin, article, call));
    expect(error?.report).toMatchObject({ category: 'TRANSIENT', retryAfterMs: 3_600_000 });
    expect(pauses).toEqual([]);
  });

  it('fails before anything is made when the site does not answer (E02)', async () => {
    const { adapter, admin, call, site, standIn } = await open();
    standIn.faults.add({ match: '.', times: null, fault: { kind: 'reset' } });
    const error = await failure(adapter.publish(admin, article, call));
    expect(error).toBeInstanceOf(DeliveryFailed);
    expect(error).toMatchObject({ retryable: true, report: { category: 'TRANSIENT', scope: 'channel' } });
    expect(site.media.values()).toEqual([]);
    standIn.faults.clear();
    expect(await adapter.publish(admin, article, call)).toMatchObject({ outcome: 'sent' });
  });

  it('can be taken back', async () => {
    const { adapter, admin, call, site } = await open();
    const delivery = await adapter.publish(admin, article, call);
    await adapter.remove(admin, (delivery as { providerMessageId: string }).providerMessageId);
    expect(site.posts.values()).toEqual([]);
  });
});

describe('fields for search engines', () => {
  const seo = { ...article.seo, canonical: 'https://example.org/okna', noindex: true };

  it('go to a Yoast that takes them, and what it does not take is told', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'yoast' });
    const delivery = await adapter.publish(admin, { ...article, seo }, call);
    expect(site.posts.values()[0]!.meta).toEqual({
      _yoast_wpseo_title: 'Окна: как выбрать',
      _yoast_wpseo_metadesc: 'Описание для выдачи',
      _yoast_wpseo_focuskw: 'выбрать окна',
    });
    expect(warningsOf(delivery)).toEqual([expect.stringContaining('канонический адрес, запрет индексации')]);
  });

  it('are taken whole without a word', async () => {
    const { adapter, admin, call } = await open({ seo: 'yoast' });
    expect(warningsOf(await adapter.publish(admin, article, call))).toEqual([]);
  });

  it('are dropped in silence by an old Yoast: read back, and told once', async () => {
    const { adapter, admin, call } = await open({ seo: 'yoast-old' });
    expect(warningsOf(await adapter.publish(admin, article, call))).toEqual([
      expect.stringContaining('Yoast SEO не принял через API: SEO-заголовок, SEO-описание, ключевая фраза'),
    ]);
  });

  it('are refused after the post was saved: still one post, and told once', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'yoast-old', unknownMeta: 'refused' });
    const delivery = await adapter.publish(admin, article, call);
    expect(delivery).toMatchObject({
      outcome: 'sent',
      warnings: [expect.stringContaining('Yoast SEO не принял')],
    });
    expect(site.posts.values()).toHaveLength(1);
  });

  it('are refused before the post was saved: it is made without them', async () => {
    const { adapter, admin, call, site, standIn } = await open({ seo: 'yoast-old' });
    const body = {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): meta',
      data: { status: 400, params: { meta: 'no' } },
    };
    standIn.faults.add({ match: '^POST .*/posts$', fault: { kind: 'status', status: 400, body } });
    expect(await adapter.publish(admin, article, call)).toMatchObject({ outcome: 'sent' });
    expect(site.posts.values()).toHaveLength(1);
  });

  it('go to Rank Math at its own address', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'rankmath' });
    const delivery = await adapter.publish(admin, { ...article, seo }, call);
    expect(site.posts.values()[0]!.meta).toEqual({
      rank_math_title: 'Окна: как выбрать',
      rank_math_description: 'Описание для выдачи',
      rank_math_focus_keyword: 'выбрать окна',
      rank_math_canonical_url: 'https://example.org/okna',
      rank_math_robots: ['noindex'],
    });
    expect(warningsOf(delivery)).toEqual([]);
  });

  it('lost by Rank Math cost a warning, not the article', async () => {
    const { adapter, admin, call, standIn } = await open({ seo: 'rankmath' });
    standIn.faults.add({ match: 'updateMeta', fault: { kind: 'reset' } });
    expect(await adapter.publish(admin, article, call)).toMatchObject({
      outcome: 'sent',
      warnings: [expect.stringContaining('Rank Math не принял')],
    });
  });

  it('have no place without a plugin, which is told once', async () => {
    const { adapter, admin, call } = await open();
    expect(warningsOf(await adapter.publish(admin, article, call))).toEqual([
      expect.stringContaining('не нашлось SEO-плагина, и сохранить негде: SEO-заголовок, SEO-описание'),
    ]);
  });

  it('of which a theme shows the description from the excerpt are not mourned for it', async () => {
    const { adapter, admin, call } = await open({ themeDescribes: true });
    const delivery = await adapter.publish(admin, { ...article, excerpt: article.seo.description }, call);
    expect(warningsOf(delivery)).toEqual([
      'SEO-описание на странице есть: сайт берёт его из отрывка записи. Без SEO-плагина сохранить негде: SEO-заголовок, ключевая фраза.',
    ]);
    expect(delivery).toMatchObject({ raw: { site: { describesArticles: true } } });
  });

  it('that Rank Math keeps and does not show, before its wizard is done, are told of', async () => {
    const { adapter, admin, call } = await open({ seo: 'rankmath-new' });
    const delivery = await adapter.publish(admin, article, call);
    expect(warningsOf(delivery)).toEqual([expect.stringContaining('завершите мастер')]);
    expect(delivery).toMatchObject({ raw: { site: { describesArticles: false } } });
  });

  it('go to SEOPress at its own addresses, and are read back', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'seopress' });
    const delivery = await adapter.publish(admin, { ...article, seo }, call);
    expect(site.posts.values()[0]!.meta).toEqual({
      _seopress_titles_title: 'Окна: как выбрать',
      _seopress_titles_desc: 'Описание для выдачи',
      _seopress_analysis_target_kw: 'выбрать окна',
      _seopress_robots_canonical: 'https://example.org/okna',
      _seopress_robots_index: 'yes',
    });
    expect(warningsOf(delivery)).toEqual([]);
  });

  it('lost by SEOPress cost a warning, not the article', async () => {
    const { adapter, admin, call, standIn } = await open({ seo: 'seopress' });
    standIn.faults.add({ match: 'title-description-metas', fault: { kind: 'reset' } });
    expect(await adapter.publish(admin, article, call)).toMatchObject({
      outcome: 'sent',
      warnings: [expect.stringContaining('SEOPress не принял через API: SEO-заголовок')],
    });
  });
});

describe('data for search engines', () => {
  const isKept = () => desk.site.posts.values()[0]!.content.includes('<script type="application/ld+json">');
  const isLeftAsText = () => desk.site.posts.values()[0]!.content.includes('schema.org') && !isKept();

  it('stays in posts of an administrator, with the pictures at their new addresses', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'yoast' });
    const delivery = await adapter.publish(admin, article, call);
    const { content } = site.posts.values()[0]!;
    expect(isKept()).toBe(true);
    expect(JSON.parse(/ld\+json">(.*?)<\/script>/u.exec(content)![1]!).image).toEqual(
      site.media.values().map(({ file }) => `${desk.standIn.url}/wp-content/uploads/${file}`),
    );
    expect(warningsOf(delivery)).toEqual([]);
  });

  it('is not sent in the name of an author, where it would turn into text', async () => {
    const { adapter, author, call } = await open({ seo: 'yoast' });
    const delivery = await adapter.publish(author, { ...article, categories: [] }, call);
    expect([isKept(), isLeftAsText()]).toEqual([false, false]);
    expect(warningsOf(delivery)).toEqual([expect.stringContaining('JSON-LD')]);
  });

  it('is cleared away where a site forbids scripts even to its administrator', async () => {
    const { adapter, admin, call, site } = await open({ seo: 'yoast', unfilteredHtml: false });
    const delivery = await adapter.publish(admin, article, call);
    expect([isKept(), isLeftAsText()]).toEqual([false, false]);
    expect(site.posts.values()[0]!.content).toContain('Вступление');
    expect(warningsOf(delivery)).toEqual([expect.stringContaining('JSON-LD')]);
  });
});
