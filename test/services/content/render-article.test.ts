import createMarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../../src/services/content/contrast.ts';
import { articleSchema, faqSchema, jsonLdScript } from '../../../src/services/content/json-ld.ts';
import { renderArticle } from '../../../src/services/content/render-article.ts';
import { sanitizeHtml } from '../../../src/services/content/sanitize-html.ts';
import { slug } from '../../../src/services/content/slug.ts';
import { all, read, texts, values } from './dom.ts';

type Extras = Omit<Parameters<typeof renderArticle>[0], 'title' | 'markdown'>;
const page = (markdown: string, extras: Extras = {}) =>
  read(renderArticle({ title: 'Как выбрать кухню', markdown, ...extras }).html);

describe('the title', () => {
  it('is the only H1, and a stray one steps down', () => {
    const article = page('# Другой заголовок\n\nтекст\n\n# Ещё один');
    expect(texts(article, 'h1')).toEqual(['Как выбрать кухню']);
    expect(texts(article, 'h2')).toEqual(['Другой заголовок', 'Ещё один']);
  });

  it('is not repeated when the text begins with it', () => {
    expect(texts(page('# Как выбрать кухню!\n\nтекст'), 'h1, h2')).toEqual(['Как выбрать кухню']);
  });

  it('is text, whatever it holds', () => {
    expect(renderArticle({ title: ' 2 < 3 & <b> ', markdown: '' }).html).toBe(
      '<h1>2 &lt; 3 &amp; &lt;b&gt;</h1>\n',
    );
  });
});

describe('headings', () => {
  it('get anchors in Latin letters, each its own', () => {
    const article = page('## Щётка и ёж\n\n## Цена\n\n### Цена\n\n## Цена-2\n\n## ???\n\n## 中文');
    expect(values(article, 'h2, h3', 'id')).toEqual([
      ...['shchyotka-i-yozh', 'tsena', 'tsena-2', 'tsena-2-2', 'heading', 'heading-2'],
    ]);
  });

  it('leave no level out, whatever the model began with', () => {
    const levels = (markdown: string) =>
      all(page(markdown), 'h2, h3, h4, h5').map(({ localName }) => localName);
    expect(levels('### Раз\n\n### Два\n\n#### Три')).toEqual(['h2', 'h2', 'h3']);
    expect(levels('## Раз\n\n#### Два\n\n### Три\n\n# Четыре\n\n## Пять')).toEqual([
      ...['h2', 'h3', 'h3', 'h2', 'h2'],
    ]);
  });

  it('are not made of a paragraph by the line under it', () => {
    const article = page('## Раз\n\nАбзац.\n---\n\n    Отступ.\n\nЕщё абзац.\n===');
    expect(texts(article, 'h2')).toEqual(['Раз']);
    expect(texts(article, 'p')).toEqual(['Абзац.', 'Отступ.', 'Ещё абзац. ===']);
    expect(all(article, 'pre')).toEqual([]);
  });

  it('keep their anchors even when called like a part of a page', () => {
    const html = sanitizeHtml(
      renderArticle({ title: 'x', markdown: '## Title\n\n## Links\n\n## Body' }).html,
    );
    expect(values(read(html), 'h2', 'id')).toEqual(['title', 'links', 'body']);
  });
});

describe('contents', () => {
  it('are there from three headings on', () => {
    expect(page('## Раз\n\n### Два').querySelector('nav')).toBeNull();
    expect(page('## Раз\n\n### Два\n\n## Три').querySelector('nav.toc')).not.toBeNull();
  });

  it('list sections and subsections, not what is below', () => {
    const article = page('## Раз\n\n### *Два*\n\n#### Мелочь\n\n## Три');
    expect(texts(article, 'nav a')).toEqual(['Раз', 'Два', 'Три']);
    expect(values(article, 'nav a', 'href')).toEqual(['#raz', '#dva', '#tri']);
    expect(texts(article, 'li.toc-h3')).toEqual(['Два']);
  });

  it('have a label that is no heading', () => {
    expect(texts(page('## А\n\n## Б\n\n## В'), 'h1, h2, h3, h4, h5, h6')).not.toContain('Содержание');
  });
});

describe('a line break written as HTML', () => {
  it('breaks the line in the cell of a table, where Markdown has no other', () => {
    const article = page('| А | Б |\n|---|---|\n| раз<br>два | три<BR />**четыре** |');
    expect(texts(article, 'td').map((cell) => cell.replace(/\s/gu, ''))).toEqual(['раздва', 'тричетыре']);
    expect(all(article, 'td > br')).toHaveLength(2);
    expect(texts(article, 'td > strong')).toEqual(['четыре']);
  });

  it('is shown where it is talked about', () => {
    expect(texts(page('Тег `<br>` переносит строку'), 'code')).toEqual(['<br>']);
  });
});

