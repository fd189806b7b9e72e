import { describe, expect, it } from 'vitest';
import type { TelegraphNode } from '../../../src/clients/telegraph.ts';
import { readContent } from '../../../src/sandbox/telegraph/nodes.ts';
import { renderArticle } from '../../../src/services/content/render-article.ts';
import { sanitizeHtml } from '../../../src/services/content/sanitize-html.ts';
import { toTelegraph } from '../../../src/services/content/to-telegraph.ts';
import { grownArticle } from './honest-articles.ts';

const p = (...children: TelegraphNode[]) => ({ tag: 'p', children });
const bytes = (nodes: TelegraphNode[]) => Buffer.byteLength(JSON.stringify(nodes));
const told = (nodes: TelegraphNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : told(node.children ?? []))).join('');

describe('an article on Telegraph', () => {
  it('has no title of its own, no contents, no scripts', () => {
    const html =
      '<h1>Окна</h1><nav class="toc"><a href="#a">А</a></nav><p>Текст</p><script type="application/ld+json">{}</script><style>p{}</style>';
    expect(toTelegraph(html)).toEqual([p('Текст')]);
  });

  it.each([
    ['h2', 'h3'],
    ['h3', 'h3'],
    ['h4', 'h4'],
    ['h5', 'h4'],
    ['h6', 'h4'],
  ])('shows %s as %s', (from, to) => {
    expect(toTelegraph(`<${from} id="x" style="color:#123456">Цены</${from}>`)).toEqual([
      { tag: to, children: ['Цены'] },
    ]);
  });

  it('keeps the words of elements that Telegraph does not know', () => {
    expect(
      toTelegraph(
        '<div><section><p>Один <span style="color:red">два</span> <mark>три</mark></p></section></div>',
      ),
    ).toEqual([p('Один ', 'два', ' ', 'три')]);
  });

  it('tells a table line by line', () => {
    const html =
      '<table><thead><tr><th>Окно</th><th>Цена</th></tr></thead>\n<tbody><tr><td><b>Малое</b></td><td>5 000 ₽</td></tr><tr><td></td><td></td></tr></tbody></table>';
    expect(toTelegraph(html)).toEqual([
      p('Окно', ' | ', 'Цена'),
      p({ tag: 'b', children: ['Малое'] }, ' | ', '5 000 ₽'),
    ]);
  });

  it('shows pictures by their address, with their captions', () => {
    const html =
      '<figure><img src="https://cdn.example/1.webp?sig=a&amp;b=1" alt="окно" loading="lazy"><figcaption>Окно</figcaption></figure>';
    expect(toTelegraph(html)).toEqual([
      {
        tag: 'figure',
        children: [
          { tag: 'img', attrs: { src: 'https://cdn.example/1.webp?sig=a&b=1' } },
          { tag: 'figcaption', children: ['Окно'] },
        ],
      },
    ]);
  });

  it('links to other pages, not to anchors of ours, and never runs anything', () => {
    const html =
      '<p><a href="https://a.example/" title="x">сайт</a> <a href="#tseny">цены</a> <a href="tel:+79000000000">звонок</a> <a href="javascript:alert(1)">клик</a><img src="data:image/png;base64,AA"></p>';
    expect(toTelegraph(html)).toEqual([
      p(
        { tag: 'a', attrs: { href: 'https://a.example/' }, children: ['сайт'] },
        ' ',
        'цены',
        ' ',
        { tag: 'a', attrs: { href: 'tel:+79000000000' }, children: ['звонок'] },
        ' ',
        'клик',
      ),
    ]);
  });

  it('keeps lists, quotes, breaks and preformatted lines', () => {
    const html =
      '<ul>\n<li>один</li>\n</ul><blockquote><p>слова</p></blockquote><p>а<br>б</p><pre>  x\n  y</pre><hr>';
    expect(toTelegraph(html)).toEqual([
      { tag: 'ul', children: [{ tag: 'li', children: ['один'] }] },
      { tag: 'blockquote', children: [p('слова')] },
      p('а', { tag: 'br' }, 'б'),
      { tag: 'pre', children: ['  x\n  y'] },
      { tag: 'hr' },
    ]);
  });

  it('has no empty paragraphs', () =>
    expect(toTelegraph('<p> </p>\n<p><b></b></p><p>а</p>')).toEqual([p('а')]));

  it.each([1, 2, 3, 4, 5])('is taken by Telegraph with every sentence: article %i', (seed) => {
    const article = grownArticle(seed);
    const nodes = toTelegraph(sanitizeHtml(renderArticle(article).html));
    expect(readContent(nodes)).toEqual(nodes);
    for (const sentence of article.sentences) expect(told(nodes)).toContain(sentence);
  });
});

describe('an article that is too long for Telegraph', () => {
  const paragraph = `<p>${'Слово за словом. '.repeat(50)}</p>`;

  it('goes up whole while it fits', () => {
    const nodes = toTelegraph(paragraph.repeat(30));
    expect(nodes).toHaveLength(30);
    expect(told(nodes)).not.toContain('Статья длиннее');
  });

  it('shows whole paragraphs of its beginning and says that it continues', () => {
    const nodes = toTelegraph(paragraph.repeat(200));
    expect(bytes(nodes)).toBeLessThan(64 * 1024);
    expect(bytes(nodes)).toBeGreaterThan(55_000);
    expect(told(nodes.slice(-1))).toContain('Статья длиннее');
    for (const node of nodes.slice(0, -1)) expect(told([node])).toHaveLength(50 * 17);
  });

  it.each([
    ['one list', `<p>Начало</p><ul>${'<li>пункт за пунктом</li>'.repeat(5_000)}</ul>`],
    ['one unread text', `<pre>${'строка за строкой\n'.repeat(10_000)}</pre>`],
  ])('shows a part of %s that alone is too long', (_, html) => {
    const nodes = toTelegraph(html);
    expect(bytes(nodes)).toBeLessThan(64 * 1024);
    expect(told(nodes).length).toBeGreaterThan(5_000);
    expect(told(nodes.slice(-1))).toContain('Статья длиннее');
    expect(readContent(nodes)).toBeInstanceOf(Array);
  });
});
