import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { russian } from '../../../src/services/quality/russian-text.ts';
import {
  type Article,
  gate,
  groupMaxima,
  needsCritique,
  rewriteIsKept,
  type Score,
  scoreArticle,
} from '../../../src/services/quality/score-article.ts';
import { badArticle } from './bad-article.ts';
import { goodArticle } from './good-article.ts';

const score = (change: Partial<Article> = {}) => scoreArticle({ ...goodArticle, ...change });
const html = (from: string | RegExp, to: string) => ({ html: goodArticle.html.replace(from, to) });
const points = ({ checks }: Score, name: string) => checks.find((check) => check.name === name)?.points;
const prose = (text: string) => ({ html: `<h1>Букеты</h1><p>${text}</p>` });

describe('the score of an article', () => {
  it('is full for a careful one, with nothing to tell its writer', () => {
    expect(score()).toMatchObject({ total: 100, groups: groupMaxima, failed: [], languageFailed: false });
  });

  it('is below the block for one of clichés and stuffing, and every fault is named', () => {
    const bad = scoreArticle(badArticle);
    expect(gate(bad)).toBe('blocked');
    expect(bad.failed.join('\n')).toMatch(/Плотность[\s\S]*H1[\s\S]*штампы[\s\S]*пустые вступления/u);
  });

  it('is nothing for an empty page with secondary phrases to cover', () => {
    expect(score({ html: '' }).total).toBe(0);
  });

  it('has checks that add up to the maximum of each group', () => {
    const sums = { seo: 0, readability: 0, structure: 0, naturalness: 0, depth: 0 };
    for (const { group, max } of score().checks) sums[group] += max;
    expect(sums).toEqual(groupMaxima);
  });

  it('stays within 0 to 100 and each group within its maximum, whatever the text', () => {
    const piece = fc.constantFrom(
      '<h1>Свадебные букеты</h1>',
      '<h2>Вопросы</h2>',
      '<p>Свадебный букет за 5000 рублей.</p>',
      '<p>Как известно, данный букет является лучшим.</p>',
      '<ul><li>Роза<ul><li>Мондиаль</li></ul></li></ul>',
      '<img src="{{IMAGE_1}}">',
      '<nav class="toc"></nav>',
      '<script type="application/ld+json">{</script>',
      '<a href="/x">и</a>',
    );
    const page = fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        page,
        fc.string(),
        fc.array(fc.string(), { maxLength: 3 }),
        (text, mainPhrase, secondaryPhrases) => {
          const article = { html: text, mainPhrase, secondaryPhrases, metaDescription: '' };
          const once = scoreArticle(article);
          expect(once.total).toBeGreaterThanOrEqual(0);
          expect(once.total).toBeLessThanOrEqual(100);
          for (const { points, max } of once.checks) {
            expect(points).toBeGreaterThanOrEqual(0);
            expect(points).toBeLessThanOrEqual(max);
          }
          expect(scoreArticle(article)).toEqual(once);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the SEO points', () => {
  it.each([
    [1, 8],
    [2, 4],
    [3, 0],
  ])('fall when the phrase stands %i times as thick', (times, expected) => {
    const stuffed = html(/свадебные букеты/giu, 'свадебные букеты '.repeat(times));
    expect(points(score(stuffed), 'density')).toBe(expected);
  });

  it.each([
    ['phrase in H1', /<h1>.*?<\/h1>/u, '<h1>Цветы к торжеству</h1>'],
    ['phrase in the first paragraph', '<p>Свадебные букеты заказывают', '<p>Цветы заказывают'],
    ['phrase in the conclusion', 'Тогда свадебные букеты', 'Тогда цветы'],
  ])('need the %s', (name, from, to) => {
    const without = score(html(from, to));
    expect(points(without, name)).toBe(0);
    expect(without.failed).toHaveLength(1);
  });

  it('follow the share of secondary phrases covered, and name the missing', () => {
    const half = score({ secondaryPhrases: ['круглый букет', 'искусственные цветы'] });
    expect(points(half, 'secondary phrases')).toBe(4);
    expect(half.failed).toEqual(['Не раскрыты фразы: искусственные цветы.']);
  });

  it('are half for coverage when no secondary phrases were given, without blame', () => {
    const none = score({ secondaryPhrases: [] });
    expect(points(none, 'secondary phrases')).toBe(4);
    expect(none.failed).toEqual([]);
  });

  it.each([119, 161])(
    'stay when the meta description has %i characters, but the writer hears of it',
    (length) => {
      const odd = score({ metaDescription: 'б'.repeat(length) });
      expect(odd.total).toBe(100);
      expect(odd.failed).toEqual([`Мета-описание — ${length} знаков, нужно 120–160.`]);
    },
  );
});

describe('the readability points', () => {
  it.each([
    [20, 6],
    [25, 3],
    [26, 0],
  ])('for sentences of %i words are %i', (length, expected) => {
    expect(points(score(prose(`${Array(length).fill('цвет').join(' ')}.`)), 'sentence length')).toBe(
      expected,
    );
  });

  it.each([
    [150, 5],
    [200, 2],
    [201, 0],
  ])('for paragraphs of %i words are %i', (length, expected) => {
    expect(points(score(prose('Цвет. '.repeat(length))), 'paragraph length')).toBe(expected);
  });

  it('are lost to long words', () => {
    expect(points(score(prose('Дом мой мал. Кот спит.')), 'ease of reading')).toBe(8);
    expect(points(score(prose('Высокопрофессиональное усовершенствование.')), 'ease of reading')).toBe(0);
  });

  it('are lost to a poor vocabulary', () => {
    expect(points(score(prose('роза '.repeat(10))), 'variety of words')).toBe(0);
  });
});

describe('the structure points', () => {
  it.each([
    ['one H1', '<h1>', '<h1>Ещё один</h1><h1>'],
    ['FAQ', 'Частые вопросы</h2>', 'Разное</h2>'],
    ['Schema.org', 'application/ld+json">{', 'application/ld+json">{{'],
    ['contents', 'class="toc"', ''],
  ])('need: %s', (name, from, to) => {
    expect(points(score(html(from, to)), name)).toBe(0);
  });

  it('do not count links into the page itself', () => {
    expect(points(score({ html: '<a href="#a">а</a><a href="/b">б</a>' }), 'links')).toBe(1);
  });

  it.each([
    [1, 0],
    [2, 2],
    [3, 4],
    [6, 4],
    [8, 2],
    [9, 0],
  ])('for %i sections are %i', (sections, expected) => {
    expect(points(score({ html: '<h2>Раздел</h2>'.repeat(sections) }), 'H2 sections')).toBe(expected);
  });
});

describe('the naturalness points', () => {
  it('are lost to clichés in any form, which are named', () => {
    const worn = score(prose('Букеты являются подарком. Широким спектром. Индивидуального подхода.'));
    expect(points(worn, 'clichés')).toBe(0);
    expect(worn.failed).toContain('Уберите штампы: является, индивидуальный подход, широкий спектр.');
  });

  it('forgive two clichés in part', () => {
    expect(points(score(prose('Данный букет — идеальный вариант.')), 'clichés')).toBe(2);
  });

  it('do not take data for a cliché', () => {
    expect(points(score(prose('Личные данные не передаём. По данным склада роз хватит.')), 'clichés')).toBe(
      5,
    );
  });

  it('are lost to sentences of one length', () => {
    expect(points(score(prose('Роза цветёт. Пион растёт. Мак вянет.')), 'rhythm')).toBe(0);
  });

  it.each([
    ['Роз много.', 0],
    ['Роз 5, пионов 7.', 1],
    ['Цены: 1 500, 2, 3, 4 и 5.', 3],
  ])('for figures in «%s» are %i', (text, expected) => {
    expect(points(score(prose(text)), 'figures')).toBe(expected);
  });

  it('are lost to empty openers', () => {
    const empty = score(prose('Как известно, розы вянут. Не секрет, что пионы тоже.'));
    expect(points(empty, 'empty openers')).toBe(0);
  });
});

describe('the depth points', () => {
  it.each([
    [499, 0],
    [500, 1],
    [1_000, 2],
    [1_500, 3],
  ])('for %i words are %i', (length, expected) => {
    expect(points(score({ html: `<p>${'роза '.repeat(length)}</p>` }), 'length')).toBe(expected);
  });

  it('count different names, not the beginnings of sentences', () => {
    expect(points(score(prose('Розы везут в Москву. Из Москвы в Тверь. Пионы тоже.')), 'names')).toBe(1);
    expect(points(score(prose('Розы вянут. Пионы тоже.')), 'names')).toBe(0);
  });

  it('count pictures that are still to be drawn', () => {
    expect(points(score(prose('{{IMAGE_1}} {{IMAGE_2}} <img src="a.webp">')), 'images')).toBe(2);
  });
});

describe('the gate', () => {
  const at = (total: number, languageFailed = false) => gate({ total, languageFailed });

  it.each([
    [100, 'passed'],
    [80, 'passed'],
    [79, 'noted'],
    [60, 'noted'],
    [59, 'warned'],
    [40, 'warned'],
    [39, 'blocked'],
    [0, 'blocked'],
  ])('at %i says %s', (total, said) => {
    expect(at(total)).toBe(said);
  });

  it('E44: asks for a critique below 80 only', () => {
    expect([79, 80].map((total) => needsCritique({ total }))).toEqual([true, false]);
  });

  it('E44: keeps a rewrite that is no worse, though still below 80', () => {
    const text = { total: 60, untrue: 4, isUnfit: false };
    expect(rewriteIsKept(text, text)).toBe(true);
    expect(rewriteIsKept(text, { ...text, total: 55 })).toBe(false);
  });

  it('E44: keeps no rewrite that invents something, however well it scores', () => {
    const text = { total: 60, untrue: 0, isUnfit: false };
    expect(rewriteIsKept(text, { ...text, total: 95, untrue: 4 })).toBe(false);
    expect(rewriteIsKept({ ...text, isUnfit: true }, { ...text, untrue: 4 })).toBe(true);
    expect(rewriteIsKept(text, { ...text, total: 95, isUnfit: true })).toBe(false);
  });

  it('E44: blocks a rewrite that is still below 40', () => {
    expect(gate(scoreArticle(badArticle))).toBe('blocked');
  });

  it('E45: blocks nothing when the language could not be read', () => {
    expect(at(10, true)).toBe('warned');
  });
});

describe('E45: when the language library crashes', () => {
  const crash = () => {
    throw new Error('no dictionary');
  };

  it.each(['words', 'sentences', 'stem'] as const)('in %s, the other groups are still counted', (part) => {
    const crashed = scoreArticle(goodArticle, { ...russian, [part]: crash });
    expect(crashed).toMatchObject({
      languageFailed: true,
      groups: { readability: 0, naturalness: 0, structure: 20 },
    });
    expect(crashed.groups.seo).toBeGreaterThan(0);
    expect(crashed.groups.depth).toBe(10);
  });

  it('the score says what with, for the log', () => {
    expect(scoreArticle(goodArticle, { ...russian, stem: crash }).languageError).toEqual(
      new Error('no dictionary'),
    );
  });

  it('the writer is not blamed for what could not be measured', () => {
    const crashed = scoreArticle(goodArticle, { ...russian, stem: crash });
    expect(crashed.failed.join()).not.toMatch(/Флеша|штампы|Предложения/u);
  });
});
