import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { parseHtml } from '../../src/sandbox/telegram/html.ts';
import { type Mark, markedText, markKinds } from '../../src/screens/kit/marked-text.ts';

describe('a text that a person formatted', () => {
  it('keeps its formatting, and its own angle brackets as they are', () => {
    const text = 'Скидка <50%> только & сегодня: сайт';
    const marks: Mark[] = [
      { kind: 'bold', offset: 0, length: 12 },
      { kind: 'italic', offset: 7, length: 5 },
      { kind: 'link', offset: 31, length: 4, detail: 'https://seo.example/?a=1&b="2"' },
    ];
    expect(toHtml(markedText(text, marks))).toBe(
      '<b>Скидка <i>&lt;50%&gt;</i></b> только &amp; сегодня: <a href="https://seo.example/?a=1&amp;b=&quot;2&quot;">сайт</a>',
    );
  });

  it('closes marks that cross each other and opens them again', () => {
    const marks: Mark[] = [
      { kind: 'bold', offset: 0, length: 4 },
      { kind: 'italic', offset: 2, length: 4 },
    ];
    expect(toHtml(markedText('абвгде', marks))).toBe('<b>аб<i>вг</i></b><i>де</i>');
  });

  it('says the same words to Telegram, whatever marks lie over them', () => {
    const mark = fc.record({
      kind: fc.constantFrom(...markKinds),
      offset: fc.integer({ min: -2, max: 30 }),
      length: fc.integer({ min: -1, max: 30 }),
      detail: fc.constant('5368324170671202286'),
    });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 30 }),
        fc.array(mark, { maxLength: 6 }),
        (text, marks) => {
          const words = text.replaceAll('\u0000', ' ');
          expect(parseHtml(toHtml(markedText(words, marks))).text).toBe(words);
        },
      ),
    );
  });
});
