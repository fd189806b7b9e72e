import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PostPlatform, postPlatforms, postRulesOf } from '../../../src/platforms/platforms.ts';
import { ownLink } from '../../../src/services/posts/company-links.ts';
import { fitPost } from '../../../src/services/posts/fit-post.ts';
import { validatePost } from '../../../src/services/quality/validate-content.ts';
import { company } from './flower-shop.ts';

const platforms = postPlatforms;
const fitting = { linkTo: ownLink(company), spareTags: ['Букеты', 'Казань', 'Флора'] };

function posted(platform: PostPlatform, text: string, hashtags = ['букет'], pin_title = '') {
  return fitPost(platform, { text, hashtags, pin_title }, fitting);
}
const telegram = (text: string) => posted('telegram', text).text;
const vk = (text: string) => fitPost('vk', { text, hashtags: ['а', 'б', 'в'], pin_title: '' }, fitting).text;
const sentence = 'Свежие пионы приехали сегодня утром. ';

describe('markup in Telegram and MAX', () => {
  it('stays where the platform knows it', () => {
    const text =
      '<b>Пионы</b> и <i>розы</i>, <u>свежие</u>, <s>вялые</s>, <code>x</code>\n<blockquote>Спасибо!</blockquote>';
    expect(telegram(text)).toBe(`${text}\n\n#букет`);
    expect(posted('max', text).text).toBe(`${text}\n\n#букет`);
  });

  it('loses its attributes and whatever the platform does not know', () => {
    expect(telegram('<b class="x" onclick="y()">Пионы</b> <span style="color:red">розы</span>')).toBe(
      '<b>Пионы</b> розы\n\n#букет',
    );
    expect(telegram('<script>alert(1)</script>Пионы<img src=x onerror=y()>')).toBe('Пионы\n\n#букет');
  });

  it('is closed where the model forgot to, and put in order where it was crossed', () => {
    expect(telegram('<b>Пионы <i>розы</b> лилии')).toBe('<b>Пионы <i>розы</i></b> <i>лилии</i>\n\n#букет');
    expect(telegram('Пионы</b> розы')).toBe('Пионы розы\n\n#букет');
  });

  it('is made of paragraphs, headings and lists', () => {
    expect(telegram('<h2>Пионы</h2><p>Розы<br>лилии</p><ul><li>раз</li><li>два</li></ul>')).toBe(
      '<b>Пионы</b>\n\nРозы\nлилии\n\n• раз\n• два\n\n#букет',
    );
  });

  it('never holds a sign that would be read as a tag', () => {
    expect(telegram('Розы < пионы & лилии > астр')).toBe('Розы &lt; пионы &amp; лилии &gt; астр\n\n#букет');
    expect(telegram('5 &lt; 7 &amp;amp; 8')).toBe('5 &lt; 7 &amp; 8\n\n#букет');
  });

  it('is kept out of code', () => {
    expect(telegram('<b>жми <code>a<i>b</i></code></b>')).toBe('<b>жми</b> <code>ab</code>\n\n#букет');
  });
});

describe('a link', () => {
  it('stays when it leads to the company', () => {
    const text =
      'Заказ <a href="https://flora.ru/buy?a=1&amp;b=2">на сайте</a> и <a href="https://t.me/flora">в канале</a>';
    expect(telegram(text)).toBe(`${text}\n\n#букет`);
  });

  it('is only its words when the model brought it from elsewhere', () => {
    expect(
      telegram(
        'Заказ <a href="https://rival.ru">тут</a>, [там](https://t.me/rival), <a href="javascript:x">и</a>',
      ),
    ).toBe('Заказ тут, там, и\n\n#букет');
    expect(
      telegram('<a href="https://flora.ru.rival.ru">тут</a> <a href="https://flora.ru@rival.ru">там</a>'),
    ).toBe('тут там\n\n#букет');
  });

  it('keeps its address where there is no markup, for it may be the call to action', () => {
    expect(vk('Заказ <a href="flora.ru/buy">на сайте</a>. [flora.ru](https://flora.ru/)')).toBe(
      'Заказ на сайте (https://flora.ru/buy). flora.ru\n\n#а #б #в',
    );
  });
});

