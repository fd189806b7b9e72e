import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { describedIn } from '../../../src/platforms/wordpress/described-in.ts';
import { createSeoPluginDesk } from '../../../src/platforms/wordpress/seo-plugin.ts';
import type { SiteSettings } from '../../../src/sandbox/wordpress/wire.ts';
import type { Connection } from '../../../src/store/connections.ts';
import { article, type Desk, openDesk } from './desk.ts';

const OWNER = 1;
const SITE = 3;
let desk: Desk;
afterEach(() => desk?.standIn.close());

describe('an SEO plugin on a site that has none', () => {
  it('is installed by one press, and the next description is on its page', async () => {
    const { plugins, noted, publish, descriptionOf } = await open();
    expect(await publish('first')).toMatchObject({
      warnings: [expect.stringContaining('поисковикам эта тема его не показывает')],
      raw: { site: { seoPlugin: null, mayInstallPlugins: true, describesArticles: false } },
    });
    expect(await descriptionOf(0)).toBeNull();
    expect(await plugins.look(OWNER, SITE)).toEqual({ identifier: 'okna.ru', state: 'offered' });

    expect(await plugins.install(OWNER, SITE)).toEqual({ outcome: 'installed' });

    expect(noted()).toMatchObject({ seoPlugin: 'seopress' });
    expect(await plugins.look(OWNER, SITE)).toMatchObject({ state: 'there', plugin: 'seopress' });
    expect(await publish('second')).toMatchObject({
      warnings: [],
      raw: { site: { seoPlugin: 'seopress', describesArticles: true } },
    });
    expect(await descriptionOf(1)).toBe(article.seo.description);
  });

  it.each<[what: string, settings: Partial<SiteSettings>, sentence: string]>([
    ['the site forbids new plugins', { plugins: 'forbidden' }, 'DISALLOW_FILE_MODS'],
    ['its folder cannot be written to', { plugins: 'unwritable' }, 'не может записать файлы плагина'],
    ['wordpress.org cannot be reached from it', { plugins: 'unreachable' }, 'не смог скачать плагин'],
    ['its PHP is too old', { plugins: 'incompatible' }, 'более новая версия WordPress или PHP'],
    ['its password was taken back', { applicationPasswords: false }, 'Сайт не узнал пользователя'],
  ])('is not installed where %s, which is told in a sentence', async (_, settings, sentence) => {
    const { plugins } = await open(settings);
    expect(await plugins.install(OWNER, SITE)).toEqual({
      outcome: 'failed',
      why: expect.stringContaining(sentence),
    });
    expect(desk.site.plugins.values()).toEqual([]);
  });

  it('is offered only where the connected user may install plugins', async () => {
    const { plugins, noted } = await open({}, 'author');
    expect(await plugins.look(OWNER, SITE)).toEqual({ identifier: 'okna.ru', state: 'no-rights' });
    expect(noted()).toMatchObject({ mayInstallPlugins: false });
    expect(await plugins.install(OWNER, SITE)).toMatchObject({
      outcome: 'failed',
      why: expect.stringContaining('Нужны права администратора'),
    });
  });

  it('that takes long is waited for in the background: a second press joins it, and it is seen when it is there', async () => {
    const { plugins, orders } = await open({ installMs: 600 }, 'admin', 200);
    expect(await plugins.install(OWNER, SITE)).toEqual({ outcome: 'slow' });
    expect(await plugins.look(OWNER, SITE)).toMatchObject({ state: 'installing' });
    expect(await plugins.install(OWNER, SITE)).toEqual({ outcome: 'slow' });
    await expect.poll(() => plugins.look(OWNER, SITE), { timeout: 5_000 }).toMatchObject({ state: 'there' });
    expect(orders()).toBe(1);
  });

  it('that lies there switched off is switched on', async () => {
    const { plugins } = await open();
    const lying = { plugin: 'wp-seopress/seopress', name: 'SEOPress', status: 'inactive' } as const;
    desk.site.plugins.put(lying.plugin, lying);
    expect(await plugins.install(OWNER, SITE)).toEqual({ outcome: 'installed' });
    expect(desk.site.plugins.values()).toEqual([{ ...lying, status: 'active' }]);
  });

  it('whose answer was lost is looked for before it is asked for again', async () => {
    const { plugins } = await open();
    desk.standIn.faults.add({ match: '^POST .*/plugins$', fault: { kind: 'reset-after' }, times: 1 });
    expect(await plugins.install(OWNER, SITE)).toMatchObject({
      why: expect.stringContaining('плагин мог установиться'),
    });
    expect(await plugins.install(OWNER, SITE)).toEqual({ outcome: 'installed' });
  });

  it('belongs to the owner of the site alone', async () => {
    const { plugins } = await open();
    expect(await plugins.look(2, SITE)).toBeNull();
    expect(await plugins.install(2, SITE)).toBeNull();
  });

  it('leaves a site alone that does not answer, and says so', async () => {
    const { plugins } = await open({}, 'admin', 200);
    desk.standIn.faults.add({ match: '.*', fault: { kind: 'hang' }, times: null });
    expect(await plugins.look(OWNER, SITE)).toMatchObject({ state: 'unanswered' });
  });
});

describe('the description in a page', () => {
  it.each([
    ['<head><meta name="description" content="Окна &amp; двери"></head>', 'Окна & двери'],
    ["<meta content='Окна' name='description' />", 'Окна'],
    ['<meta property="og:description" content="Окна">', null],
    ['<meta name="description" content="">', null],
    ['<head></head><body><meta name="description" content="Окна"></body>', null],
  ])('of %s', (html, description) => {
    expect(describedIn(html)).toBe(description);
  });
});

async function open(
  settings: Partial<SiteSettings> = {},
  who: 'admin' | 'author' = 'admin',
  patienceMs = 5_000,
) {
  desk = await openDesk(settings, 5_000);
  const { url, login, appPassword } = desk[who];
  const identifier = 'okna.ru';
  let ordered = 0;
  let metadata: Connection['metadata'] = { restRoot: `${url}/wp-json/` };
  const plugins = createSeoPluginDesk({
    find: async (userId) =>
      userId === OWNER ? ({ id: SITE, platform: 'wordpress', identifier, metadata } as Connection) : null,
    credentials: async () => ({ url, login, app_password: appPassword, identifier }),
    note: async (_, change) => {
      metadata = { ...metadata, ...change.metadata };
    },
    wordpress: {
      ...desk.wordpress,
      installPlugin: (...order) => {
        ordered += 1;
        return desk.wordpress.installPlugin(...order);
      },
    },
    log: pino({ level: 'silent' }),
    patienceMs,
  });
  return {
    plugins,
    noted: () => metadata,
    orders: () => ordered,
    async publish(name: string) {
      const stage: typeof desk.call.stage = (_, work) => work();
      const text = { ...article, slug: name, title: name, html: article.html.replace('Текст', name) };
      return desk.adapter.publish(desk[who], text, { idempotencyKey: name, stage });
    },
    descriptionOf: async (n: number) => {
      const page = await fetch(`${url}/?p=${desk.site.posts.values()[n]!.id}`);
      return describedIn(await page.text());
    },
  };
}
