import fc from 'fast-check';
import createMarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { placePictures } from '../../../src/services/pictures/place-pictures.ts';

const title = 'Кухня на заказ';
const pictures = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ url: `https://pictures.example/7/${i + 1}.webp?expires=1` }));
const meta = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    alt: `Кухня ${i + 1}`,
    filename: `kukhnya-${i + 1}`,
    figcaption: `Подпись ${i + 1}`,
  }));
const image = (n: number) => `![Кухня ${n}](<https://pictures.example/7/${n}.webp?expires=1> "Подпись ${n}")`;
const place = (markdown: string, drawn: number, described = drawn) =>
  placePictures({ title, markdown, meta: meta(described), pictures: pictures(drawn) });

const sections = Array.from({ length: 5 }, (_, i) => `## Раздел ${i + 1}\n\nТекст ${i + 1}.`).join('\n\n');

describe('as many pictures as descriptions', () => {
  it('take the places left for them, mark and all', () => {
    const { markdown } = place('Начало\n\n![модель]({{IMAGE_1}} "её подпись")\n\nКонец {{IMAGE_2}}', 2);
    expect(markdown).toBe(`Начало\n\n${image(1)}\n\nКонец ${image(2)}`);
  });

  it.each([
    ['a caption with brackets', '![а]({{IMAGE_1}} "Кухня (вид сверху)")'],
    ['a caption with quotes inside', '![а]({{IMAGE_1}} "Кухня "Мария" в белом")'],
    ['a caption without quotes', '![а]({{IMAGE_1}} вид сверху)'],
    ['an alt text with brackets', '![кухня [угловая]]({{IMAGE_1}})'],
    ['no alt text', '![]({{IMAGE_1}})'],
    ['angle brackets', '![а](<{{IMAGE_1}}> "б")'],
    ['spaces', '![а]( {{ IMAGE_1 }} )'],
    ['small letters', '![а]({{image_1}})'],
    ['a mark within its caption', '![а]({{IMAGE_1}} "как {{IMAGE_1}}")'],
  ])('are found behind %s', (_, mark) => {
    expect(place(`До ${mark} после`, 1).markdown).toBe(`До ${image(1)} после`);
  });

  it('come once, however often the model named them', () => {
    expect(place('{{IMAGE_1}}\n\nтекст\n\n![а]({{IMAGE_1}})', 1).markdown).toBe(`${image(1)}\n\nтекст`);
  });

  it('are spread over the sections when the model forgot to place them', () => {
    const { markdown } = place(sections, 2);
    const under = (n: number) => markdown.split(/^## /mu)[n]!;
    expect(under(2)).toContain(image(1));
    expect(under(3)).toContain(image(2));
    expect(markdown).toContain(`## Раздел 2\n\n${image(1)}\n\nТекст 2.`);
  });

  it('stand at the top of a text without sections', () => {
    expect(place('Просто текст.', 2).markdown).toBe(`${image(1)}\n\n${image(2)}\n\nПросто текст.`);
  });

  it('are not put into code that looks like a heading', () => {
    const code = '```\n## не раздел\n```';
    expect(place(`${code}\n\n## Раздел\n\nТекст`, 1).markdown).toBe(
      `${code}\n\n## Раздел\n\n${image(1)}\n\nТекст`,
    );
  });
});

describe('another number of pictures than of descriptions (E32)', () => {
  it('fewer: spare descriptions and unfilled places go', () => {
    const { markdown, pictures: placed } = place(
      '{{IMAGE_1}}\n\nтекст\n\n![а]({{IMAGE_2}} "б")\n\nконец',
      1,
      2,
    );
    expect(markdown).toBe(`${image(1)}\n\nтекст\n\nконец`);
    expect(placed).toHaveLength(1);
  });

  it('more: the spare pictures are described by the title and spread', () => {
    const { markdown, pictures: placed } = place(`{{IMAGE_1}}\n\n${sections}`, 2, 1);
    expect(placed[1]).toMatchObject({
      alt: 'Кухня на заказ — изображение 2',
      filename: 'kukhnya-na-zakaz-2',
      caption: '',
    });
    expect(markdown).toContain(
      '## Раздел 3\n\n![Кухня на заказ — изображение 2](<https://pictures.example/7/2.webp?expires=1>)\n\nТекст 3.',
    );
  });

  it('no descriptions: all are generic', () => {
    expect(place(sections, 3, 0).pictures.map(({ filename }) => filename)).toEqual([
      'kukhnya-na-zakaz-1',
      'kukhnya-na-zakaz-2',
      'kukhnya-na-zakaz-3',
    ]);
  });

  it('no pictures: no places either', () => {
    expect(place('Начало\n\n![а]({{IMAGE_1}})\n\n\n{{IMAGE_2}}\n\nКонец', 0, 2)).toEqual({
      markdown: 'Начало\n\nКонец',
      pictures: [],
    });
  });

  it.each([
    ['an empty alt text', { alt: ' ', filename: 'kukhnya', figcaption: 'б' }],
    ['a Russian file name', { alt: 'а', filename: 'кухня', figcaption: 'б' }],
    ['a path for a file name', { alt: 'а', filename: '../kukhnya', figcaption: 'б' }],
    ['an endless file name', { alt: 'а', filename: 'k'.repeat(181), figcaption: 'б' }],
  ])('a description with %s gives way to a generic one', (_, bad) => {
    const { pictures: placed } = placePictures({ title, markdown: '', meta: [bad], pictures: pictures(1) });
    expect(placed[0]).toMatchObject({ alt: 'Кухня на заказ — изображение 1', caption: '' });
  });

  it('a description stays when its file name only has an ending too many', () => {
    const given = { alt: 'Белая кухня', filename: 'belaya-kukhnya.JPG', figcaption: 'б' };
    const { pictures: placed } = placePictures({ title, markdown: '', meta: [given], pictures: pictures(1) });
    expect(placed[0]).toMatchObject({ alt: 'Белая кухня', filename: 'belaya-kukhnya', caption: 'б' });
  });
});

it('says what the model said of a picture, whatever signs it used', () => {
  const said = { alt: 'Фасад [МДФ] *белый* & "матовый"', filename: 'fasad', figcaption: 'Цвет \\ "снег"' };
  const { markdown } = placePictures({ title, markdown: '{{IMAGE_1}}', meta: [said], pictures: pictures(1) });
  const token = createMarkdownIt().parse(markdown, {})[1]!.children![0]!;
  const alt = token.children!.map(({ content }) => content).join('');
  expect([alt, token.attrGet('title')]).toEqual([said.alt, said.figcaption]);
});

it.each([
  '{{IMAGE}}',
  '{{IMAGE_}}',
  '{{IMAGE_x}}',
  '{{IMAGE_1',
  '![а]({{IMAGE}} "б")',
  '{{IM{{IMAGE_9}}AGE_1}}',
  '{{{{IMAGE_9}}IMAGE_1}}',
  '{{ {{{{IMAGE}}IMAGE',
])('leaves no mark that names no picture: %s', (mark) => {
  const { markdown } = place(`До ${mark} после`, 0);
  expect(markdown).not.toMatch(/\{\{\s*IMAGE/iu);
  expect(markdown).toMatch(/^До .*после$/u);
});

it('does not lose a picture between the halves of a broken mark', () => {
  expect(place('{{IMAGE {{IMAGE_1}} }}', 1).markdown).toContain(image(1));
});

describe('whatever the model wrote', () => {
  const mark = fc.oneof(
    fc.nat(12).map((n) => `{{IMAGE_${n}}}`),
    fc.nat(12).map((n) => `![картинка ${n}]({{IMAGE_${n}}} "подпись ${n}")`),
    fc.nat(12).map((n) => `![картинка]({{IMAGE_${n}}})`),
  );
  const words = fc.stringMatching(/^[а-яё]{1,8}( [а-яё]{1,8}){0,5}[.!]$/u);
  const block = fc.oneof(
    { weight: 3, arbitrary: words },
    words.map((text) => `## ${text}`),
    words.map((text) => `- ${text}\n- ${text}`),
    words.map((text) => `\`\`\`\n## ${text}\n\`\`\``),
    { weight: 2, arbitrary: mark },
    fc.tuple(words, mark, words).map((parts) => parts.join(' ')),
  );
  const article = fc.array(block, { maxLength: 20 }).map((blocks) => blocks.join('\n\n'));
  const plain = (markdown: string) =>
    markdown
      .replace(/!\[[^\]]*\]\([^)]*\)|\{\{IMAGE_\d+\}\}/gu, '')
      .split(/\s+/u)
      .filter(Boolean);

  it('every picture comes once, no mark stays, and the text is the same', () => {
    fc.assert(
      fc.property(article, fc.nat(10), fc.nat(10), (markdown, drawn, described) => {
        const placed = place(markdown, drawn, described);
        expect(placed.markdown).not.toMatch(/\{\{\s*IMAGE/iu);
        for (const { url } of placed.pictures) expect(placed.markdown.split(`<${url}>`)).toHaveLength(2);
        expect(plain(placed.markdown)).toEqual(plain(markdown));
        expect(placed.markdown).not.toMatch(/\n{3}/u);
      }),
      { numRuns: 300 },
    );
  });

  it('nothing at all upsets it', () => {
    const odd = fc.array(
      fc.oneof(mark, fc.constantFrom('{{', '}}', '![', '](', ')', '\n', '"', 'IMAGE_1'), fc.string()),
    );
    fc.assert(
      fc.property(odd, fc.nat(3), (parts, drawn) => {
        const { markdown } = place(parts.join(''), drawn);
        expect(markdown).not.toMatch(/\{\{\s*IMAGE/iu);
        for (const { url } of pictures(drawn)) expect(markdown.split(`<${url}>`)).toHaveLength(2);
      }),
      { numRuns: 500 },
    );
  });
});
