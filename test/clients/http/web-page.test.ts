import { describe, expect, it } from 'vitest';
import { toWebPage } from '../../../src/clients/http/web-page.ts';

const about = { url: 'https://a.example/', title: 'Окна', description: '', summary: '' };
const read = (markdown: string) => toWebPage(about, markdown);

describe('a page that was read', () => {
  it('has its words counted without addresses and pictures', () => {
    const page = read(
      'Ставим [пластиковые окна](https://a.example/okna-pvh) за 1 день.\n\n![фото](https://a.example/1.jpg)',
    );
    expect(page?.words).toBe(6);
  });

  it('counts a word with a hyphen once', () => expect(read('Бизнес-план и CRM')?.words).toBe(3));

  it('has the headings of its first three levels, without marks', () => {
    expect(read('# Окна\n\n## **Цены** на `2026` ##\n\n### Скидки\n\n#### Мелочи')?.headings).toEqual([
      { level: 1, text: 'Окна' },
      { level: 2, text: 'Цены на 2026' },
      { level: 3, text: 'Скидки' },
    ]);
  });

  it('takes no comment in code for a heading', () => {
    expect(read('## Пример\n\n```\n# no heading\n```\n\nТекст')?.headings).toEqual([
      { level: 2, text: 'Пример' },
    ]);
  });

  it.each(['', '   \n\n', '![](https://a.example/1.jpg)', '---'])(
    'is nothing when there is nothing to read in %j',
    (markdown) => expect(read(markdown)).toBeNull(),
  );

  it('is kept short however long it was', () => {
    const page = read(`${'## Раздел\n\nслово '.repeat(100_000)}`);
    expect(page!.text.length).toBeLessThanOrEqual(20_000);
    expect(page!.headings.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(page).length).toBeLessThan(50_000);
  });

  it.each([
    ['openings of links', '!['.repeat(100_000)],
    ['openings of code', '```x\n'.repeat(40_000)],
    ['blanks in a heading', `## a${' '.repeat(199_000)}b`],
    ['brackets in brackets', '['.repeat(100_000) + ']('.repeat(50_000)],
  ])('is read at once also when it is made of %s', (_, markdown) => {
    const from = process.cpuUsage().user;
    read(`слово\n${markdown}`);
    expect(process.cpuUsage().user - from).toBeLessThan(2_000_000);
  });
});
