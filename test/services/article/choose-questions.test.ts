import { describe, expect, it } from 'vitest';
import { chooseQuestions } from '../../../src/services/article/choose-questions.ts';

const asked = [
  'Сколько стоит?',
  'Как выбрать?',
  'Сколько ждать?',
  'Есть ли гарантия?',
  'Кто отвечает?',
  'Где купить?',
];

describe('the questions of an article', () => {
  it('are three different ones of those that people ask', () => {
    const chosen = chooseQuestions(asked);
    expect(new Set(chosen).size).toBe(3);
    expect(asked).toEqual(expect.arrayContaining(chosen));
  });

  it('are the same for the same seed, in whatever order they were found', () => {
    expect(chooseQuestions(asked.toReversed(), 'msg-1')).toEqual(chooseQuestions(asked, 'msg-1'));
  });

  it('are others for other seeds', () => {
    const choices = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) =>
      chooseQuestions(asked, seed).join(),
    );
    expect(new Set(choices).size).toBeGreaterThan(3);
  });

  it('give each question its chance', () => {
    const seeds = Array.from({ length: 60 }, (_, i) => `msg-${i}`);
    const chosen = new Set(seeds.flatMap((seed) => chooseQuestions(asked, seed)));
    expect(chosen).toEqual(new Set(asked));
  });

  it('are as many as there are', () => {
    expect(chooseQuestions(['Одна?', 'Одна?'])).toEqual(['Одна?']);
    expect(chooseQuestions([])).toEqual([]);
  });
});
