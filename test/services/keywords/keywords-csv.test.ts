import { describe, expect, it } from 'vitest';
import { keywordsCsv } from '../../../src/services/keywords/keywords-csv.ts';
import { data } from './fakes.ts';

const cluster = (name: string, phrases: ReturnType<typeof data>[]) => ({
  cluster_name: name,
  cluster_type: 'article' as const,
  main_phrase: phrases[0]!.phrase,
  total_volume: 0,
  avg_difficulty: null,
  phrases,
});
const lines = (...args: Parameters<typeof keywordsCsv>) =>
  keywordsCsv(...args)
    .toString()
    .split('\r\n');

describe('the table of keywords', () => {
  it('opens in a Russian Excel: byte order mark, semicolons, decimal commas', () => {
    expect([...keywordsCsv([]).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const added = {
      ...data('торт без сахара', 20),
      cpc: 0.45,
      intent: 'commercial' as const,
      ai_suggested: true,
    };
    expect(lines([cluster('Торты', [data('торты', 1_000), added])])).toEqual([
      '\uFEFFКластер;Тип;Главная фраза;Фраза;Запросов в месяц;Сложность;CPC, $;Намерение;Добавила нейросеть',
      'Торты;статья;торты;торты;1000;10;0,1;информационное;',
      'Торты;статья;торты;торт без сахара;20;10;0,45;коммерческое;да',
      '',
    ]);
  });

  it('leaves empty what is not known, clusters of a flat list too', () => {
    expect(lines([{ phrase: 'торты', volume: null, difficulty: null, cpc: null }])[1]).toBe(';;;торты;;;;;');
  });

  it.each([
    ['a;b', '"a;b"'],
    ['торт "Прага"', '"торт ""Прага"""'],
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+7 900', "'+7 900"],
    ['-торт', "'-торт"],
    ['@торт', "'@торт"],
  ])('writes %s as %s', (phrase, cell) => {
    expect(lines([{ phrase, volume: 1, difficulty: 1, cpc: 1 }])[1]).toBe(`;;;${cell};1;1;1;;`);
  });
});
