import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeHtml,
  MOST_CAPTION,
  MOST_TEXT,
  toHtml,
  visibleLength,
} from '../../../src/messengers/telegram/to-html.ts';
import { parseHtml } from '../../../src/sandbox/telegram/html.ts';
import { lines, paragraphs, type RichText, rich } from '../../../src/screens/kit/screen.ts';

describe('text on its way to Telegram', () => {
  it('keeps our markup and escapes what others wrote, once', () => {
    const text = rich`<b>Проект</b> ${'<b>Ромашка</b> & "Ко" &amp;'}`;
    expect(toHtml(text)).toBe('<b>Проект</b> &lt;b&gt;Ромашка&lt;/b&gt; &amp; &quot;Ко&quot; &amp;amp;');
    expect(parseHtml(toHtml(text)).text).toBe('Проект <b>Ромашка</b> & "Ко" &amp;');
  });

  it('is not escaped again when it is put into another text', () => {
    const inner = rich`<i>${'<x>'}</i>`;
    expect(toHtml(paragraphs(inner, lines(rich`${inner} и ${[inner, inner]}`)))).toBe(
      '<i>&lt;x&gt;</i>\n\n<i>&lt;x&gt;</i> и <i>&lt;x&gt;</i><i>&lt;x&gt;</i>',
    );
  });

  it('leaves out empty parts', () => {
    expect(toHtml(paragraphs(null, rich`a${null}${false}b`, false, []))).toBe('ab');
    expect(toHtml(rich`${0}`)).toBe('0');
  });

  it('exactly as long as Telegram takes stays whole', () => {
    const text = rich`<b>${'я'.repeat(MOST_TEXT)}</b>`;
    expect(parseHtml(toHtml(text)).text).toBe('я'.repeat(MOST_TEXT));
  });

  it('one character longer is cut, and the cut can be seen', () => {
    const { text, entities } = parseHtml(toHtml(rich`<b>${'я'.repeat(MOST_TEXT + 1)}</b>`));
    expect(text).toBe(`${'я'.repeat(MOST_TEXT - 1)}…`);
    expect(entities).toEqual([{ type: 'bold', offset: 0, length: MOST_TEXT }]);
  });

  it('counts as Telegram does: after the entities are read, an emoji as two', () => {
    expect(visibleLength('&lt;&amp;&#128512;<b>a</b>')).toBe(4);
    expect(parseHtml(toHtml(rich`${'&'.repeat(MOST_TEXT)}`)).text).toBe('&'.repeat(MOST_TEXT));
    expect(parseHtml(toHtml(rich`${'😀'.repeat(MOST_TEXT / 2)}`)).text).toHaveLength(MOST_TEXT);
  });

  it('never cuts an emoji in half', () => {
    const cut = parseHtml(toHtml(rich`a${'😀'.repeat(MOST_TEXT)}`)).text;
    expect(cut.isWellFormed()).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(MOST_TEXT);
    expect(cut.length).toBeGreaterThan(MOST_TEXT - 3);
  });

  it('keeps a link whole, or leaves it out', () => {
    const link = rich`<a href="https://romashka.ru/?a=1&amp;b=2">${'сайт'.repeat(300)}</a>`;
    const { text, entities } = parseHtml(toHtml(link, MOST_CAPTION));
    expect(text).toHaveLength(MOST_CAPTION);
    expect(entities).toMatchObject([{ type: 'text_link', url: 'https://romashka.ru/?a=1&b=2' }]);
  });

  it('with half an emoji in it is still text that Telegram takes', () => {
    expect(toHtml(rich`${'a\ud83d'}`).isWellFormed()).toBe(true);
  });

  it('reads back as what was meant, whatever anybody wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(parseHtml(escapeHtml(value))).toEqual({ text: value, entities: [] });
      }),
    );
  });

  it('is taken by Telegram within the limit, whatever is in it', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        '&lt;',
        '&#0;',
        '</b>',
        '<script>',
        '😀',
        '👨‍👩‍👧',
        '\n',
        '&amp;amp;',
      ),
    );
    const text: fc.Arbitrary<RichText> = fc.letrec<{ text: RichText }>((tie) => ({
      text: fc
        .array(
          fc.oneof(
            { depthSize: 'small' },
            value.map((each) => rich`${each}`),
            tie('text').map((inner) => rich`<b>${inner}</b>`),
            tie('text').map((inner) => rich`<i>a${inner}</i>\n`),
            tie('text').map((inner) => rich`<a href="https://a.ru/?x=1&amp;y=2">${inner}</a>`),
            tie('text').map((inner) => rich`<blockquote expandable>${inner}</blockquote>`),
          ),
          { maxLength: 6 },
        )
        .map((parts) => rich`${parts}`),
    })).text;
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (given, limit) => {
        const whole = parseHtml(toHtml(given, Number.POSITIVE_INFINITY)).text;
        const cut = parseHtml(toHtml(given, limit)).text;
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        if (whole.length <= limit) expect(cut).toBe(whole);
        else expect(whole.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
