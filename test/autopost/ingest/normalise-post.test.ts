import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalUrl, withCanonicalUrls } from '../../../src/autopost/ingest/canonical-url.ts';
import { normalisePost } from '../../../src/autopost/ingest/normalise-post.ts';
import { tidyText } from '../../../src/autopost/ingest/tidy-text.ts';
import { withLinks } from '../../../src/autopost/queue/with-links.ts';

describe('an address', () => {
  it.each([
    ['HTTPS://Shop.Example:443/a', 'https://shop.example/a'],
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example./', 'https://shop.example/'],
    ['https://shop.example/a/', 'https://shop.example/a'],
    ['https://shop.example/a?b=2&a=1&a=0', 'https://shop.example/a?a=1&a=0&b=2'],
    ['https://shop.example/?utm_source=tg&UTM_Medium=x&yclid=1&gclid=2&fbclid=3', 'https://shop.example/'],
    ['https://shop.example/?utm=1', 'https://shop.example/?utm=1'],
    ['https://shop.example/a#top', 'https://shop.example/a'],
    ['https://окна.рф/скидки', 'https://xn--80atjc.xn--p1ai/%D1%81%D0%BA%D0%B8%D0%B4%D0%BA%D0%B8'],
  ])('%s is known as %s', (address, canonical) => expect(canonicalUrl(address)).toBe(canonical));

  it.each(['ftp://shop.example', 'mailto:a@shop.example', 'shop.example', ''])(
    '%s is none of the web',
    (address) => expect(canonicalUrl(address)).toBeNull(),
  );

  it('has one spelling for good', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (address) => {
        const canonical = canonicalUrl(address) ?? '';
        expect(canonicalUrl(canonical)).toBe(canonical);
      }),
    );
  });

  it('is found in tags, in brackets and in sentences', () => {
    const text =
      '<a href="https://X.ru/?b=1&amp;a=2">x</a> [y](https://X.ru/a/). См. https://Y.ru/?utm_a=1, и всё.';
    const canonical =
      '<a href="https://x.ru/?a=2&amp;b=1">x</a> [y](https://x.ru/a). См. https://y.ru/, и всё.';
    expect(withCanonicalUrls(text)).toBe(canonical);
  });
});

describe('a text', () => {
  it('has one blank between words and one empty line between paragraphs', () => {
    expect(tidyText(' а \t\u00a0б\r\n\r\n \n\nв \n г ', 'None')).toBe('а б\n\nв\nг');
  });

  it('keeps the blanks of code', () => {
    expect(tidyText('a  b <pre>if x:\n    y  = 1\n\n\n</pre>  c', 'HTML')).toBe(
      'a b <pre>if x:\n    y  = 1\n\n\n</pre> c',
    );
    expect(tidyText('a  b `x  y`\n```\n  z\n```', 'Markdown')).toBe('a b `x  y`\n```\n  z\n```');
  });

  it('that never closes its code is left to be refused', () => {
    expect(tidyText('a  b <code>x  y</pre>  z', 'HTML')).toBe('a b <code>x  y</pre>  z');
  });

  it('keeps the lists of Markdown in each other', () => {
    expect(tidyText('- a\n  - b   c  \n\n\n\nd', 'Markdown')).toBe('- a\n  - b c\n\nd');
  });

  it('is tidied for good', () => {
    const words = fc.array(
      fc.constantFrom(' ', '\n', '\t', 'а', '<pre>', '</pre>', '`', '\u0000', '\u00a0', '\r\n'),
    );
    for (const parseMode of ['None', 'HTML', 'Markdown'] as const)
      fc.assert(
        fc.property(words, (parts) => {
          const once = tidyText(parts.join(''), parseMode);
          expect(tidyText(once, parseMode)).toBe(once);
        }),
      );
  });
});

describe('a post', () => {
  it('is known by its content, not by tracking parameters in its links', () => {
    const identity = (mark: string) =>
      normalisePost({
        text: `Скидки: https://shop.example/?utm_source=${mark}`,
        links: [`https://a.example/?yclid=${mark}`],
      }).identity;
    expect(identity('tg')).toEqual(identity('max'));
    expect(normalisePost({ text: 'https://shop.example/?utm_source=tg' }).shown.text).toContain(
      'utm_source=tg',
    );
  });

  it('without a mark in it is the same in every markup, and with one it is not', () => {
    const identity = (text: string, parse_mode: 'HTML' | 'Markdown' | null) =>
      normalisePost({ text, parse_mode }).identity;
    expect(identity('Скидки - 50%', 'HTML')).toEqual(identity('Скидки - 50%', null));
    expect(identity('Скидки - 50%', 'Markdown')).toEqual(identity('Скидки - 50%', null));
    expect(identity('<b>Скидки</b>', 'HTML')).not.toEqual(identity('<b>Скидки</b>', null));
    expect(identity('*Скидки*', 'Markdown')).not.toEqual(identity('*Скидки*', null));
  });

  it('is tagged by what is given and by the hashtags of its text', () => {
    const text = 'Розы #Цветы <a href="https://a.example/#top">и</a> #розы';
    expect(
      normalisePost({ text, tags: [' #Розы ', 'RU', '', 'я'.repeat(65)], parse_mode: 'HTML' }).tags,
    ).toEqual(['ru', 'розы', 'цветы']);
  });
});

describe('links', () => {
  const link = 'https://shop.example/a_b_(c)?x=1&y=2';
  it.each([
    ['None', `t\n\n${link}`],
    ['HTML', `t\n\n<a href="${link.replace('&', '&amp;')}">${link.replace('&', '&amp;')}</a>`],
    ['Markdown', 't\n\n[shop.example](https://shop.example/a_b_%28c%29?x=1&y=2)'],
  ] as const)('stand behind a text in %s', (parseMode, written) =>
    expect(withLinks('t', [link], parseMode)).toBe(written),
  );

  it('are a post by themselves', () => expect(withLinks('', [link], 'None')).toBe(link));

  it('are not said twice', () => {
    const text = 'см. https://shop.example/a/?utm_source=x.';
    const links = ['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/b/'];
    expect(normalisePost({ text, links }).shown.links).toEqual(['https://shop.example/b']);
    expect(normalisePost({ text, links: [links[0] ?? ''] }).identity).toEqual(
      normalisePost({ text }).identity,
    );
  });
});
