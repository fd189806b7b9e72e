import { describe, expect, it } from 'vitest';
import { renderArticle } from '../../../src/services/content/render-article.ts';

const places = {
  ...{ websiteUrl: 'https://okna.example', telegram: '@okna', vk: '', pinterest: '' },
  phones: ['8 (843) 200-00-00'],
};
const picture = { url: 'https://bot.example/pictures/1.webp?signature=a&expires=1' };

function html(markdown: string) {
  return renderArticle({ title: 'Окна', markdown, places, images: [picture] }).html;
}

describe('an article of a company', () => {
  it('keeps links to the company itself, wherever it is found', () => {
    const text = html(
      'Смотрите [цены](https://okna.example/prices), [блог](https://blog.okna.example/), [канал](https://t.me/okna), [раздел](#uhod), [звоните](tel:+78432000000).',
    );
    for (const href of [
      'https://okna.example/prices',
      'https://blog.okna.example/',
      'https://t.me/okna',
      '#uhod',
      'tel:+78432000000',
    ])
      expect(text).toContain(`href="${href}"`);
  });

  it('keeps the words of a link to strangers and drops the link, however it is written', () => {
    const text = html(
      [
        '[купите тут](https://evil.example/okna) и [тут][1], <https://evil.example/auto>,',
        '[канал](https://t.me/other), [похоже](https://okna.example.evil.example/).',
        '',
        '[1]: https://evil.example/ref',
      ].join('\n'),
    );
    expect(text).not.toContain('href');
    for (const words of ['купите тут', 'тут', 'канал', 'похоже']) expect(text).toContain(words);
  });

  it('shows its own pictures and those still to be drawn, and no others', () => {
    const text = html(
      [
        `![окно](<${picture.url}> "Окно")`,
        '',
        '![ещё](https://picture.invalid/2)',
        '',
        'До ![чужое](https://evil.example/pixel.gif) и после.',
        '',
        '[![чужое в ссылке](https://evil.example/a.png)](https://evil.example/)',
      ].join('\n'),
    );
    expect(text.match(/<img/gu)).toHaveLength(2);
    expect(text).not.toContain('evil.example');
    expect(text).toContain('До  и после.');
  });

  it('keeps every link when the site of the article is not known', () => {
    const { html: free } = renderArticle({ title: 'Окна', markdown: '[сюда](https://evil.example/)' });
    expect(free).toContain('href="https://evil.example/"');
  });
});
