import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSeeds } from '../../../src/services/keywords/choose-seeds.ts';

const seeds = (products: string, rest: Partial<Parameters<typeof chooseSeeds>[0]> = {}) =>
  chooseSeeds({ products, specialization: '', geography: '', variants: [], ...rest });

describe('seeds', () => {
  it('are the goods, then the trade', () => {
    expect(seeds('торты на заказ, Свадебные торты;', { specialization: 'домашняя кондитерская' })).toEqual([
      'торты на заказ',
      'свадебные торты',
      'домашняя кондитерская',
    ]);
  });

  it.each([
    ['ремонт квартир в Москве', 'Москва'],
    ['ремонт квартир, москва', 'в Москве и области'],
    ['ремонт квартир по Санкт-Петербургу', 'Санкт-Петербург'],
    ['Ремонт квартир (Нижний Новгород)', 'Нижний Новгород'],
  ])('"%s" are without the city', (products, geography) => {
    expect(seeds(products, { geography })).toEqual(['ремонт квартир']);
  });

  it('are short, and end with a word that means something', () => {
    expect(seeds('изготовление корпусной мебели на заказ по размерам')).toEqual([
      'изготовление корпусной мебели',
    ]);
  });

  it('put single words last', () => {
    expect(seeds('эклеры, торты на заказ', { specialization: 'домашняя выпечка' })).toEqual([
      'торты на заказ',
      'домашняя выпечка',
      'эклеры',
    ]);
  });

  it('take turns with the wordings of a model', () => {
    const variants = ['торт на день рождения', 'торты на заказ', 'заказать торт'];
    expect(seeds('торты на заказ, свадебные торты, торты детские, муссовые торты', { variants })).toEqual([
      'торты на заказ',
      'торт на день рождения',
      'свадебные торты',
      'торты детские',
      'заказать торт',
    ]);
  });

  it('are none where nothing is said', () => {
    expect(seeds(' , !!! ; в на с')).toEqual([]);
  });

  it('are at most five different ones of at most four words, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.array(fc.string()),
        (products, geography, variants) => {
          const chosen = seeds(products, { geography, variants });
          expect(chosen.length).toBeLessThanOrEqual(5);
          expect(new Set(chosen).size).toBe(chosen.length);
          for (const seed of chosen) {
            expect(seed.trim()).not.toBe('');
            expect(seed.split(' ').length).toBeLessThanOrEqual(4);
            expect(seed.length).toBeLessThanOrEqual(100);
          }
        },
      ),
    );
  });
});
