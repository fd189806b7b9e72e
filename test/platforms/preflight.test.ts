import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPreflight } from '../../src/platforms/max/preflight.ts';
import type { OutgoingPost, Preflight, Rendered } from '../../src/platforms/messenger/messenger.ts';
import { telegramPreflight } from '../../src/platforms/telegram/preflight.ts';
import { parseHtml } from '../../src/sandbox/telegram/html.ts';
import { writeHtml } from '../../src/services/posts/styled-text.ts';

const post = (more: Partial<OutgoingPost>): OutgoingPost => ({ text: '', parseMode: 'HTML', ...more });
const pictures = (count: number) => Array.from({ length: count }, () => ({ type: 'image' }));

const rendered = (preflight: Preflight): Rendered => {
  if (!preflight.ok) throw preflight.refusal;
  return preflight.rendered;
};
const problem = (preflight: Preflight) => (preflight.ok ? null : preflight.refusal.problem);
/** `T` for a step with the text, and the positions of its media. */
const layout = (preflight: Preflight) =>
  rendered(preflight).meta.steps.map(
    ({ hasText, items }) => `${hasText ? 'T' : ''}${items.map(({ index }) => index).join('')}`,
  );

describe('a post for Telegram', () => {
  const buttons = [[{ text: 'Сайт', url: 'https://a.example' }]];
  const over = 'я'.repeat(1_025);

  it.each([
    ['a text', { text: 'x' }, ['T']],
    ['a picture', { media: pictures(1) }, ['0']],
    ['a picture and a text', { text: 'x', media: pictures(1) }, ['T0']],
    ['a picture and an invisible text', { text: '\u200b', media: pictures(1) }, ['0']],
    ['a picture and a long text', { text: over, media: pictures(1) }, ['0', 'T']],
    ['a picture with words of its own', { text: 'x', media: [{ type: 'image', caption: 'y' }] }, ['T', '0']],
    ['an album and a text', { text: 'x', media: pictures(3) }, ['T012']],
    ['an album and a long text', { text: over, media: pictures(2) }, ['T', '01']],
    ['an album, a text and buttons', { text: 'x', media: pictures(2), buttons }, ['T', '01']],
    [
      'an album with captions and a text',
      { text: 'x', media: [{ type: 'image', caption: 'y' }, ...pictures(1)] },
      ['T', '01'],
    ],
  ] as const)('of %s is laid out', (_, given, steps) => {
    expect(layout(telegramPreflight(post(given as Partial<OutgoingPost>)))).toEqual(steps);
  });

  it.each([
    ['empty', {}],
    ['empty', { text: '<b> </b>' }],
    ['empty', { text: '<b>\u200b</b>&#8203;\u2060' }],
    ['empty', { text: '\u200b\u200d\ufe0f', parseMode: 'None' }],
    ['empty', { text: '\u2800\u3164', parseMode: 'Markdown' }],
    ['text_too_long', { text: 'я'.repeat(4_097) }],
    ['caption_too_long', { media: [{ type: 'image', caption: over }] }],
    ['too_many_media', { media: pictures(11) }],
    ['mixed_media', { media: [{ type: 'image' }, { type: 'file' }] }],
    ['unknown_media_type', { media: [{ type: 'photo' }] }],
    ['media_too_large', { media: [{ type: 'image', sizeBytes: 11 * 1024 * 1024 }] }],
    ['bad_buttons', { media: pictures(2), buttons }],
    ['bad_buttons', { text: 'x', buttons: [[{ text: 'x', payload: 'я'.repeat(33) }]] }],
    ['bad_buttons', { text: 'x', buttons: [[{ text: '\u200b', payload: 'x' }]] }],
    ['bad_buttons', { text: 'x', buttons: [[{ text: 'x', url: 'javascript:alert(1)' }]] }],
    ['bad_markup', { text: '<b>x' }],
    ['bad_markup', { text: '<b><i>x</b></i>' }],
    ['bad_markup', { text: 'x</b>' }],
    ['bad_markup', { text: '5 < 6' }],
    ['bad_markup', { text: 'раз<br>два' }],
    ['bad_markup', { text: '<h1>x</h1>' }],
    ['bad_markup', { text: '<b class="x">x</b>' }],
    ['bad_markup', { text: '<a href="javascript:alert(1)">x</a>' }],
    ['bad_markup', { text: '<a>x</a>' }],
    ['bad_markup', { text: '**x', parseMode: 'Markdown' }],
    ['bad_markup', { text: '![x](https://a.example/b.png)', parseMode: 'Markdown' }],
  ] as const)('is refused as %s: %j', (expected, given) => {
    expect(problem(telegramPreflight(post(given as Partial<OutgoingPost>)))).toBe(expected);
  });

  it('keeps the joiners of an emoji', () => {
    expect(rendered(telegramPreflight(post({ text: '👩\u200d💻' }))).text).toBe('👩\u200d💻');
  });

  it('counts what is read: 4096 letters fit whatever their markup', () => {
    const text = `<b>${'я'.repeat(4_096)}</b>`;
    expect(rendered(telegramPreflight(post({ text }))).text).toBe(text);
  });

  it.each([
    ['**Жирно** и *курсив*', '<b>Жирно</b> и <i>курсив</i>'],
    ['# Заголовок\n\nтекст', '<b>Заголовок</b>\n\nтекст'],
    ['- раз\n- два', '• раз\n• два'],
    ['1. раз\n2. два', '1. раз\n2. два'],
    ['> цитата', '<blockquote>цитата</blockquote>'],
    ['`a<b`', '<code>a&lt;b</code>'],
    ['```\na\nb\n```', '<pre>a\nb</pre>'],
    ['строка\nещё строка', 'строка\nещё строка'],
    ['[сайт](https://a.example)', '<a href="https://a.example">сайт</a>'],
    ['<b>не тег</b>', '&lt;b&gt;не тег&lt;/b&gt;'],
  ])('in Markdown %j is %j', (source, html) => {
    expect(rendered(telegramPreflight(post({ text: source, parseMode: 'Markdown' }))).text).toBe(html);
  });

  it('shows entities as the signs they stand for, once', () => {
    const { text } = rendered(telegramPreflight(post({ text: '&laquo;a&raquo;&nbsp;&#8212; &amp;lt;' })));
    expect(text).toBe('«a»\u00a0— &amp;lt;');
  });
});

