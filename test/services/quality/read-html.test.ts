import { describe, expect, it } from 'vitest';
import { readHtml } from '../../../src/services/quality/read-html.ts';

const texts = (html: string) => readHtml(html).blocks.map(({ text }) => text);

describe('reading a page', () => {
  it('reads nested blocks once, in their order', () => {
    expect(texts('<h1>Розы</h1><ul><li>Белые<ul><li>Мондиаль</li></ul></li><li>Алые</li></ul>')).toEqual([
      'Розы',
      'Белые',
      'Мондиаль',
      'Алые',
    ]);
  });

  it('skips the contents and the scripts', () => {
    expect(texts('<nav class="toc"><ul><li>Розы</li></ul></nav><p>Пион</p><script>1</script>')).toEqual([
      'Пион',
    ]);
  });

  it('reads a text without markup line by line', () => {
    expect(texts('Розы\n\nПионы')).toEqual(['Розы', 'Пионы']);
  });

  it('keeps words on both sides of a line break apart', () => {
    expect(texts('<p>Розы<br>Пионы</p>')).toEqual(['Розы Пионы']);
  });

  it.each([
    ['{"@type":"Article"}', true],
    ['{', false],
    ['', false],
  ])('takes %s for Schema.org: %s', (script, has) => {
    expect(readHtml(`<script type="application/ld+json">${script}</script>`).hasJsonLd).toBe(has);
  });
});
