import { describe, expect, it } from 'vitest';
import { searchIntent } from '../../../src/services/article/search-intent.ts';

describe('why people search for a phrase', () => {
  it.each([
    ['кухни на заказ', undefined, /заказать/],
    ['ремонт квартир цена', undefined, /цену/],
    ['замена масла своими руками', undefined, /самому/],
    ['лдсп или мдф', undefined, /сравнить/],
    ['как выбрать диван', undefined, /разобраться/],
    ['диван для гостиной', 'commercial', /заказать/],
  ])('«%s» (%s)', (phrase, intent, expected) => {
    expect(searchIntent(phrase, intent, [])).toMatch(expected);
  });

  it('is told by the titles of the results where the phrase does not say it', () => {
    const titles = ['Диваны: сравнение механизмов', 'Рейтинг диванов', 'Купить диван'];
    expect(searchIntent('диван для гостиной', undefined, titles)).toMatch(/сравнить/);
    expect(searchIntent('диван для гостиной', undefined, [])).toMatch(/разобраться/);
  });
});
