import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFacts, readPrices } from '../../../src/services/quality/check-facts.ts';
import { goodArticle } from './good-article.ts';

const company = { prices: [5_000, 1_500], phones: ['+7 (495) 123-45-67'] };
const warnings = (text: string, facts = company) => checkFacts(`<p>${text}</p>`, facts);
const sums = (text: string) =>
  warnings(text).flatMap((warning) => (warning.code === 'price-not-listed' ? [warning.rubles] : []));

describe('E48: a price in the text', () => {
  it.each(['4000 руб.', '6 000 рублей', '5\u00a0000 ₽', '1200 руб', '1 800₽'])(
    'passes within a fifth of a listed one: %s',
    (price) => {
      expect(warnings(`Букет за ${price} с доставкой`)).toEqual([]);
    },
  );

  it.each([
    ['3999 руб.', 3_999],
    ['6 001 рублей', 6_001],
    ['12\u202f500 ₽', 12_500],
    ['25 тыс. руб.', 25_000],
    ['1,5 млн рублей', 1_500_000],
    ['900,50 ₽', 900.5],
  ])('is flagged farther away: %s', (price, rubles) => {
    expect(sums(`Букет за ${price} с доставкой`)).toEqual([rubles]);
  });

  it('is told with the words that offend', () => {
    expect(warnings('Всего 9 900 руб. за букет')).toEqual([
      { code: 'price-not-listed', value: '9 900 руб', rubles: 9_900 },
    ]);
  });

  it('is looked at on both ends of a range', () => {
    expect(sums('Букеты по 2 500–5 000 ₽')).toEqual([2_500]);
  });

  it('is always flagged when no prices are listed', () => {
    expect(warnings('Букет за 5000 руб.', { ...company, prices: [] })).toHaveLength(1);
  });

  it('is not a number without a currency, nor one inside JSON-LD', () => {
    expect(warnings('В 2023 году собрано 700 букетов')).toEqual([]);
    expect(checkFacts('<script type="application/ld+json">{"price":"9 руб"}</script>', company)).toEqual([]);
  });

  it('is flagged exactly when no listed price is within a fifth', () => {
    const price = fc.integer({ min: 1, max: 999_999 });
    fc.assert(
      fc.property(price, fc.array(price, { maxLength: 4 }), (rubles, prices) => {
        const near = prices.some((listed) => Math.abs(rubles - listed) <= listed * 0.2);
        expect(warnings(`Цена ${rubles} руб.`, { prices, phones: [] })).toHaveLength(near ? 0 : 1);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a phone in the text', () => {
  it.each(['+7 495 123-45-67', '8 (495) 1234567', '8-495-123-45-67', '+74951234567'])(
    'passes when it is the company’s, however written: %s',
    (phone) => {
      expect(warnings(`Звоните: ${phone}.`)).toEqual([]);
    },
  );

  it('is flagged when it is somebody else’s', () => {
    expect(warnings('Звоните: +7 (900) 000-00-00.')).toEqual([
      { code: 'phone-not-of-company', value: '+7 (900) 000-00-00' },
    ]);
  });

  it('is flagged when the company gave none', () => {
    expect(warnings('Звоните: 8 495 123-45-67', { ...company, phones: [] })).toHaveLength(1);
  });
});

describe('statistics in the text', () => {
  it.each([
    'По данным опытных флористов, розы вянут.',
    'Согласно отчёту, розы дороги.',
    'Исследования показали: пионы любят все.',
    'Опросы говорят о том же.',
    'Статистика неумолима.',
  ])('are flagged without a source: %s', (sentence) => {
    expect(warnings(`Розы красивы. ${sentence}`)).toEqual([
      { code: 'statistics-without-source', value: sentence },
    ]);
  });

  it('pass with a link in the same paragraph', () => {
    expect(warnings('По <a href="https://example.ru/2024">данным</a> союза, 80 % роз вянут.')).toEqual([]);
  });

  it('are not seen in a question', () => {
    expect(warnings('Задайте вопрос флористу.')).toEqual([]);
  });
});

it('warnings of every kind come together', () => {
  const text = 'По данным склада, букет стоит 90 руб., звоните 8 900 000-00-00.';
  expect(warnings(text).map(({ code }) => code)).toEqual([
    'phone-not-of-company',
    'price-not-listed',
    'statistics-without-source',
  ]);
});

describe('what the model was not told', () => {
  it.each([
    ['Букет за 90р и дешевле.', 'price-not-listed', '90р'],
    ['Букет за девяносто рублей.', 'price-not-listed', 'девяносто рублей'],
    ['Доставка двадцать пять тысяч рублей.', 'price-not-listed', 'двадцать пять тысяч рублей'],
    ['Ваза за 40 долларов.', 'price-not-listed', '40 долл'],
    ['Ваза за $40.', 'price-not-listed', '$40'],
    ['Пишите на sales@evil.example.', 'contact-not-of-company', 'sales@evil.example'],
    ['Пишите @evil_shop в Telegram.', 'contact-not-of-company', '@evil_shop'],
    ['Скидка 37 % каждому.', 'share-not-known', '37 %'],
    ['Работаем с 1987 года.', 'age-not-known', 'с 1987 года'],
    ['У нас 25 лет опыта.', 'age-not-known', '25 лет опыта'],
  ])('is flagged: %s', (text, code, value) => {
    expect(warnings(text)).toContainEqual(expect.objectContaining({ code, value }));
  });

  it('is no price where no number is named', () => {
    expect(
      warnings('Франшиза в несколько тысяч рублей удешевляет полис, ошибка стоит миллионы рублей.'),
    ).toEqual([]);
    expect(warnings('Доставка стоит тысячу рублей.')).toContainEqual(
      expect.objectContaining({ value: 'тысячу рублей' }),
    );
  });

  it('passes where the company has said it', () => {
    const known = 'Работаем с 1987 года, скидка 37 %, hi@flora.example, канал @flora_shop';
    const text =
      'Мы работаем с 1987 года. Скидка 37 %. Пишите hi@flora.example или @flora_shop. Цвет: 100 % хлопок. Рост 5 р.';
    const found = checkFacts(`<p>${text.replace(' Рост 5 р.', '')}</p>`, { ...company, known });
    expect(found).toEqual([]);
  });

  it('is listed with the most serious first, wherever it stands', () => {
    const text =
      'Опросы говорят. Скидка 37 %. С 1987 года. Букет 90 руб. Пишите @evil_shop. Звоните 8 900 000-00-00.';
    expect(warnings(text).map(({ code }) => code)).toEqual([
      'phone-not-of-company',
      'contact-not-of-company',
      'price-not-listed',
      'age-not-known',
      'share-not-known',
      'statistics-without-source',
    ]);
  });
});

it('a post without markup is checked too', () => {
  expect(checkFacts('Букет за 90 руб.\nЖдём вас!', company)).toHaveLength(1);
});

it('a truthful article raises no warning', () => {
  const facts = { prices: [5_000, 7_500, 1_500], phones: [] };
  expect(checkFacts(goodArticle.html, facts)).toEqual([]);
});

it('prices are read from the list people keep', () => {
  const list =
    'Букет невесты — 5 000\nБутоньерка - 700 руб. — с запасной\nРозы 25 шт — от 3000 ₽\nДоставка 300 руб\n';
  expect(readPrices(list)).toEqual([5_000, 700, 3_000, 300]);
});