describe('a post for MAX', () => {
  it.each([
    ['a text', { text: 'x' }, ['T']],
    ['pictures and a text', { text: 'x', media: pictures(3) }, ['T012']],
    ['a picture and a long text', { text: 'я'.repeat(4_000), media: pictures(1) }, ['T0']],
    ['files and a text', { text: 'x', media: [{ type: 'file' }, { type: 'file' }] }, ['T0', '1']],
    ['captions and a text', { text: 'x', media: [{ type: 'image', caption: 'y' }] }, ['T', '0']],
    ['thirteen pictures', { media: pictures(13) }, ['01234567891011', '12']],
  ] as const)('of %s is laid out', (_, given, steps) => {
    expect(layout(maxPreflight(post(given as Partial<OutgoingPost>)))).toEqual(steps);
  });

  it.each([
    ['empty', {}],
    ['text_too_long', { text: `<b>${'я'.repeat(3_994)}</b>` }],
    ['bad_markup', { text: '<tg-spoiler>x</tg-spoiler>' }],
    ['unknown_media_type', { media: [{ type: 'photo' }] }],
    [
      'bad_buttons',
      { text: 'x', buttons: [Array.from({ length: 4 }, () => ({ text: 'x', url: 'https://a.example' }))] },
    ],
  ] as const)('is refused as %s: %j', (expected, given) => {
    expect(problem(maxPreflight(post(given as Partial<OutgoingPost>)))).toBe(expected);
  });

  it('counts its Markdown as it is written, and sends it so', () => {
    const text = '**я** '.repeat(666).trim();
    expect(rendered(maxPreflight(post({ text, parseMode: 'Markdown' }))).text).toBe(text);
  });
});

describe('whatever comes', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  const mark = fc.constantFrom(
    { tag: 'b' },
    { tag: 'i' },
    { tag: 'a', href: 'https://a.example/?x=1&y="2"' },
  );
  const styled = fc.array(fc.record({ text: words, marks: fc.uniqueArray(mark, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  const media = fc.array(
    fc.record({
      type: fc.constantFrom('image', 'video', 'audio', 'file'),
      caption: fc.constantFrom('', 'y'),
    }),
    { maxLength: 14 },
  );
  const both = [telegramPreflight, maxPreflight];

  it('well-formed markup reaches Telegram as its reader would see it', () => {
    fc.assert(
      fc.property(styled, (runs) => {
        const preflight = telegramPreflight(post({ text: writeHtml(runs) }));
        const visible = runs
          .map(({ text }) => text)
          .join('')
          .replace(/\r\n?/gu, '\n')
          .trim();
        if (visible === '') expect(problem(preflight)).toBe('empty');
        else expect(parseHtml(rendered(preflight).text).text.trim()).toBe(visible);
      }),
    );
  });

  it('any text is either refused or read by Telegram without complaint', () => {
    const pieces = fc.constantFrom(
      '<b>',
      '</b>',
      '<i>',
      '<',
      '>',
      '&',
      '&lt;',
      '**',
      '*',
      '`',
      '_',
      '[x](',
      ')',
      'я',
    );
    const text = fc.array(fc.oneof(pieces, words), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('HTML' as const, 'Markdown' as const), (given, parseMode) => {
        const preflight = telegramPreflight(post({ text: given, parseMode }));
        if (preflight.ok) parseHtml(preflight.rendered.text);
        else expect(preflight.refusal.report).toMatchObject({ code: 'validation_failed', scope: 'delivery' });
      }),
    );
  });

  it('every medium is in exactly one request, in its order, and the text in one', () => {
    fc.assert(
      fc.property(media, fc.constantFrom('', 'x', 'я'.repeat(1_500)), (given, text) => {
        for (const preflight of both.map((check) => check(post({ text, media: given })))) {
          if (!preflight.ok) continue;
          const { steps } = preflight.rendered.meta;
          const indexes = steps.flatMap(({ items }) => items.map(({ index }) => index));
          expect(indexes).toEqual(given.map((_, index) => index));
          expect(steps.filter(({ hasText }) => hasText)).toHaveLength(text === '' ? 0 : 1);
        }
      }),
    );
  });

  it('what is laid out survives the queue: it is JSON', () => {
    fc.assert(
      fc.property(styled, media, (runs, given) => {
        for (const preflight of both.map((check) => check(post({ text: writeHtml(runs), media: given })))) {
          if (preflight.ok)
            expect(JSON.parse(JSON.stringify(preflight.rendered))).toEqual(preflight.rendered);
        }
      }),
    );
  });
});
