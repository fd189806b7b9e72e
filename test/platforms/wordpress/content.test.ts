import { describe, expect, it } from 'vitest';
import {
  holdsAnyMark,
  holdsMark,
  toPostContent,
  withMark,
  withoutJsonLd,
} from '../../../src/platforms/wordpress/content.ts';

const from = 'https://bot.example/p/1.webp?a=1&b=$&';
const inHtml = from.replaceAll('&', '&amp;');
const moved = [{ from, to: { id: 7, url: 'https://site.example/1.webp' } }];
const lost = [{ from, to: null }];

describe('the text of a post', () => {
  it('has no title of its own', () => {
    expect(toPostContent('<h1 class="x">Окна</h1>\n<p>Текст</p>', []).body).toBe('<p>Текст</p>');
  });

  it('shows pictures from the site, and links to them too', () => {
    const html = `<figure><a href="${inHtml}"><img src="${inHtml}" alt="A"></a></figure>`;
    expect(toPostContent(html, moved).body).toBe(
      '<figure><a href="https://site.example/1.webp"><img class="wp-image-7" src="https://site.example/1.webp" alt="A"></a></figure>',
    );
  });

  it('loses a picture with its figure, and only that one', () => {
    const other = '<figure><img src="https://other.example/2.webp"></figure>';
    const html = `<figure><img src="${inHtml}"><figcaption>Раз</figcaption></figure>\n${other}`;
    expect(toPostContent(html, lost).body).toBe(other);
  });

  it('loses a picture in a table without the table', () => {
    expect(toPostContent(`<table><tr><td>А <img src="${inHtml}"></td></tr></table>`, lost).body).toContain(
      '<table><tr><td>А </td></tr></table>',
    );
  });

  it('lets a wide table scroll by itself instead of sticking out of a small screen', () => {
    const table = '<table>\n<tbody>\n<tr><td>1</td></tr></tbody></table>';
    expect(toPostContent(`<p>А</p>${table}<p>Б</p>`, []).body).toBe(
      `<p>А</p><div class="wp-block-table" style="overflow:auto" role="region" aria-label="Таблица" tabindex="0">${table}</div><p>Б</p>`,
    );
  });

  it('cannot make WordPress run anything', () => {
    const html =
      '<p>Вызов [gallery ids="1"] и <img src="https://a.example/1" alt="[x]"></p>\n<p> https://video.example/1 </p>\n<p>Смотрите https://site.example/</p>';
    expect(toPostContent(html, []).body).toBe(
      '<p>Вызов &#91;gallery ids="1"] и <img src="https://a.example/1" alt="&#91;x]"></p>\n<p> https:&#47;&#47;video.example/1 </p>\n<p>Смотрите https://site.example/</p>',
    );
  });

  it('does not take one address for the beginning of another', () => {
    const html = '<img src="https://bot.example/1"><img src="https://bot.example/12">';
    const to = { id: 7, url: 'https://site.example/1' };
    expect(toPostContent(html, [{ from: 'https://bot.example/1', to }]).body).toBe(
      '<img class="wp-image-7" src="https://site.example/1"><img src="https://bot.example/12">',
    );
  });
});

describe('data for search engines', () => {
  const script = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

  it('names the pictures where they are now', () => {
    const { body, jsonLd } = toPostContent(`<p>Т</p>${script({ image: [from], name: 'x' })}`, moved);
    expect([body, jsonLd]).toEqual([
      '<p>Т</p>',
      script({ image: ['https://site.example/1.webp'], name: 'x' }),
    ]);
  });

  it('names no picture that is not there', () => {
    expect(toPostContent(script({ image: [from], name: 'x' }), lost).jsonLd).toBe(script({ name: 'x' }));
  });

  it('stays safe when an answer holds a closing tag', () => {
    const { jsonLd } = toPostContent(
      script({ text: '\u003c/script>' }).replace('</script>"', '\\u003c/script>"'),
      [],
    );
    expect(jsonLd.match(/<\/script>/gu)).toHaveLength(1);
  });

  it('calls nothing that WordPress would run', () => {
    const data = { text: 'Вызов [gallery] и [/x]', list: [[true], ['a'], [null]] };
    const { jsonLd } = toPostContent(script(data), []);
    expect(jsonLd).not.toMatch(/\[\/?(?:gallery|x)/u);
    expect(JSON.parse(jsonLd.replace(/<[^>]*>/gu, ''))).toEqual(data);
  });

  it('can be taken out again, and nothing else with it', () => {
    const whole = withMark({ body: '<p>Т</p>', jsonLd: script({ a: 1 }) }, 'abc');
    expect(withoutJsonLd(whole)).toBe(withMark({ body: '<p>Т</p>', jsonLd: '' }, 'abc'));
    expect(withoutJsonLd('<p>Т</p>')).toBe('<p>Т</p>');
  });
});

describe('the mark of a publication', () => {
  it('stands inside the first paragraph, or at the end where there is none', () => {
    expect(withMark({ body: '<p>А</p><p>Б</p>', jsonLd: '' }, 'abc')).toBe(
      '<p>А<!-- publication abc --></p><p>Б</p>',
    );
    expect(withMark({ body: '<ul></ul>', jsonLd: '' }, 'abc')).toBe('<ul></ul><!-- publication abc -->');
  });

  it('is told from every other', () => {
    const content = withMark({ body: '<p>А</p>', jsonLd: '' }, 'abcd');
    expect([holdsMark(content, 'abcd'), holdsMark(content, 'abc'), holdsAnyMark(content)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
