import { describe, expect, it } from 'vitest';
import { cliches, emptyOpeners, phrasesFound } from '../../../src/services/quality/cliches.ts';

describe('the black list', () => {
  it.each(cliches)('finds «%s» in a sentence', (cliche) => {
    expect(phrasesFound(`Наш букет, ${cliche}, и точка.`, cliches)).toContain(cliche);
  });

  it('finds other grammatical forms, ё or not', () => {
    expect(phrasesFound('Непревзойденными букетами, широкого спектра', cliches)).toEqual([
      'широкий спектр',
      'непревзойдённый',
    ]);
  });

  it('counts every occurrence', () => {
    expect(phrasesFound('Роза является цветком. Пион является цветком.', cliches)).toHaveLength(2);
  });

  it('leaves the noun «данные» alone', () => {
    expect(phrasesFound('Данные, данных, данными', cliches)).toEqual([]);
    expect(phrasesFound('Данная роза, данного сорта', cliches)).toHaveLength(2);
  });

  it('knows empty openers', () => {
    expect(phrasesFound('Ни для кого не секрет, что розы колются.', emptyOpeners)).toEqual(['не секрет']);
  });
});
