import { describe, expect, it } from 'vitest';
import { cliches, phrasesFound } from '../../../src/services/quality/cliches.ts';
import { detectNiche, isYmyl, needsDisclaimer, niches } from '../../../src/services/quality/niches.ts';

describe('the niche', () => {
  it.each([
    ['Зоомагазин и груминг', 'pets'],
    ['Маникюр и уход за кожей', 'beauty'],
    ['Магазин игрушек', 'children'],
    ['Частная клиника, приём врачей', 'medical'],
    ['Адвокатское бюро', 'legal'],
    ['Ипотечный брокер', 'finance'],
    ['Кухни на заказ', 'furniture'],
    ['Аренда квартир посуточно', 'realestate'],
    ['Шиномонтаж', 'auto'],
    ['Кондитерская', 'food'],
    ['Репетитор по физике', 'education'],
    ['Разработка сайтов', 'it'],
    ['Гостиница у моря', 'travel'],
    ['Фитнес-клуб', 'sport'],
    ['Кирпич и бетон оптом', 'construction'],
    ['Свадебные букеты', 'general'],
    ['', 'general'],
  ])('of «%s» is %s', (specialization, niche) => {
    expect(detectNiche(specialization).niche).toBe(niche);
  });

  it('names fifteen, each once, besides the general one', () => {
    expect(new Set(niches.map(({ niche }) => niche)).size).toBe(15);
  });

  it.each([
    ['Ветеринарная клиника', 'pets'],
    ['Врач-косметолог', 'beauty'],
    ['Детская стоматология', 'children'],
  ])('of «%s» is %s rather than medical', (specialization, niche) => {
    expect(detectNiche(specialization).niche).toBe(niche);
  });

  it.each([
    ['Ремонт автомобилей', 'auto'],
    ['Банкетный зал', 'general'],
    ['Кафельная плитка', 'general'],
    ['Авторские букеты', 'general'],
    ['Авторемонт', 'auto'],
    ['Йогурт и сыр', 'general'],
  ])('of «%s» is %s, not that of a look-alike', (specialization, niche) => {
    expect(detectNiche(specialization).niche).toBe(niche);
  });

  it('is found at the beginning of a word only', () => {
    expect(detectNiche('Самолечение').niche).toBe('general');
  });

  it('asks for a disclaimer in medicine, law and finance alone', () => {
    expect(niches.filter(isYmyl).map(({ niche }) => niche)).toEqual(['medical', 'legal', 'finance']);
  });

  it.each(niches.filter(isYmyl))('$niche lacks a disclaimer until its own is added', (traits) => {
    expect(needsDisclaimer(traits, 'Лечим зубы.')).toBe(true);
    expect(needsDisclaimer(traits, `Лечим зубы. ${traits.disclaimer}`)).toBe(false);
  });

  it('asks for no disclaimer that is itself a cliché', () => {
    const disclaimers = niches.map(({ disclaimer }) => disclaimer ?? '').join('\n');
    expect(phrasesFound(disclaimers, cliches)).toEqual([]);
  });

  it('takes the model’s own wording for a disclaimer', () => {
    expect(needsDisclaimer(detectNiche('клиника'), 'Статья не заменяет очную консультацию врача.')).toBe(
      false,
    );
  });

  it('without danger needs none', () => {
    expect(needsDisclaimer(detectNiche('Букеты'), 'Розы.')).toBe(false);
  });
});
