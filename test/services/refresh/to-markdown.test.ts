import { describe, expect, it } from 'vitest';
import { renderArticle } from '../../../src/services/content/render-article.ts';
import { searchChanges } from '../../../src/services/refresh/search-changes.ts';
import { textDifferences } from '../../../src/services/refresh/text-differences.ts';
import {
  blocksOf,
  holdsForeignParts,
  toMarkdown,
  withFigures,
} from '../../../src/services/refresh/to-markdown.ts';

const written = `Кухню начинают с **замера** и [плана](https://kuhni.example/plan).

## Что решить

Размеры снимают в трёх точках.

- пол
- пояс

| Плита | Где |
|---|---|
| ЛДСП | корпус |

### Сколько ждать?

Пять недель.`;

describe('an article that stands on a site', () => {
  it('reads back as it was written', () => {
    const { html } = renderArticle({ title: 'Кухни', markdown: written });
    expect(blocksOf(toMarkdown(html.replace(/<h1>.*?<\/h1>/u, '')).markdown)).toEqual(blocksOf(written));
  });

  it('keeps its quotations, and its points that were written with a line between them', () => {
    const { html } = renderArticle({ title: 'Кухни', markdown: '> Меряйте дважды.\n\n- пол\n\n- пояс' });
    expect(toMarkdown(html.replace(/<h1>.*?<\/h1>/u, '')).markdown).toBe(
      '> Меряйте дважды.\n\n- пол\n- пояс',
    );
  });

  it('reads back as the block editor keeps it, its pictures in their places', () => {
    const figure =
      '<figure class="wp-block-image"><img src="https://k.example/a.webp" alt="Кухня"/><figcaption>Наша</figcaption></figure>';
    const content = `<!-- wp:paragraph --><p>Первый абзац.</p><!-- /wp:paragraph -->${figure}<!-- wp:heading --><h2 class="x">Раздел</h2><!-- /wp:heading --><p>Второй &amp; третий.</p>`;
    const { markdown, figures } = toMarkdown(content);
    expect(markdown).toBe('Первый абзац.\n\n![Кухня]({{IMAGE_1}} "Наша")\n\n## Раздел\n\nВторой & третий.');
    expect(figures).toEqual([figure]);
    const again = '<p>Первый абзац.</p><figure><img src="{{IMAGE_1}}" alt="Кухня"></figure><h2>Раздел</h2>';
    expect(withFigures(again, figures)).toBe(`<p>Первый абзац.</p>${figure}<h2>Раздел</h2>`);
    expect(withFigures('<p>Без места</p><h2>Итог</h2>', figures)).toContain(figure);
  });

  it.each([
    ['<p>x</p><iframe src="https://video.example"></iframe>', true],
    ['<p>x</p>[contact-form-7 id="1"]', true],
    ['<!-- wp:gallery --><figure></figure><!-- /wp:gallery -->', true],
    ['<p>x &#91;1]</p><script type="application/ld+json">{"a":["b"]}</script>', false],
  ])('tells what a new version could not carry over: %s', (content, expected) => {
    expect(holdsForeignParts(content)).toBe(expected);
  });
});

describe('the differences of two versions', () => {
  it('are told block by block, in order', () => {
    expect(textDifferences(['а', 'б', 'в'], ['а', 'г', 'в', 'д'])).toEqual([
      { kind: 'same', text: 'а' },
      { kind: 'removed', text: 'б' },
      { kind: 'added', text: 'г' },
      { kind: 'same', text: 'в' },
      { kind: 'added', text: 'д' },
    ]);
  });
});

describe('what has changed in search', () => {
  const now = {
    questions: ['Сколько стоит замер?', 'Можно ли перенести вытяжку?'],
    related: [],
    competitorAnalysis: '',
    competitorGaps: [],
    competitorWords: [],
    research: null,
    internalLinks: [],
    missing: [],
    results: [
      { title: 'А', url: 'https://a.example', snippet: '' },
      { title: 'Б', url: 'https://b.example', snippet: '' },
    ],
    topic: { terms: [{ stem: 'фурнитур', word: 'фурнитура', weight: 1 }], questions: [] },
  };

  it('is new pages, questions without an answer, and words that others share', () => {
    const before = { pages: ['https://a.example'], questions: ['Сколько стоит замер?'] };
    expect(searchChanges(before, now, 'Кухню начинают с замера.')).toEqual([
      'В первой десятке 1 новая страница.',
      'Люди спрашивают: Можно ли перенести вытяжку?',
      'Пишут другие, а в статье нет: фурнитура.',
    ]);
  });

  it('is nothing where the article says it all', () => {
    const text = 'Сколько стоит замер, можно ли перенести вытяжку, какая фурнитура.';
    expect(searchChanges(null, now, text)).toEqual([]);
  });
});