describe('pictures', () => {
  it('stand outside paragraphs, with the title or else the description under them', () => {
    const article = page('![кот](https://e.example/1.png "Рыжий кот")\n\n![пёс](https://e.example/2.png)');
    expect(texts(article, 'figcaption')).toEqual(['Рыжий кот', 'пёс']);
    expect(all(article, 'p img')).toEqual([]);
    expect(all(article, 'p')).toEqual([]);
  });

  it('part the paragraph they were written in, and nothing of it is lost', () => {
    const article = page(
      'Слева ![x](https://e.example/1.png) и **жирно ![y](https://e.example/2.png) справа**.',
    );
    expect(texts(article, 'p, figure')).toEqual(['Слева', 'x', 'и жирно', 'y', 'справа.']);
    expect(texts(article, 'strong')).toEqual(['жирно', 'справа']);
  });

  it('keep the link around them, with no empty one left behind', () => {
    const article = page('[![x](https://e.example/1.png)](https://e.example/)');
    expect(all(article, 'a')).toHaveLength(1);
    expect(article.querySelector('figure > a > img')).not.toBeNull();
  });

  it('stay in the line in a table and in a heading', () => {
    const article = page(
      '## Знак ![x](https://e.example/1.png)\n\n| a |\n|---|\n| ![y](https://e.example/2.png) |',
    );
    expect(all(article, 'h2 > img, td > img')).toHaveLength(2);
  });

  it('wait until scrolled to, except the first', () => {
    const article = page([1, 2, 3].map((n) => `![${n}](https://e.example/${n}.png)`).join('\n\n'));
    expect(values(article, 'img', 'loading')).toEqual([null, 'lazy', 'lazy']);
  });

  it('have their size when it is known', () => {
    const images = [
      { url: 'https://e.example/кот.png', width: 800, height: 600 },
      { url: 'https://e.example/2.png', width: 5 },
    ];
    const article = page('![1](https://e.example/кот.png)\n\n![2](https://e.example/2.png)', { images });
    expect(values(article, 'img', 'width')).toEqual(['800', null]);
    expect(values(article, 'img', 'height')).toEqual(['600', null]);
  });

  it('leave no orphaned caption when their address is refused', () => {
    expect(
      sanitizeHtml('<p>a</p><figure><img src="data:image/png,x"><figcaption>b</figcaption></figure>'),
    ).toBe('<p>a</p>');
  });
});

describe('text', () => {
  it('shows raw HTML instead of obeying it', () => {
    expect(texts(page('Тег <b>жирный</b>'), 'p')).toEqual(['Тег <b>жирный</b>']);
  });

  it('keeps tables and struck words', () => {
    const article = page('| a | b |\n|--|--:|\n| 1 | ~~2~~ |');
    expect(texts(article, 'th, td, s')).toEqual(['a', 'b', '1', '2', '2']);
    expect(values(article, 'th, td', 'style')).toEqual([null, null, null, null]);
  });

  it('goes on counting where a list was interrupted', () => {
    expect(values(page('3. три\n4. четыре'), 'ol', 'start')).toEqual(['3']);
  });

  it('protects the reader who follows a link out', () => {
    const article = page('[a](https://e.example/) [b](#b) <https://e.example/c>');
    expect(values(article, 'a', 'rel')).toEqual(['noopener noreferrer', null, 'noopener noreferrer']);
  });

  it('wears the colours of the site, if they are colours', () => {
    const brand = { text: '#333333', accent: '#06c' };
    const article = page('## А\n\n[b](https://e.example/)\n\n### Б\n\n#### В\n\n##### Г', { brand });
    expect(values(article, 'h2, p, a, h5', 'style')).toEqual([
      'color:#333333',
      'color:#333333',
      'color:#06c',
      null,
    ]);
    expect(all(page('текст', { brand: { text: 'red;background:url(x)' } }), '[style]')).toEqual([]);
  });
});

