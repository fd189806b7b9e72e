import { describe, expect, it } from 'vitest';
import { jsonLdScript } from '../../../src/services/content/json-ld.ts';
import { renderArticle } from '../../../src/services/content/render-article.ts';
import { sanitizeHtml } from '../../../src/services/content/sanitize-html.ts';
import { all, type Element, read, texts, values } from './dom.ts';
import { grownArticle, type Honest, writtenArticles } from './honest-articles.ts';

const articles = [...writtenArticles, ...Array.from({ length: 40 }, (_, seed) => grownArticle(seed))];

describe.each(articles)('an honest article reaches the reader whole: $name', (article) => {
  const page = read(published(article));
  const body = squeezed(page.textContent);

  it('with one title and every heading in its place', () => {
    expect(texts(page, 'h1')).toEqual([squeezed(article.title)]);
    expect(texts(page, 'h2, h3').filter((heading) => article.headings.includes(heading))).toEqual(
      article.headings,
    );
    expect(values(page, 'h2, h3', 'id')).not.toContain(null);
  });

  it('with every sentence', () => {
    expect(article.sentences.filter((sentence) => !body.includes(squeezed(sentence)))).toEqual([]);
  });

  it('with every link, and contents that lead somewhere', () => {
    expect(values(page, 'a', 'href')).toEqual(expect.arrayContaining(article.links));
    const ids = values(page, '[id]', 'id');
    for (const href of values(page, 'nav a', 'href')) expect(ids).toContain(href?.slice(1));
  });

  it('with every table cell', () => {
    expect(texts(page, 'th, td')).toEqual(article.cells.map(squeezed));
  });

  it('with every picture, its description and its caption', () => {
    const pictures = all(page, 'figure').map((figure) => ({
      src: figure.querySelector('img')?.getAttribute('src'),
      alt: figure.querySelector('img')?.getAttribute('alt'),
      caption: figure.querySelector('figcaption')?.textContent ?? '',
    }));
    expect(pictures).toEqual(article.pictures);
  });

  it('with its data for search engines, equal as JSON', () => {
    const data = all(page, 'script').map((script: Element) => JSON.parse(script.textContent));
    expect(data).toEqual(article.data);
  });

  it('and cleaning it changed nothing but the writing of it', () => {
    const html = rendered(article);
    expect(shape(read(sanitizeHtml(html)))).toEqual(shape(read(html)));
  });
});

function rendered(article: Honest): string {
  const { html, fellBack } = renderArticle(article);
  expect(fellBack).toBe(false);
  return html;
}

function published(article: Honest): string {
  return sanitizeHtml(rendered(article) + article.data.map(jsonLdScript).join('\n'));
}

function squeezed(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Elements in order with all they carry, and the text between them. */
const shape = (page: Element) => ({
  elements: all(page, '*').map(({ localName, attributes }) => [
    localName,
    ...[...attributes].map(({ name, value }) => `${name}=${value}`).sort(),
  ]),
  text: page.textContent,
});
