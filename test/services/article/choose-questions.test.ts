import { describe, expect, it } from 'vitest';
import { chooseQuestions } from '../../../src/services/article/choose-questions.ts';

const asked = [
  'Сколько стоит кухня?',
  'Как выбрать кухню?',
  'Сколько ждать кухню?',
  'Есть ли гарантия на фасады?',
  'Кто делает замер?',
  'Где посмотреть образцы?',
  'Можно ли перенести плиту?',
];

describe('the questions of an article', () => {
  it('are those that people ask most, in their order', () => {
    expect(chooseQuestions(asked)).toEqual(asked.slice(0, 5));
  });

  it('are led by those that touch what the company speaks of', () => {
    const angle = 'Образцы фасадов в салоне, рассрочка';
    const chosen = chooseQuestions(asked, angle);
    expect(chosen).toContain('Где посмотреть образцы?');
    expect(chosen).not.toEqual(chooseQuestions(asked, 'Замер и перенос плиты за день'));
    expect(chosen[0], 'what everybody asks is not lost').toBe(asked[0]);
  });

  it('are the same for the same company', () => {
    expect(chooseQuestions(asked, 'замер')).toEqual(chooseQuestions(asked, 'замер'));
  });

  it('are as many as there are, each once', () => {
    expect(chooseQuestions(['Одна?', 'Одна?'])).toEqual(['Одна?']);
    expect(chooseQuestions([])).toEqual([]);
  });
});
