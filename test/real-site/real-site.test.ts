import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../support/article-customer.ts';
import { openBrowser } from '../support/browser.ts';
import { LONG, PHRASE, type PlayedBot, seesPreview, startPlayedBot } from '../support/played-bot.ts';
import { missingPrograms, type RealWordPress, startWordPress } from './start-wordpress.ts';

/*
 * `npm run real-site`: a real WordPress on loopback, connected and published to through the bot's dialogue; then its page is
 * read as a visitor, a search engine and Lighthouse would. `npm test` skips it: it wants programs that few machines have.
 * Screenshots and reports go to REAL_SITE, a folder.
 */
const { REAL_SITE: out = '', CHROMIUM_PATH = '/usr/bin/chromium' } = process.env;
const missing = out === '' ? [] : missingPrograms();
if (missing.length > 0) console.log(`no real WordPress, not on this machine: ${missing.join(', ')}`);
const themes = ['twentytwentythree', 'twentytwentyone'] as const;
const screens = { desktop: { width: 1_300, height: 900 }, mobile: { width: 390, height: 844 } } as const;
const minutes = (count: number) => ({ timeout: count * 60_000 });

describe.skipIf(out === '' || missing.length > 0)('an article on a real WordPress', () => {
  let wordpress: RealWordPress;
  let played: PlayedBot;
  let url: string;
  let page: Seen;
  let anna: Awaited<ReturnType<PlayedBot['newcomer']>>;
  beforeAll(async () => {
    mkdirSync(out, { recursive: true });
    wordpress = await startWordPress();
    played = await startPlayedBot();
    url = await publishedThroughTheBot();
    page = await seen();
    console.log(`WordPress ${wordpress.version}`, url, page);
  }, 180_000);
  afterAll(async () => {
    await played?.stop();
    await wordpress?.close();
  }, 60_000);

  it('leads to no dead address, and to pages of the site that have to do with it', async () => {
    const own = page.links.filter((href) => href.startsWith(wordpress.url));
    const statuses = await Promise.all(own.map(async (href) => [href, await statusOf(href)]));
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    expect(page.inner.length).toBeGreaterThanOrEqual(2);
    expect(page.inner.map(({ href }) => href)).not.toContain(`${wordpress.url}/chernovik/`);
    expect(page.lostAnchors).toEqual([]);
  });

  it('tells search engines the questions and answers that it shows', () => {
    const faq = page.data.find((each) => each['@type'] === 'FAQPage');
    expect(faq?.mainEntity?.length).toBeGreaterThan(1);
    for (const { name, acceptedAnswer } of faq!.mainEntity!) {
      expect(plain(page.text)).toContain(plain(name));
      expect(plain(page.text)).toContain(plain(acceptedAnswer.text));
    }
  });

  it('carries what search engines require of an article and of questions', () => {
    const article = page.data.find((each) => each['@type'] === 'Article')!;
    expect(article.headline!.length).toBeGreaterThan(0);
    expect(article.headline!.length).toBeLessThanOrEqual(110);
    expect(article.image!.length).toBeGreaterThan(0);
    for (const image of article.image!) expect(page.pictures).toContain(image);
    for (const at of [article.datePublished!, article.dateModified!])
      expect(new Date(at).toISOString()).toBe(at);
    expect(article.author).toMatchObject({ '@type': expect.stringMatching(/^(?:Person|Organization)$/u) });
    expect(article.author!.name.length).toBeGreaterThan(0);
    expect(article.publisher!.name.length).toBeGreaterThan(0);
    expect(JSON.stringify(article.mainEntityOfPage)).toContain(url);
    for (const each of page.data.find((one) => one['@type'] === 'FAQPage')!.mainEntity!) {
      expect(each).toMatchObject({ '@type': 'Question', acceptedAnswer: { '@type': 'Answer' } });
      expect(each.acceptedAnswer.text.length).toBeGreaterThan(0);
    }
  });

  it('shows every picture once, and the featured one only as such', async () => {
    expect(page.pictures.length).toBe(3);
    expect(new Set(page.pictures).size).toBe(3);
    for (const src of page.pictures) expect(await statusOf(src)).toBe(200);
  });

  it('has one heading of the first level, and a description of a good length', () => {
    expect(page.h1).toBe(1);
    expect(page.description.length).toBeGreaterThanOrEqual(70);
    expect(page.description.length).toBeLessThanOrEqual(160);
  });

  it('is renewed at its address, and put back by one press', minutes(3), async () => {
    const before = await bodyOf(url);
    await anna.presses('Обновить статью');
    await anna.presses('Предложить новый вариант');
    await anna.sees('Появилось в статье:', LONG);
    await anna.presses('Обновить на сайте');
    await anna.sees('Статья обновлена на том же адресе', LONG);
    const renewed = await bodyOf(url);
    expect(renewed).not.toBe(before);
    expect(
      /"dateModified":"([^"]+)"/u.exec(renewed)![1]! > /"dateModified":"([^"]+)"/u.exec(before)![1]!,
    ).toBe(true);
    await anna.forges(`publication:${await publicationId()}:result`);
    await anna.presses('Вернуть прежний вариант');
    await anna.sees('Прежний вариант снова на сайте', LONG);
    expect(await bodyOf(url)).toBe(before);
  });

  it(
    'says in a sentence why a site that cannot reach wordpress.org gets no SEO plugin',
    minutes(1),
    async () => {
      const [site] = await played.bot.app.sql<{ id: number }[]>`
      select n.id from platform_connections n where n.project_id = ${anna.projectId}`;
      await anna.forges(`conn:${site!.id}:wp:seo`);
      await anna.sees('бесплатный плагин SEOPress', LONG);
      await anna.presses('Установить SEOPress');
      await anna.sees('Сайт не смог скачать плагин с wordpress.org', LONG);
    },
  );

  describe.each(themes)('in the theme %s', (theme) => {
    beforeAll(() => wordpress.use(theme));

    it.each(Object.keys(screens) as (keyof typeof screens)[])(
      'fits a %s screen',
      minutes(1),
      async (name) => {
        const browser = await openBrowser(screens[name]);
        try {
          const tab = await browser.newPage();
          await tab.goto(url, { waitUntil: 'networkidle' });
          // Pictures load as they come into view.
          await tab.evaluate(`(async () => {
          for (let y = 0; y < document.body.scrollHeight; y += 600) {
            scrollTo(0, y);
            await new Promise((done) => setTimeout(done, 60));
          }
          scrollTo(0, 0);
        })()`);
          await tab.waitForLoadState('networkidle');
          await tab.screenshot({ path: join(out, `${theme}-${name}.png`), fullPage: true });
          const root = 'document.documentElement';
          expect(await tab.evaluate(`${root}.scrollWidth - ${root}.clientWidth`)).toBeLessThanOrEqual(0);
        } finally {
          await browser.close();
        }
      },
    );

    it.each(['desktop', 'mobile'])('satisfies Lighthouse on a %s', minutes(6), async (preset) => {
      expect(await judged(theme, preset)).toEqual({ accessibility: '100', seo: '100' });
    });
  });

  const publicationId = async () =>
    (
      await played.bot.app.sql<{ id: number }[]>`
      select id from publication_logs where user_id = ${anna.id} order by id desc limit 1`
    )[0]!.id;

  async function publishedThroughTheBot(): Promise<string> {
    anna = await played.newcomer();
    const { sql } = played.bot.app;
    const keywords = JSON.stringify([aCluster(PHRASE)]);
    await sql`
      update projects set company_city = 'Казань', company_phone = '+7 900 000-00-00' where id = ${anna.projectId}`;
    await sql`
      insert into categories (project_id, name, keywords, image_settings, prices)
      values (${anna.projectId}, 'Кухни на заказ', ${keywords}::text::jsonb, '{"count": 3}',
        ${'Кухня под ключ — от 120 000 ₽\nСтолешница — 18 000 ₽'})`;
    await anna.presses('Проекты');
    await anna.presses('Кухни');
    await anna.presses('Подключения');
    await anna.presses('+ WordPress');
    anna.says(wordpress.url);
    await anna.sees('Подключение WordPress (2/3)', LONG);
    anna.says(wordpress.login);
    await anna.sees('Подключение WordPress (3/3)', LONG);
    anna.says(wordpress.password);
    await anna.sees('подключён к проекту', LONG);
    await anna.presses('Написать статью');
    await anna.presses('Дальше', LONG).catch(() => undefined);
    await anna.presses('Создать статью', LONG);
    await seesPreview(anna);
    await anna.presses('Опубликовать', LONG);
    await anna.sees('Статья опубликована', LONG);
    const link = anna
      .screen()!
      .reply_markup!.inline_keyboard.flat()
      .find(({ text }) => text === 'Открыть на сайте');
    return link!.url!;
  }

  /** As a browser has it. */
  async function seen(): Promise<Seen> {
    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(url, { waitUntil: 'networkidle' });
      return await tab.evaluate<Seen>(LOOK);
    } finally {
      await browser.close();
    }
  }

  /** The score of each category, with the names of the audits that failed. */
  async function judged(theme: string, preset: string): Promise<Record<string, string>> {
    const report = join(out, `lighthouse-${theme}-${preset}.json`);
    const args = ['--yes', 'lighthouse@12', url, '--quiet', '--output=json', `--output-path=${report}`];
    args.push('--only-categories=accessibility,seo', '--max-wait-for-load=90000');
    if (preset === 'desktop') args.push('--preset=desktop');
    args.push('--chrome-flags=--headless --no-sandbox --disable-gpu --disable-quic --no-first-run');
    await promisify(execFile)('npx', args, { env: { ...process.env, CHROME_PATH: CHROMIUM_PATH } });
    const { categories, audits } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    return Object.fromEntries(
      Object.entries(categories).map(([id, { score, auditRefs }]) => {
        const failed = auditRefs.filter((ref) => ref.weight > 0 && audits[ref.id]?.score === 0);
        const why = failed.map((ref) => audits[ref.id]!.title).join('; ');
        return [id, `${Math.round(score * 100)} ${why}`.trim()];
      }),
    );
  }
});

