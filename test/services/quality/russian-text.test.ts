import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  containsPhrase,
  countPhrase,
  sentences,
  stem,
  stems,
  syllables,
  words,
} from '../../../src/services/quality/russian-text.ts';

describe('Russian text', () => {
  it('is cut into words without punctuation', () => {
    expect(words('Розы — 25 штук, «Мондиаль»!')).toEqual(['Розы', '25', 'штук', 'Мондиаль']);
  });

  it('is cut as the segmenter would cut it, whatever stands between two spaces', () => {
    const segmenter = new Intl.Segmenter('ru', { granularity: 'word' });
    const character = fc.constantFrom(...'абвЁёzQ059«»„“”"(),.!?…:;—–-_\'’·@/%№₽\u0301😀');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 8 }), (piece) => {
        const wordLike = [...segmenter.segment(piece)].filter(({ isWordLike }) => isWordLike);
        expect(words(piece)).toEqual(wordLike.map(({ segment }) => segment));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is cut into sentences, and marks alone are none', () => {
    expect(sentences('Берём розы. Сколько?\nДвадцать пять!')).toEqual([
      'Берём розы.',
      'Сколько?',
      'Двадцать пять!',
    ]);
    expect(sentences('…\n!')).toEqual([]);
  });

  it('is cut without filling the memory, however long a word or a line is', () => {
    expect(words('[розы]('.repeat(20_000)).length).toBeGreaterThanOrEqual(20_000);
    expect(sentences('Роза. '.repeat(20_000)).length).toBeGreaterThanOrEqual(20_000);
  });

  it('reads ё as е', () => {
    expect(stem('зелёный')).toBe(stem('зеленый'));
  });

  it('has the same stems however many words were read in between', () => {
    const before = stems('Свадебными букетами');
    for (let n = 0; n < 25_000; n += 1) stem(`слово${n}`);
    expect(stems('Свадебными букетами')).toEqual(before);
    expect(stem(`${'роза'.repeat(20)}ми`)).toBe(stem('роза'.repeat(20)));
  });

  it('has as many syllables as vowels, and at least one a word', () => {
    expect(['букет', 'невеста', 'в', 'ёж', '25'].map(syllables)).toEqual([2, 3, 1, 1, 1]);
  });

  it('finds a phrase in another grammatical form', () => {
    expect(containsPhrase('Мы собрали сто свадебных букетов.', 'свадебные букеты')).toBe(true);
  });

  it('does not find a phrase whose words stand apart', () => {
    expect(containsPhrase('Свадебные торты и букеты', 'свадебные букеты')).toBe(false);
  });

  it('does not find an empty phrase anywhere', () => {
    expect(containsPhrase('Свадебные букеты', ' ')).toBe(false);
  });

  it('counts every occurrence of a phrase, however many there are', () => {
    fc.assert(
      fc.property(fc.nat(30), (times) => {
        const text = `Начало. ${'Свадебный букет готов. '.repeat(times)}`;
        expect(countPhrase(stems(text), stems('свадебные букеты'))).toBe(times);
      }),
    );
  });
});