describe('brand colours', () => {
  const painted = (brand: { text?: string; accent?: string; background?: string }) =>
    values(page('Слова и [ссылка](https://e.example/)', { brand }), 'p, a', 'style');

  it('are painted only where text reaches a contrast of 4.5:1 with its background', () => {
    expect(contrast('#767676', '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(painted({ text: '#767676', accent: '#767676' })).toEqual(['color:#767676', 'color:#767676']);
    expect(contrast('#777777', '#ffffff')).toBeLessThan(4.5);
    expect(painted({ text: '#777777', accent: '#777777' })).toEqual([null, null]);
  });

  it('that Lighthouse measured at 2.06:1 leave links to the theme', () => {
    expect(contrast('#ff9f40', '#ffffff')).toBeCloseTo(2.06, 1);
    expect(painted({ text: '#222222', accent: '#ff9f40' })).toEqual(['color:#222222', null]);
  });

  it('are measured on the background of the site, not on white', () => {
    expect(painted({ accent: '#ffd54f', background: '#202020' })).toEqual([null, 'color:#ffd54f']);
    expect(painted({ accent: '#333333', background: '#202020' })).toEqual([null, null]);
  });
});

describe('Markdown that cannot be rendered', () => {
  const broken = createMarkdownIt().use((markdownIt) => {
    markdownIt.core.ruler.push('broken', () => {
      throw new RangeError('Maximum call stack size exceeded');
    });
  });

  it('is shown as it is under the title, and the caller is told why', () => {
    const markdown = '## Раз\n\n<script>alert(1)</script> & **два**';
    const article = renderArticle({ title: 'Заголовок', markdown }, broken);
    expect(article).toMatchObject({ fellBack: true, cause: expect.any(RangeError) });
    const safe = read(sanitizeHtml(article.html));
    expect(texts(safe, 'h1')).toEqual(['Заголовок']);
    expect(safe.querySelector('pre')?.textContent).toBe(markdown);
    expect(all(safe, 'script')).toEqual([]);
  });
});

describe('the gate', () => {
  it('has nothing to rewrite in what was rendered, so one reading is enough', () => {
    const markdown =
      '## "А"\u00a0и <б>\n\n`"a"\u00a0<b>` [c](https://e.example/?a=1&b=2 "d\u00a0\\"e\\"")\n\n' +
      '```html\n<a class="x">\n```\n\n![f\u00a0"g"](https://e.example/h.webp "i\u00a0j")';
    const { html } = renderArticle({
      title: '"К"\u00a0& л',
      markdown,
      brand: { text: '#333', accent: '#06c' },
    });
    expect(sanitizeHtml(html)).toBe(html);
  });

  it('keeps harmless emphasis and drops the rest of a style', () => {
    expect(sanitizeHtml('<span style="color: RED; position: fixed; font-weight:bold">x</span>')).toBe(
      '<span style="color:RED;font-weight:bold">x</span>',
    );
    expect(sanitizeHtml('<p style="color:red">x</p><h2 style="COLOR : #FFF">y</h2>')).toBe(
      '<p>x</p><h2 style="color:#FFF">y</h2>',
    );
  });

  it('leaves the words of elements it does not know', () => {
    expect(sanitizeHtml('<section><div>a <u>b</u></div></section>')).toBe('a b');
  });

  it('lets links say less of trust, never less of safety', () => {
    expect(sanitizeHtml('<a href="https://e.example/" rel="nofollow opener">x</a>')).toBe(
      '<a href="https://e.example/" rel="nofollow noopener noreferrer">x</a>',
    );
  });

  it('takes no address relative to a page it does not know', () => {
    expect(sanitizeHtml('<a href="/catalog">x</a><img src="/i.png">')).toBe('<a>x</a>');
  });
});

describe('data for search engines', () => {
  const schema = articleSchema({
    headline: '</script><script>alert(1)</script>',
    description: '<!--',
    images: [],
    author: 'ООО «Кухни»',
    publisher: 'ООО «Кухни»',
    datePublished: '2026-01-31T09:00:00Z',
  });

  it('cannot end its own element', () => {
    const [script, ...others] = all(read(jsonLdScript(schema)), 'script');
    expect(others).toEqual([]);
    expect(JSON.parse(script!.textContent)).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it('passes the gate unchanged, and what is no JSON does not', () => {
    const faq = jsonLdScript(faqSchema([{ question: 'Почём?', answer: '5 < 6' }]));
    const html = `<p>x</p>${jsonLdScript(schema)}${faq}`;
    expect(sanitizeHtml(html)).toBe(html);
    expect(sanitizeHtml('<p>x</p><script type="application/ld+json">{a:1}</script>')).toBe('<p>x</p>');
  });

  it('is an Article unless the text is something else', () => {
    expect(schema['@type']).toBe('Article');
    expect(
      articleSchema({ ...schema, schemaType: 'HowTo', images: [], author: '', publisher: '' })['@type'],
    ).toBe('HowTo');
  });
});

describe('a slug', () => {
  it('is written as the specification transliterates', () => {
    expect(slug('Объём: щи, ёж, хлеб, цирк, чай, шум, мышь, эхо, юг, яйцо')).toBe(
      'obyom-shchi-yozh-khleb-tsirk-chaj-shum-mysh-ekho-yug-yajtso',
    );
    expect(slug('  Café №5 — 100 % ')).toBe('cafe-5-100');
    expect(slug('и\u0306од')).toBe('jod');
    expect(slug('!!!')).toBe('');
  });

  it('is cut at a word, and is always a good file name', () => {
    const long = slug('длинное название '.repeat(30));
    expect(long.length).toBeLessThanOrEqual(180);
    expect(long).toMatch(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/u);
    expect(slug('я'.repeat(300))).toHaveLength(180);
  });
});
