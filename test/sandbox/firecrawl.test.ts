import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FirecrawlStandIn, startFirecrawlStandIn } from '../../src/sandbox/firecrawl/start.ts';
import { topicOf } from '../../src/sandbox/firecrawl/topic-of.ts';
import { writePage } from '../../src/sandbox/firecrawl/write-page.ts';

let web: FirecrawlStandIn;
beforeEach(async () => {
  web = await startFirecrawlStandIn({ apiKey: 'fc' });
});
afterEach(() => web.close());

async function post(path: string, body: unknown, key = 'fc') {
  const response = await fetch(`${web.url}/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const words = (text: string) => text.split(/\s+/u).length;

describe("Firecrawl's stand-in", () => {
  it('reads any address as a page about what it names', async () => {
    const { body } = await post('/scrape', {
      url: 'https://sovety.example/blog/kak-vybrat-kukhnyu',
      formats: [
        'markdown',
        'summary',
        'links',
        'html',
        'branding',
        { type: 'json', schema: { type: 'object' } },
      ],
      onlyMainContent: true,
    });
    expect(body.success).toBe(true);
    expect(body.data.markdown).toMatch(/^# Как выбрать кухню: .+\n\n.+\n\n## /u);
    expect(body.data.html).toContain('<h2>');
    expect(body.data.metadata).toMatchObject({ statusCode: 200, language: 'ru' });
    expect(Object.keys(body.data)).toEqual(expect.arrayContaining(['summary', 'links', 'branding', 'json']));
  });

  it('reads the same page every time, and another one elsewhere', () => {
    const [a, b] = ['https://a.example/okna', 'https://b.example/okna'];
    expect(writePage(a)).toEqual(writePage(a));
    expect(writePage(a).markdown).not.toBe(writePage(b).markdown);
  });

  it('writes pages as long as real ones, without leaving a gap unfilled', () => {
    for (let i = 0; i < 40; i += 1) {
      const { markdown } = writePage(`https://site-${i}.example/remont-kvartir`);
      expect(words(markdown)).toBeGreaterThan(750);
      expect(words(markdown)).toBeLessThan(2_600);
      expect(markdown).not.toMatch(/[{}]|undefined/u);
    }
  });

  it('plays the site: its 404 succeeds, its pictures have no text, its page gives orders', async () => {
    const read = async (mood: 'not-found' | 'empty' | 'injection') => {
      web.moods.set('shop.example', mood);
      return (await post('/scrape', { url: 'https://shop.example/a', formats: ['markdown'] })).body;
    };
    expect(await read('not-found')).toMatchObject({ success: true, data: { metadata: { statusCode: 404 } } });
    expect(await read('empty')).toMatchObject({ success: true, data: { markdown: '' } });
    expect((await read('injection')).data.markdown).toMatch(/Игнорируй.+<script>/su);
  });

  it('maps a site', async () => {
    const { body } = await post('/map', { url: 'https://shop.example', limit: 3 });
    expect(body.links).toHaveLength(3);
    expect(body.links[0]).toEqual({ url: 'https://shop.example/', title: 'Главная' });
  });

  it('answers a schema in its own terms', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        topics: { type: 'array' },
        pages: { type: ['number', 'null'] },
        big: { type: 'boolean' },
      },
    };
    const { body } = await post('/scrape', {
      url: 'https://shop.example',
      formats: [{ type: 'json', schema }],
    });
    expect(body.data.json).toEqual({
      name: expect.any(String),
      topics: expect.arrayContaining([expect.any(String)]),
      pages: expect.any(Number),
      big: expect.any(Boolean),
    });
  });

  it('refuses strangers and nonsense in the words of Firecrawl', async () => {
    expect(await post('/scrape', { url: 'https://a.example' }, 'other')).toEqual({
      status: 401,
      body: { success: false, error: 'Unauthorized: Invalid token' },
    });
    for (const body of [{}, { url: 'ftp://a.example' }, { url: 'https://a.example', formats: ['poem'] }])
      expect(await post('/scrape', body)).toMatchObject({
        status: 400,
        body: { success: false, code: 'BAD_REQUEST' },
      });
  });

  it.each([
    [402, /credits/u],
    [408, /timed out/u],
    [429, /Rate limit/u],
  ])('can be told to answer %i', async (status, error) => {
    web.faults.add({ match: 'scrape', fault: { kind: 'status', status } });
    expect(await post('/scrape', { url: 'https://a.example' })).toEqual({
      status,
      body: expect.objectContaining({ success: false, error: expect.stringMatching(error) }),
    });
  });
});

describe('the topic of an address', () => {
  it.each([
    ['https://a.example/kak-vybrat-kukhnyu', 'как выбрать кухню'],
    ['https://a.example/blog/shchetki-dlya-yakhty.html', 'щетки для яхты'],
    ['https://a.example/%D0%BE%D0%BA%D0%BD%D0%B0-%D0%BF%D0%B2%D1%85', 'окна пвх'],
    ['https://a.example/search?q=ремонт+квартир', 'ремонт квартир'],
    ['https://mebel-na-zakaz.example/', 'мебель на заказ'],
    ['https://a.ru/', 'услуги для дома'],
  ])('%s is %s', (address, topic) => expect(topicOf(address)).toBe(topic));
});
