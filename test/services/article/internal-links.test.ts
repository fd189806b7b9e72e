import { describe, expect, it } from 'vitest';
import { internalLinks, isOnSite, ownPages } from '../../../src/services/article/internal-links.ts';

const site = 'https://www.shop.ru';
const urls = (addresses: string[], phrase = 'кухни на заказ') =>
  internalLinks(ownPages(addresses, site), phrase).map(({ url }) => url);

describe('links to own pages', () => {
  it('tell by their address what they are about', () => {
    expect(
      internalLinks(
        ownPages(
          [
            'https://shop.ru/blog/kukhni_na-zakaz.html?utm=1',
            'https://shop.ru/%D1%86%D0%B5%D0%BD%D1%8B',
            'https://shop.ru/',
            'https://shop.ru/skidka-100%',
          ],
          site,
        ),
        'двери',
      ),
    ).toEqual([
      { url: 'https://shop.ru/blog/kukhni_na-zakaz.html', hint: 'kukhni na zakaz' },
      { url: 'https://shop.ru/%D1%86%D0%B5%D0%BD%D1%8B', hint: 'цены' },
      { url: 'https://shop.ru/', hint: 'главная страница' },
      { url: 'https://shop.ru/skidka-100%', hint: 'skidka 100%' },
    ]);
  });

  it('are on the own site only', () => {
    expect(
      urls([
        'https://evil.ru/shop.ru',
        'https://shop.ru.evil.com/a',
        'javascript:alert(1)',
        'https://blog.shop.ru/a',
      ]),
    ).toEqual(['https://blog.shop.ru/a']);
  });

  it('are pages, each once', () => {
    const noPages = ['/sitemap.xml', '/wp-admin/', '/feed/', '/logo.png', '/page/2', '/tag/okna'];
    const same = ['https://shop.ru/a', 'https://shop.ru/a?utm=1', 'https://shop.ru/a#top'];
    expect(urls([...noPages.map((path) => `https://shop.ru${path}`), ...same])).toEqual([
      'https://shop.ru/a',
    ]);
  });

  it('are twenty at most, the nearest to the topic first, of a site with thousands of pages', () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `https://shop.ru/statya-${i}`);
    const chosen = urls(
      [...many, 'https://shop.ru/kukhnya-iz-massiva', 'https://shop.ru/кухни-на-заказ'],
      'кухни на заказ',
    );
    expect(chosen).toHaveLength(20);
    expect(chosen.slice(0, 2).map((url) => decodeURI(url))).toEqual([
      'https://shop.ru/кухни-на-заказ',
      'https://shop.ru/kukhnya-iz-massiva',
    ]);
  });
});

describe('an address', () => {
  it.each([
    ['https://www.shop.ru/a', 'shop.ru', true],
    ['http://blog.shop.ru', 'https://www.shop.ru/', true],
    ['https://eshop.ru/', 'shop.ru', false],
    ['https://shop.ru/', '', false],
    ['https://shop.ru/', 'не сайт', false],
  ])('%s is on the site %j: %s', (address, own, expected) => expect(isOnSite(address, own)).toBe(expected));
});
