import { describe, expect, it } from 'vitest';
import {
  competitorAnalysis,
  competitorGaps,
  toCompetitor,
} from '../../../src/services/article/competitors.ts';

const page = (sections: string[], changes: object = {}) =>
  toCompetitor({
    url: `https://a.example/${sections.length}-${sections[0] ?? ''}`,
    title: 'Кухни',
    description: 'Всё о кухнях',
    summary: 'Подробно о кухнях.',
    text: 'Текст страницы',
    words: 1_850,
    headings: [{ level: 1, text: 'Кухни' }, ...sections.map((text) => ({ level: 2, text }))],
    ...changes,
  });

describe('what is told about competitors', () => {
  it('is their address, length, gist and sections', () => {
    expect(competitorAnalysis([page(['Цены', 'Материалы'])])).toBe(
      '1. https://a.example/2-Цены (слов: 1850)\nКоротко: Подробно о кухнях.\nРазделы: Цены; Материалы',
    );
  });

  it('stays short however long their pages are', () => {
    const long = page(
      Array.from({ length: 80 }, (_, i) => `Раздел ${i} ${'о кухнях '.repeat(100)}`),
      { summary: 'кухня '.repeat(200_000) },
    );
    expect(long.summary.length).toBeLessThanOrEqual(400);
    expect(long.sections).toHaveLength(12);
    expect(competitorAnalysis([long, long, long]).length).toBeLessThan(8_000);
  });

  it('has the description or the text where there is no summary', () => {
    expect(page([], { summary: '' }).summary).toBe('Всё о кухнях');
    expect(page([], { summary: '', description: '' }).summary).toBe('Текст страницы');
  });

  it('leaves out the furniture of a page', () => {
    expect(page(['Содержание', 'Читайте также', 'Похожие статьи', 'Цены']).sections).toEqual(['Цены']);
  });
});

describe('gaps', () => {
  it('are the topics that only one competitor writes about', () => {
    const gaps = competitorGaps([
      page(['Цены на кухни', 'Сроки изготовления', 'Уход за фасадами']),
      page(['Цена кухни', 'Срок изготовления']),
      page(['Цены на кухни в Москве', 'Доставка и сборка']),
    ]);
    expect(gaps).toEqual(['Уход за фасадами', 'Доставка и сборка']);
  });

  it('are not found by repeating a heading on one page', () => {
    expect(competitorGaps([page(['Цены', 'Цены', 'Цены']), page(['Сроки'])])).toEqual(['Цены', 'Сроки']);
  });

  it('are unknown when only one page could be read', () => {
    expect(competitorGaps([page(['Цены', 'Сроки'])])).toEqual([]);
    expect(competitorGaps([])).toEqual([]);
  });
});
