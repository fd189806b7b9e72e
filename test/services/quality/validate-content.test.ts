import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PostPlatform, postPlatforms } from '../../../src/platforms/platforms.ts';
import {
  usableImageData,
  validateArticle,
  validatePost,
} from '../../../src/services/quality/validate-content.ts';
import { goodArticle } from './good-article.ts';

const finished = goodArticle.html.replace(/\{\{IMAGE_(\d)\}\}/gu, 'https://cdn.example.ru/$1.webp');
const codes = (faults: readonly { code: string }[]) => faults.map(({ code }) => code);
const platforms = postPlatforms;

describe('an article before publishing', () => {
  it('passes when it is whole', () => {
    expect(validateArticle(finished)).toEqual([]);
  });

  it('fails under 500 characters of text, markup not counted', () => {
    const page = (length: number) =>
      `<h1>Да</h1><h2>Нет</h2><p style="color:#000000">${'б'.repeat(length - 'Да\nНет\n'.length)}</p>`;
    expect(validateArticle(page(499))).toEqual([{ code: 'too-short', length: 499, min: 500 }]);
    expect(validateArticle(page(500))).toEqual([]);
  });

  it.each([
    [0, finished.replace(/<h1>.*?<\/h1>/u, '')],
    [2, `<h1>Ещё</h1>${finished}`],
  ])('fails with %i H1', (count, html) => {
    expect(validateArticle(html)).toEqual([{ code: 'h1-count', count }]);
  });

  it('fails without sections', () => {
    expect(codes(validateArticle(finished.replaceAll('h2', 'h3')))).toEqual(['no-sections']);
  });

  it('fails without a paragraph of 50 characters', () => {
    const choppy = `<h1>Букеты</h1><h2>Розы</h2>${`<p>${'б'.repeat(49)}</p>`.repeat(12)}`;
    expect(codes(validateArticle(choppy))).toEqual(['no-paragraph']);
  });

  it('fails with a picture that was never put in', () => {
    expect(validateArticle(goodArticle.html)).toEqual([{ code: 'placeholder', found: '{{IMAGE_1}}' }]);
  });

  it('hears of everything at once', () => {
    expect(codes(validateArticle('<p>TODO: [ВАШ ТЕЛЕФОН]</p>'))).toEqual([
      'too-short',
      'h1-count',
      'no-sections',
      'no-paragraph',
      'placeholder',
      'placeholder',
    ]);
  });
});

describe('a placeholder', () => {
  it.each([
    '[INSERT NAME]',
    '[insert link here',
    '[YOUR PHONE]',
    'Lorem ipsum dolor',
    'TODO: дописать',
    '<placeholder>',
    '&lt;placeholder&gt;',
    '{{ phone }}',
    '[ВСТАВЬТЕ ТЕЛЕФОН]',
    '[Вставить ссылку]',
    '[ваш город]',
    '[Укажите цену]',
    '[Название компании]',
    '[заполнить]',
    '[Имя]',
    'вставьте сюда адрес',
  ])('is seen everywhere: %s', (mark) => {
    expect(codes(validateArticle(`${finished}<p>${mark}</p>`))).toContain('placeholder');
    for (const platform of platforms) {
      expect(codes(validatePost(platform, { text: `Букеты. ${mark}` }))).toContain('placeholder');
    }
  });

  it.each([
    '[1]',
    '[ваш врач](https://example.ru)',
    'МЕТОДО',
    'todo-лист',
    'Укажите адрес доставки при заказе',
  ])('is not imagined in: %s', (text) => {
    expect(validatePost('vk', { text })).toEqual([]);
  });

  it('is seen in the title of a pin', () => {
    expect(codes(validatePost('pinterest', { text: 'Букеты', title: '[НАЗВАНИЕ]' }))).toEqual([
      'placeholder',
    ]);
  });
});

describe('a post before publishing', () => {
  it.each(
    Object.entries({ telegram: 4_096, vk: 16_384, pinterest: 500, max: 4_000 }) as [PostPlatform, number][],
  )('for %s may have %i characters, and none more', (platform, max) => {
    expect(validatePost(platform, { text: 'б'.repeat(max) })).toEqual([]);
    expect(validatePost(platform, { text: 'б'.repeat(max + 1) })).toEqual([
      { code: 'too-long', part: 'text', length: max + 1, max },
    ]);
  });

  it('may be short: the floor is for articles', () => {
    expect(validatePost('pinterest', { text: 'Розы', title: 'Розы' })).toEqual([]);
  });

  it.each(['', ' \n', '<b></b>'])('fails when empty: «%s»', (text) => {
    expect(codes(validatePost('telegram', { text }))).toEqual(['empty']);
  });

  it('for Pinterest has a title of 100 characters at most', () => {
    expect(validatePost('pinterest', { text: 'Розы', title: 'б'.repeat(100) })).toEqual([]);
    expect(validatePost('pinterest', { text: 'Розы', title: 'б'.repeat(101) })).toEqual([
      { code: 'too-long', part: 'title', length: 101, max: 100 },
    ]);
  });

  it('for Telegram counts what is read, not the tags', () => {
    expect(validatePost('telegram', { text: `<b>${'б'.repeat(4_095)}</b>&amp;` })).toEqual([]);
  });

  it('hears of every fault, whichever they are', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (long, longTitle, unfinished) => {
        const text = `Букет ${unfinished ? 'TODO ' : ''}${long ? 'б'.repeat(500) : ''}`;
        const faults = validatePost('pinterest', { text, title: longTitle ? 'б'.repeat(101) : 'Букет' });
        expect(faults).toHaveLength(Number(long) + Number(longTitle) + Number(unfinished));
      }),
    );
  });
});

describe('the data of a picture', () => {
  const generic = { title: 'Свадебные букеты', slug: 'svadebnye-bukety', n: 2 };
  const good = { alt: 'Букет', filename: 'buket-1', caption: 'Наша работа' };

  it('stays when it can be used', () => {
    expect(usableImageData(good, generic)).toEqual(good);
  });

  it.each([
    { ...good, alt: ' ' },
    { ...good, filename: 'Букет 1' },
    { ...good, filename: '-buket' },
    { ...good, filename: '' },
    { ...good, filename: 'b'.repeat(181) },
  ])('gives way to generic otherwise: %j', (data) => {
    expect(usableImageData(data, generic)).toEqual({
      alt: 'Свадебные букеты — изображение 2',
      filename: 'svadebnye-bukety-2',
      caption: null,
    });
  });

  it('can always be used afterwards, whatever came', () => {
    const anything = fc.record({ alt: fc.string(), filename: fc.string({ maxLength: 300 }) });
    const any = fc.record({
      title: fc.string(),
      slug: fc.string({ maxLength: 300 }),
      n: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(anything, any, (data, fallback) => {
        const usable = usableImageData(data, fallback);
        expect(usable.filename).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u);
        expect(usable.filename.length).toBeLessThanOrEqual(180);
        expect(usable.alt.trim()).not.toBe('');
      }),
    );
  });
});
