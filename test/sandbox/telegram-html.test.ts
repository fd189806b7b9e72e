import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandsAndLinks, formatText } from '../../src/sandbox/telegram/formatted-text.ts';
import { parseHtml } from '../../src/sandbox/telegram/html.ts';

const entity = (type: string, offset: number, length: number, more = {}) => ({
  type,
  offset,
  length,
  ...more,
});

describe('Telegram HTML', () => {
  it.each([
    ['b', 'bold'],
    ['strong', 'bold'],
    ['i', 'italic'],
    ['em', 'italic'],
    ['u', 'underline'],
    ['ins', 'underline'],
    ['s', 'strikethrough'],
    ['strike', 'strikethrough'],
    ['del', 'strikethrough'],
    ['code', 'code'],
    ['pre', 'pre'],
    ['tg-spoiler', 'spoiler'],
    ['blockquote', 'blockquote'],
  ])('reads <%s> as %s', (tag, type) => {
    expect(parseHtml(`а <${tag}>слово</${tag}>!`)).toEqual({
      text: 'а слово!',
      entities: [entity(type, 2, 5)],
    });
  });

  it('reads attributes: links, spoilers, languages, quotes that fold, emoji', () => {
    expect(parseHtml('<a href="https://a.ru/?x=1&amp;y=2">ссылка</a>').entities).toEqual([
      entity('text_link', 0, 6, { url: 'https://a.ru/?x=1&y=2' }),
    ]);
    expect(parseHtml('<span class="tg-spoiler">тайна</span>').entities).toEqual([entity('spoiler', 0, 5)]);
    expect(parseHtml('<pre><code class="language-ts">let a</code></pre>').entities).toEqual([
      entity('pre', 0, 5, { language: 'ts' }),
    ]);
    expect(parseHtml('<blockquote expandable>да</blockquote>').entities).toEqual([
      entity('expandable_blockquote', 0, 2),
    ]);
    expect(parseHtml('<tg-emoji emoji-id="5368324170671202286">+</tg-emoji>').entities).toEqual([
      entity('custom_emoji', 0, 1, { custom_emoji_id: '5368324170671202286' }),
    ]);
    expect(parseHtml('<a href="tg://user?id=7">Аня</a>').entities[0]).toMatchObject({ type: 'text_mention' });
  });

  it('shows a link that leads nowhere as plain text', () => {
    expect(parseHtml('<a href="javascript:alert(1)">жми</a>')).toEqual({ text: 'жми', entities: [] });
  });

  it('nests, outer before inner, and counts in UTF-16 units', () => {
    expect(parseHtml('😀<b>жир <i>и курсив</i></b>')).toEqual({
      text: '😀жир и курсив',
      entities: [entity('bold', 2, 12), entity('italic', 6, 8)],
    });
  });

  it('decodes four names and all numbers, and leaves every other ampersand alone', () => {
    expect(parseHtml('&lt;b&gt; &amp;&quot; &#1071; &#x42F; &nbsp; R&D &#0;').text).toBe(
      '<b> &" Я Я &nbsp; R&D &#0;',
    );
  });

  it.each([
    ['<b>нет конца', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<div>блок</div>', 'Unsupported start tag "div" at byte offset 0'],
    ['я <br> тут', 'Unsupported start tag "br" at byte offset 3'],
    ['2 < 3', 'Unsupported start tag "" at byte offset 2'],
    ['<b><i>крест</b></i>', 'Unmatched end tag at byte offset 16, expected "</i>", found "</b>"'],
    ['лишний</b>', 'Unexpected end tag at byte offset 12'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<b>а</b', 'Unclosed end tag at byte offset 5'],
    ['<span>а</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a href="x>а</a>', 'Unclosed start tag at byte offset 0'],
    ['<tg-emoji>+</tg-emoji>', 'Invalid custom emoji identifier specified'],
  ])('refuses %s', (html, message) => {
    expect(() => parseHtml(html)).toThrow(message);
  });

  it('gives back every text that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        expect(parseHtml(html)).toEqual({ text, entities: [] });
      }),
    );
  });

  it('never fails otherwise than by refusing, and never marks what is not there', () => {
    const pieces = fc.constantFrom(
      '<b>',
      '</b>',
      '<i>',
      '</i>',
      '<a href="http://x.ru">',
      '</a>',
      '<',
      '>',
      '&',
      'ю',
      '😀',
      ' ',
      '"',
      '=',
      '/',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        try {
          const { text, entities } = formatText(parts.join(''), 'HTML', undefined);
          for (const { offset, length } of entities) {
            expect(length).toBeGreaterThan(0);
            expect(offset + length).toBeLessThanOrEqual(text.length);
          }
        } catch (error) {
          expect((error as Error).message).toMatch(/^Bad Request: can't parse entities: /);
        }
      }),
    );
  });
});

describe('what Telegram finds by itself', () => {
  it('is commands, addresses, mentions and mail', () => {
    const text = '/start и https://a.ru/b, @anna_cvety, x@y.ru';
    const found = commandsAndLinks(text).map(({ type, offset, length }) => [
      type,
      text.slice(offset, offset + length),
    ]);
    expect(found).toEqual([
      ['bot_command', '/start'],
      ['url', 'https://a.ru/b'],
      ['mention', '@anna_cvety'],
      ['email', 'x@y.ru'],
    ]);
  });

  it('is nothing inside code and links', () => {
    expect(formatText('<code>/start</code>', 'HTML', undefined).entities).toEqual([entity('code', 0, 6)]);
  });

  it('is nothing in a fraction or a path', () => {
    expect(commandsAndLinks('1/2 a/b ваш-сайт/wp-admin')).toEqual([]);
  });
});
