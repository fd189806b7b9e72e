import { describe, expect, it } from 'vitest';
import { atWord, cleanAnswer } from '../../../src/services/article/clean-answer.ts';
import { article } from '../ai/tiny-author.ts';
import { company } from './company.ts';

const asked = (answer: string) =>
  cleanAnswer({ ...article, faq_schema: [{ question: 'Как?', answer }] }, company).faq_schema[0]?.answer ??
  '';

describe('an answer for search engines', () => {
  it.each([
    ['Две недели, <b>не больше</b>.', 'Две недели, не больше.'],
    ['Смотрите <a href="https://evil.example">тут</a>.', 'Смотрите тут.'],
    ['Смотрите [тут](https://evil.example) и ![там](x).', 'Смотрите тут и там.'],
    ['Вот: https://evil.example/a, решайте.', 'Вот: , решайте.'],
    ['Пишите на https://kuhni-plus.example/zamer.', 'Пишите на https://kuhni-plus.example/zamer.'],
    ['Стена < 3 метров, стол > 60 см.', 'Стена < 3 метров, стол > 60 см.'],
    ['До<script>alert(1)</script> и после', 'До и после'],
    ['Одна\nстрока', 'Одна строка'],
    ['**Две** недели, `точно` &mdash; &laquo;да&raquo;', 'Две недели, точно — «да»'],
  ])('keeps the words of «%s»', (said, words) => {
    expect(asked(said)).toBe(words);
  });

  // Work that grows with the square of the length would not come back in the time of a test.
  it.each(['[', '[a](', '<a', '<script>', 'https://'])(
    'is cleaned though it is «%s» and nothing else',
    (piece) => {
      expect(asked(piece.repeat(400_000))).toEqual(expect.any(String));
    },
  );
});

describe('a line of an article', () => {
  it('is words alone, wherever it goes out without being rendered', () => {
    const line = '# **Кухни**<script>alert(1)</script> <i>на заказ</i>';
    const image = { alt: line, filename: 'kuhni', figcaption: line };
    const said = { ...article, title: line, seo_title: line, meta_description: line, images_meta: [image] };
    const words = 'Кухни на заказ';
    expect(cleanAnswer(said, company)).toMatchObject({
      title: words,
      seo_title: words,
      meta_description: words,
      images_meta: [{ alt: words, filename: 'kuhni', figcaption: words }],
    });
  });

  it('is not asked about when its question or its answer is blank', () => {
    const faq_schema = [
      { question: ' ', answer: 'Да.' },
      { question: 'Как?', answer: '<b></b>' },
    ];
    expect(cleanAnswer({ ...article, faq_schema }, company).faq_schema).toEqual([]);
  });
});

describe('a text that has to fit', () => {
  it.each([
    ['Кухни на заказ в Казани', 60, 'Кухни на заказ в Казани'],
    ['Кухни на заказ в Казани', 17, 'Кухни на заказ в'],
    ['Кухни на заказ — в Казани', 17, 'Кухни на заказ'],
    ['Кухнинаказ', 5, 'Кухни'],
    ['  Кухни \n на заказ ', 60, 'Кухни на заказ'],
  ])('«%s» in %i characters ends with a word', (text, most, cut) => {
    expect(atWord(text, most)).toBe(cut);
  });
});
