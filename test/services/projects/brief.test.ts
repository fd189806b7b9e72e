import { describe, expect, it } from 'vitest';
import {
  companyFacts,
  companyVariables,
  pricesExcerpt,
  reviewsExcerpt,
} from '../../../src/services/projects/brief.ts';
import { toldGoods } from '../../../src/services/projects/told-goods.ts';
import { sumsIn } from '../../../src/services/quality/sums.ts';
import { brief, company } from '../posts/flower-shop.ts';

describe('goods of a price list are told', () => {
  it.each([
    ['Шкаф — 45900 — дуб', 'Шкаф — 45\u00a0900 ₽ — дуб'],
    ['Стол — 1 500', 'Стол — 1\u00a0500 ₽'],
    ['Болт — 0.3', 'Болт — 0,30 ₽'],
    ['Гайка — 12,5', 'Гайка — 12,50 ₽'],
    ['Стул — от 3000 ₽', 'Стул — от 3000 ₽'],
    ['Плёнка — 1200 руб/м', 'Плёнка — 1200 руб/м'],
    ['Доставка — бесплатно — 24', 'Доставка — бесплатно — 24'],
    ['Крепёж — 00123', 'Крепёж — 00123'],
  ])('with their currency where the list has a bare number: %j', (kept, told) => {
    expect(toldGoods(kept)).toBe(told);
    expect(pricesExcerpt(kept, 'article')).toBe(told);
  });

  it('so that an article that repeats the price is not taken for inventing it', () => {
    expect(sumsIn(toldGoods('Шкаф — 45900'))).toEqual([{ value: '45\u00a0900 ₽', rubles: 45_900 }]);
  });
});

describe('the head of a price list', () => {
  const list = (lines: number) => Array.from({ length: lines }, (_, i) => `Букет ${i + 1} — 500`).join('\n');

  it('is ten lines for an article and five for anything else', () => {
    expect(pricesExcerpt(list(20), 'article').split('\n')).toHaveLength(10);
    expect(pricesExcerpt(list(20), 'other').split('\n')).toHaveLength(5);
  });

  it('ends with a whole line, so that no price is cut into another', () => {
    const line = `${'р'.repeat(91)} — 5 000 ₽`;
    expect(line).toHaveLength(101);
    expect(pricesExcerpt([line, line, line].join('\n'), 'other')).toBe(`${line}\n${line}`);
  });

  it.each([
    [99, 98, 3],
    [99, 99, 2],
  ])('counts the line breaks: %i, %i twice', (first, rest, kept) => {
    const lines = ['а'.repeat(first + 3), 'б'.repeat(rest), 'в'.repeat(rest)];
    expect(pricesExcerpt(lines.join('\n'), 'other').split('\n')).toHaveLength(kept);
  });

  it('skips empty lines and blanks around the others', () => {
    expect(pricesExcerpt('\r\n  Розы — 300 \r\n\r\nПионы — 500\r\n', 'other')).toBe(
      'Розы — 300 ₽\nПионы — 500 ₽',
    );
    expect(pricesExcerpt('', 'article')).toBe('');
  });
});

describe('what customers say', () => {
  it('is the beginning of three reviews, each on its line', () => {
    const reviews = ['А', 'Б', 'В', 'Г'].map((author) => ({ author, text: `Хорошо.\n${'о'.repeat(200)}` }));
    const lines = reviewsExcerpt(reviews).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`А: Хорошо. ${'о'.repeat(92)}`);
  });

  it('ends with a whole emoji or without it', () => {
    expect(reviewsExcerpt([{ author: 'А', text: `${'о'.repeat(99)}🌷` }])).toBe(`А: ${'о'.repeat(99)}`);
  });
});

it('facts are the prices of the list and the company’s telephone', () => {
  expect(companyFacts(brief)).toEqual({ prices: [5_000, 3_500], phones: [company.phone] });
  expect(companyFacts({ ...brief, company: { ...company, phone: '' } }).phones).toEqual([]);
});

it('every prompt is told the same of the company', () => {
  expect(companyVariables(brief)).toEqual({
    company_name: 'Флора',
    specialization: 'Букеты с доставкой',
    company_description: 'Собираем букеты в день заказа.',
    experience: '12 лет',
    advantages: 'Свои теплицы',
    website_url: 'https://flora.ru',
    language: 'ru',
  });
});