describe('Markdown that slipped in', () => {
  it.each([
    ['**Пионы** и __розы__', '<b>Пионы</b> и <b>розы</b>'],
    ['*Пионы* и _розы_ и ~~астры~~', '<i>Пионы</i> и <i>розы</i> и <s>астры</s>'],
    ['## Пионы\nтекст', '<b>Пионы</b>\nтекст'],
    ['[Заказать](https://flora.ru/a_b_c)', '<a href="https://flora.ru/a_b_c">Заказать</a>'],
    ['* раз\n* два', '• раз\n• два'],
    ['> Спасибо\n> за розы', '<blockquote>Спасибо\nза розы</blockquote>'],
    ['`a*b*c`', '<code>a*b*c</code>'],
    ['Пионы\n\n---\n\nрозы', 'Пионы\n\nрозы'],
    ['Пионы\\! Розы\\.', 'Пионы! Розы.'],
    ['**Пионы', 'Пионы'],
    ['2*3*4 и snake_case_name', '2*3*4 и snake_case_name'],
    ['![пион](https://flora.ru/1.jpg)Пионы', 'Пионы'],
  ])('%j becomes %j', (markdown, html) => {
    expect(telegram(markdown)).toBe(`${html}\n\n#букет`);
  });
});

describe('a text without markup', () => {
  it('has neither tags, nor marks, nor entities', () => {
    expect(vk('<p><b>Пионы</b> &mdash; 5&nbsp;000 &#8381;</p><p>**Розы** &amp; лилии</p>')).toBe(
      'Пионы — 5\u00a0000 ₽\n\nРозы & лилии\n\n#а #б #в',
    );
  });

  it('does not keep a tag that was hidden in entities', () => {
    expect(vk('&lt;b&gt;Пионы&lt;/b&gt; и &amp;lt;i&amp;gt;розы')).toBe('Пионы и розы\n\n#а #б #в');
  });

  it('keeps what only looks like a tag, so that a placeholder is seen by the check', () => {
    const { text } = posted('telegram', 'Звоните: <placeholder>');
    expect(validatePost('telegram', { text })).toMatchObject([{ code: 'placeholder' }]);
  });
});

describe('hashtags', () => {
  it('are letters, digits and underscores behind a blank line', () => {
    expect(
      posted('vk', 'Пионы.', ['Свадебный букет', '#Санкт-Петербург', 'весна_2026!', '2026']),
    ).toMatchObject({
      text: 'Пионы.\n\n#Свадебныйбукет #СанктПетербург #весна_2026',
      hashtags: ['#Свадебныйбукет', '#СанктПетербург', '#весна_2026'],
    });
  });

  it('are not said twice', () => {
    expect(posted('telegram', 'Пионы #букет уже здесь.', ['Букет', 'БУКЕТ', 'розы']).text).toBe(
      'Пионы #букет уже здесь.\n\n#розы',
    );
    expect(posted('telegram', 'Пионы.\n\n#букет #розы', ['букет']).text).toBe('Пионы.\n\n#букет #розы');
  });

  it('are no more than the platform likes: the others become words', () => {
    expect(posted('telegram', '#раз и #два и #три', ['четыре', 'пять'])).toMatchObject({
      text: '#раз и два и три\n\n#четыре #пять',
      hashtags: ['#четыре', '#пять', '#раз'],
    });
  });

  it('are filled up from the person’s own words when the model named too few', () => {
    expect(posted('vk', 'Пионы.', []).hashtags).toEqual(['#Букеты', '#Казань', '#Флора']);
    expect(posted('pinterest', 'Пионы.', []).text).toBe('Пионы.');
  });

  it('leave addresses and numbers alone', () => {
    expect(posted('telegram', 'Мы #1: https://flora.ru/#about', ['букет'])).toMatchObject({
      text: 'Мы #1: https://flora.ru/#about\n\n#букет',
    });
  });
});

