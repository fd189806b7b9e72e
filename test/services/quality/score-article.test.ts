import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { russian } from '../../../src/services/quality/russian-text.ts';
import {
  type Article,
  gate,
  needsCritique,
  rewriteIsKept,
  rules,
  scoreArticle,
  verdictOf,
} from '../../../src/services/quality/score-article.ts';
import { readTopic } from '../../../src/services/quality/topic.ts';
import {
  areaUnderCurve,
  goodSamples,
  spoiledSamples,
  spoils,
  toArticle,
  written,
} from '../../corpus/corpus.ts';
import { badArticle } from './bad-article.ts';
import { goodArticle } from './good-article.ts';

const windows = written('realestate', 'пластиковые окна');
const spoiled = (kind: string) =>
  scoreArticle(
    toArticle('realestate', 'пластиковые окна', spoils[kind]!(windows, 'пластиковые окна', 'realestate')),
  );
const good = toArticle('realestate', 'пластиковые окна', windows);

describe('the score of an article', () => {
  it.each(['random words', 'one paragraph sixty times', 'about something else', 'water'])(
    'blocks an article of %s',
    (kind) => {
      expect(gate(spoiled(kind))).toBe('blocked');
    },
  );

  it('is below 60 when the phrase is stuffed to more than five per cent', () => {
    expect(spoiled('stuffed').total).toBeLessThan(60);
    expect(spoiled('stuffed').failed[0]).toMatch(/занимает \d+,\d % текста/u);
  });

  it('is at least 85 for a good article with the phrase a few times, in natural forms', () => {
    const rare = { ...good, html: mostlyWithout(good.html, /пластиковые окна/giu, 4, 'такие окна') };
    expect(scoreArticle(rare).total).toBeGreaterThanOrEqual(85);
    expect(needsCritique(scoreArticle(rare))).toBe(false);
  });

  it('is below 80 with a title of 200 characters and a description of 20', () => {
    const title = 'Пластиковые окна: '.padEnd(200, 'выбор и цена ');
    const html = good.html.replace(/<h1>.*?<\/h1>/u, `<h1>${title}</h1>`);
    expect(scoreArticle({ ...good, html, metaDescription: 'Пластиковые окна тут' }).total).toBeLessThan(80);
  });

  it('tells good articles from spoiled ones over ten trades', () => {
    const totals = (samples: { article: Article }[]) =>
      samples.map(({ article }) => scoreArticle(article).total);
    const [kept, broken] = [totals(goodSamples()), totals(spoiledSamples())];
    expect(kept.length).toBeGreaterThanOrEqual(60);
    expect(broken.length).toBeGreaterThanOrEqual(60);
    expect(areaUnderCurve(kept, broken)).toBeGreaterThanOrEqual(0.97);
    expect(Math.min(...kept)).toBeGreaterThanOrEqual(80);
  });

  it('knows a careful article about a trade it was not calibrated on', () => {
    expect(scoreArticle(goodArticle).total).toBeGreaterThanOrEqual(80);
  });

  it('names what is wrong with an article of clichés', () => {
    const bad = scoreArticle(badArticle);
    expect(bad.total).toBeLessThan(60);
    expect(bad.failed.join('\n')).toMatch(/штампы/u);
  });

  it('gives no points for what every rendered page has', () => {
    const bare = good.html.replace(/<nav[\s\S]*?<\/nav>/u, '').replace(/<script[\s\S]*?<\/script>/gu, '');
    expect(scoreArticle({ ...good, html: bare }).total).toBe(scoreArticle(good).total);
    expect(rules.reduce((sum, { max }) => sum + max, 0)).toBe(100);
  });

  it('does not block an honest article for what the menus of shops in the results share', () => {
    const menu =
      'Корзина Каталог Самовывоз Избранное Вакансии Реквизиты Промокод Рассрочка Маркетплейс Сертификаты Оферта Франшиза Лояльность Кабинет Регистрация Распродажа';
    const pages = readFileSync(new URL('../../corpus/pages/realestate.txt', import.meta.url), 'utf8')
      .split('\n?? ')[0]!
      .split('\n===\n')
      .map((page) => `${menu.replaceAll(' ', '\n')}\n${page}`);
    const score = scoreArticle({ ...good, topic: readTopic(pages) });
    expect(gate(score)).toMatch(/passed|noted/);
  });

  it('ignores words that a single result uses', () => {
    const names = Array.from({ length: 40 }, (_, i) => `бренд${'абвгдежзик'[i % 10]}${'лмно'[i % 4]}овский`);
    const { terms } = readTopic([`створка профиль ${names.join(' ')}`, 'створка профиль', 'створка откос']);
    expect(terms.filter(({ weight }) => weight > 0).map(({ word }) => word)).toEqual(['створка', 'профиль']);
  });

  it('is nothing for an empty page', () => {
    expect(scoreArticle({ ...good, html: '' }).total).toBe(0);
  });

  it('says three strengths and the weaknesses in words for the person', () => {
    const { strengths, weaknesses } = verdictOf(spoiled('water'));
    expect(weaknesses).toHaveLength(3);
    expect(verdictOf(scoreArticle(good)).strengths).toHaveLength(3);
    expect([...strengths, ...weaknesses].join()).not.toMatch(/H1|H2|SEO|densit/u);
  });

  it('is never outside of 0 to 100, whatever the page', () => {
    fc.assert(
      fc.property(fc.string(), (html) => {
        const { total } = scoreArticle({ ...good, html });
        return total >= 0 && total <= 100;
      }),
      { numRuns: 30 },
    );
  });

  it('survives a language that cannot be read, says so and does not block (E45)', () => {
    const broken = {
      ...russian,
      stem: () => {
        throw new Error('no dictionary');
      },
    };
    const score = scoreArticle(good, broken);
    expect(score).toMatchObject({ languageFailed: true, languageError: new Error('no dictionary') });
    expect(gate(score)).not.toBe('blocked');
  });
});

describe('a rewrite', () => {
  it.each([
    [{ total: 70, untrue: 0 }, { total: 70, untrue: 0 }, true],
    [{ total: 70, untrue: 0 }, { total: 69, untrue: 0 }, false],
    [{ total: 70, untrue: 0 }, { total: 90, untrue: 1 }, false],
    [{ total: 70, untrue: 1 }, { total: 90, untrue: 0 }, true],
  ])('of %j that is %j is kept: %s', (original, rewrite, kept) => {
    expect(rewriteIsKept({ ...original, isUnfit: false }, { ...rewrite, isUnfit: false })).toBe(kept);
  });

  it('replaces a text that could not go out at all', () => {
    const unfit = { total: 90, untrue: 0, isUnfit: true };
    expect(rewriteIsKept(unfit, { total: 10, untrue: 3, isUnfit: false })).toBe(true);
  });
});

function mostlyWithout(html: string, phrase: RegExp, kept: number, other: string): string {
  let seen = 0;
  return html.replace(phrase, (found) => {
    seen += 1;
    return seen <= kept ? found : other;
  });
}
