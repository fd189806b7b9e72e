import { describe, expect, it } from 'vitest';
import { readPhrase } from '../../../src/sandbox/openrouter/author/phrase.ts';

describe('what the author knows of a phrase', () => {
  it.each([
    ['кухни на заказ', true, 'кухни на заказ'],
    ['пластиковые окна', true, 'пластиковые окна'],
    ['доставка пиццы', false, 'доставку пиццы'],
    ['ветеринарная клиника', false, 'ветеринарную клинику'],
    ['ремонт квартир', false, 'ремонт квартир'],
    ['шиномонтаж', false, 'шиномонтаж'],
    ['остекление балкона', false, 'остекление балкона'],
    ['зимние шины', true, 'зимние шины'],
  ])('«%s» has a number and an accusative', (text, plural, accusative) => {
    expect(readPhrase(text)).toMatchObject({ plural, accusative });
  });

  it.each(['свадебный фотограф', 'адвокат по разводам', 'репетиторы'])(
    '«%s» is alive: no accusative is guessed',
    (text) => {
      expect(readPhrase(text).accusative).toBeNull();
      expect(readPhrase(text).plural).not.toBeNull();
    },
  );

  it.each(['окна пвх', 'купить диван', 'как выбрать матрас', 'такси', 'ремонт iphone', 'кухни цена'])(
    'of «%s» nothing is claimed',
    (text) => {
      expect(readPhrase(text)).toMatchObject({ plural: null, accusative: null });
    },
  );

  it('of a query with its town nothing is claimed either', () => {
    expect(readPhrase('стоматология казань', 'Казань')).toMatchObject({ accusative: null });
  });

  it('is written with its capitals', () => {
    expect(readPhrase('Окна ПВХ в москве').text).toBe('окна ПВХ в Москве');
    expect(readPhrase('разработка crm для b2b').text).toBe('разработка CRM для B2B');
    expect(readPhrase('ВКИ для завода').capital).toBe('ВКИ для завода');
    expect(readPhrase('туры на алтай').capital).toBe('Туры на Алтай');
  });
});