describe('a text that is too long', () => {
  it('ends with a whole sentence, and its tags still fit', () => {
    const { text } = posted('pinterest', sentence.repeat(20), ['букет']);
    expect(text).toBe(`${sentence.repeat(13).trim()}\n\n#букет`);
    expect(text.length).toBeLessThanOrEqual(500);
  });

  it('ends with a line when it has no sentences, with a word when it has no lines', () => {
    expect(posted('pinterest', 'пионы и розы\n'.repeat(60)).text).toMatch(/^(?:пионы и розы\n)+\n#букет$/u);
    expect(posted('pinterest', 'пионы '.repeat(200)).text).toMatch(/^(?:пионы )+пионы\n\n#букет$/u);
  });

  it('does not take the point of an abbreviation for the end of a sentence', () => {
    const text = `${'Пионы по 500 руб. за штуку '.repeat(30)}`;
    expect(posted('pinterest', text).text).not.toMatch(/руб\.\n/u);
  });

  it('brings back a tag that was cut off with its end', () => {
    const { text } = posted('pinterest', `${sentence.repeat(20)} Ждём вас, #букет!`);
    expect(text).toMatch(/утром\.\n\n#букет$/u);
  });

  it('is measured in Telegram by what is read, in MAX by what is sent', () => {
    const bold = '<b>пион</b> '.repeat(700).trim();
    expect(posted('telegram', bold).visible.length).toBe(700 * 5 - 1 + '\n\n#букет'.length);
    expect(posted('max', bold).text.length).toBeLessThanOrEqual(4_000);
    expect(posted('max', bold).text.length).toBeGreaterThan(3_950);
  });

  it('closes the tags it was cut in', () => {
    const { text } = posted('telegram', `<b>${sentence.repeat(200)}</b>`);
    expect(text).toMatch(/утром\.<\/b>\n\n#букет$/u);
  });
});

describe('the title of a pin', () => {
  it('is the model’s, without markup', () => {
    expect(posted('pinterest', 'Текст.', [], '**Пионы** &amp; розы').title).toBe('Пионы & розы');
  });

  it('is the beginning of the text when the model gave none', () => {
    expect(posted('pinterest', 'Пионы приехали.\n\n#букет').title).toBe('Пионы приехали.');
    const { title } = posted('pinterest', 'пионы '.repeat(50));
    expect(title).toMatch(/пионы\.\.\.$/u);
    expect(title!.length).toBeLessThanOrEqual(100);
  });

  it('belongs to pins alone', () => {
    expect(posted('vk', 'Текст.', [], 'Пионы').title).toBeNull();
  });
});

it('a text of nothing but tags is no text', () => {
  expect(posted('telegram', '<b> </b>\n#букет #розы')).toMatchObject({ text: '', hashtags: [] });
});

describe('whatever a model writes', () => {
  const scraps = fc.constantFrom(
    ...['<b>', '</b>', '<i>', '</i>', '<p>', '</p>', '<pre>', '</pre>', '<code>', '</code>', '<br>', '<li>'],
    ...[
      '<a href="https://flora.ru/x">',
      '<a href="https://rival.ru">',
      '</a>',
      '<blockquote>',
      '</blockquote>',
    ],
    ...['**', '__', '*', '_', '`', '```', '# ', '> ', '[x](https://flora.ru)', '~~', '\\', '---', '* '],
    ...['&amp;', '&lt;', '&gt;', '&#38;', 'lt;', '&nbsp;', '<', '>', '&', '"', '\n', '\n\n', ' ', '. ', '! '],
    ...[
      '#букет',
      '#розы',
      '#',
      ' #а',
      '😀',
      '👨‍👩‍👧',
      '\ud83d',
      'e\u0301',
      '\u0000',
      '\r\n',
      '5 000 руб. ',
      'Пионы',
    ],
  );
  const piece = fc.oneof(
    { weight: 5, arbitrary: scraps },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
  );
  const long = fc.tuple(piece, fc.integer({ min: 1, max: 700 })).map(([text, times]) => text.repeat(times));
  const text = fc
    .array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: long }), { maxLength: 40 })
    .map((pieces) => `Пионы${pieces.join('')}`);
  const answer = fc.record({
    text,
    hashtags: fc.array(fc.oneof(fc.string(), fc.constantFrom('букет', '#розы', 'a b', '#x#y')), {
      maxLength: 8,
    }),
    pin_title: fc.oneof(fc.constant(''), text),
  });

  it.each(platforms)('goes out to %s whole, within its limits, with its tags', (platform) => {
    fc.assert(
      fc.property(answer, (written) => {
        const post = fitPost(platform, written, fitting);
        const faults = validatePost(platform, post).filter(({ code }) => code !== 'placeholder');
        expect(faults).toEqual([]);
        expect(post.text.isWellFormed() && (post.title ?? '').isWellFormed()).toBe(true);
        expect(post.hashtags.every((tag) => post.visible.toLowerCase().includes(tag.toLowerCase()))).toBe(
          true,
        );
        const { min, max } = postRulesOf(platform).hashtags;
        expect(post.hashtags.length).toBeGreaterThanOrEqual(min);
        expect(post.hashtags.length).toBeLessThanOrEqual(max);
        if (postRulesOf(platform).tags.length > 0) expect(unbalanced(post.text)).toEqual([]);
        expect(post.text).not.toContain('rival.ru">');
      }),
      { numRuns: 150 },
    );
  });

  it.each(platforms)('is the same for %s when it is fitted again', (platform) => {
    fc.assert(
      fc.property(answer, (written) => {
        const post = fitPost(platform, written, fitting);
        const again = fitPost(platform, { ...post, pin_title: post.title ?? '' }, fitting);
        expect(again).toEqual(post);
      }),
      { numRuns: 150 },
    );
  });
});

/** Tags that are not closed in their order, and signs that are not escaped. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const rest = html.replace(
    /<(\/?)([a-z]+)(?: href="https?:[^"<>]*")?>/gu,
    (tag, slash: string, name: string) => {
      if (slash === '') open.push(name);
      else if (open.pop() !== name) wrong.push(tag);
      return '';
    },
  );
  const signs = rest.match(/[<>]|&(?!(?:amp|lt|gt);)/gu) ?? [];
  return [...wrong, ...open, ...signs];
}