/** The body is read: one that is left unread may end the process when PHP closes the connection. */
async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

/** Of a page, its article and its data, without what changes with every request. */
async function bodyOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  return (
    /<(?:div|article)[^>]*(?:entry-content|wp-block-post-content)[\s\S]*?<\/script>/u.exec(html)?.[0] ?? html
  );
}

type Seen = {
  links: string[];
  inner: { href: string; text: string }[];
  lostAnchors: string[];
  data: {
    '@type': string;
    headline?: string;
    image?: string[];
    datePublished?: string;
    dateModified?: string;
    author?: { '@type': string; name: string };
    publisher?: { name: string };
    mainEntityOfPage?: unknown;
    mainEntity?: { name: string; acceptedAnswer: { text: string } }[];
  }[];
  text: string;
  pictures: string[];
  h1: number;
  description: string;
};

const LOOK = `(() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const content = document.querySelector('.entry-content, .wp-block-post-content');
  const bare = (address) => address.split('#')[0];
  const links = all('main a[href], article a[href]').filter((a) => a.href.startsWith('http'));
  return {
    links: [...new Set(links.map((a) => bare(a.href)))],
    inner: links
      .filter((a) => content.contains(a) && new URL(a.href).origin === location.origin)
      .filter((a) => bare(a.href) !== bare(location.href))
      .map((a) => ({ href: bare(a.href), text: a.textContent })),
    lostAnchors: all('a[href^="#"]')
      .map((a) => decodeURIComponent(a.getAttribute('href').slice(1)))
      .filter((id) => id !== '' && !document.getElementById(id)),
    data: all('script[type="application/ld+json"]').flatMap((script) => {
      const data = JSON.parse(script.textContent);
      return data['@graph'] ?? [data];
    }),
    text: content.textContent,
    pictures: all('main img, article img').map((img) => img.getAttribute('src').replace(/-\\d+x\\d+(?=\\.\\w+$)/, '')),
    h1: all('h1').length,
    description: document.querySelector('meta[name=description]')?.content ?? '',
  };
})()`;

type Report = {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null }>;
};

const plain = (text: string): string => text.replace(/[\s\u00a0\u202f\u2009]+/gu, ' ').trim();
