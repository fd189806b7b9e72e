import { describe, expect, it } from 'vitest';
import { marketTitle } from '../../../src/markets.ts';
import { seasonPlot } from '../../../src/screens/kit/season.ts';
import { makeClusterSeason } from '../../../src/services/keywords/cluster-season.ts';
import { joinSuppliers } from '../../../src/services/keywords/join-suppliers.ts';
import type { FoundPhrases, KeywordData } from '../../../src/services/keywords/keyword-data.ts';
import { data, silent } from './fakes.ts';

const asking = { userId: 7 };
const found = (market: number, ...phrases: string[]): FoundPhrases => ({
  market,
  phrases: phrases.map((phrase) => data(phrase, 10)),
});
function supplier(answer: FoundPhrases | null): KeywordData & { asked: () => number } {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return answer;
  };
  return { suggestions: ask, related: ask, volumes: ask, asked: () => asked };
}

describe('keyword data of two suppliers', () => {
  it('is Yandex’s where it knows anything', async () => {
    const [yandex, google] = [supplier(found(225, 'торты')), supplier(found(2804, 'торты'))];
    expect(await joinSuppliers(yandex, google)!.suggestions(['торты'], asking)).toMatchObject({
      market: 225,
    });
    expect(google.asked()).toBe(0);
  });

  it.each([
    ['is silent', null],
    ['knows nothing', { market: null, phrases: [] }],
  ])('is Google’s where Yandex %s', async (_, answer) => {
    const joined = joinSuppliers(supplier(answer), supplier(found(2804, 'торты')))!;
    expect(await joined.suggestions(['торты'], asking)).toMatchObject({ market: 2804 });
  });

  it('stays with the supplier that a list was begun with: their numbers do not compare', async () => {
    const [yandex, google] = [supplier(found(43, 'торты')), supplier(found(2804, 'торты'))];
    const joined = joinSuppliers(yandex, google)!;
    await joined.volumes(['торты'], { ...asking, market: 2804 });
    expect([yandex.asked(), google.asked()]).toEqual([0, 1]);
    await joined.related(['торты'], { ...asking, market: 43 });
    expect([yandex.asked(), google.asked()]).toEqual([1, 1]);
  });

  it('is that of the only one there is, or of none', () => {
    const one = supplier(null);
    expect(joinSuppliers(one, null)).toBe(one);
    expect(joinSuppliers(null, one)).toBe(one);
    expect(joinSuppliers(null, null)).toBeNull();
  });

  it('names its place and its supplier', () => {
    expect(marketTitle(43)).toBe('Яндекс Вордстат, Казань');
    expect(marketTitle(2804)).toBe('Google, Украина (русский язык)');
  });
});

describe('the season of a cluster', () => {
  const group = {
    name: 'Букеты',
    mark: 'abcd',
    type: 'article' as const,
    mainPhrase: 'букеты',
    volume: 10,
    difficulty: null,
    phrases: [
      { phrase: 'букеты', mark: 'abcd', volume: 10, difficulty: null, suggested: false, market: 213 },
    ],
  };
  const year = [{ month: 3, count: 5 }];

  it('is asked for where its main phrase was counted', async () => {
    const asked: unknown[] = [];
    const season = makeClusterSeason({
      seasonOf: async (phrase, { market }) => {
        asked.push([phrase, market]);
        return year;
      },
      log: silent,
    });
    expect(await season(7, group)).toEqual(year);
    expect(asked).toEqual([['букеты', 213]]);
  });

  it('does not keep the page waiting', async () => {
    const never = makeClusterSeason({
      seasonOf: (_, { signal }) =>
        new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
      log: silent,
      patienceMs: 10,
    });
    expect(await never(7, group)).toBeNull();
  });

  it('is a plot of bars over months, with the highest named', () => {
    const plot = told(Array.from({ length: 12 }, (_, i) => ({ month: i + 1, count: i === 11 ? 400 : 100 })));
    expect(plot).toContain('больше всего ищут в декабре, спрос меняется в 4 раза');
    expect(plot).toContain('▃ ▃ ▃ ▃ ▃ ▃ ▃ ▃ ▃ ▃ ▃ █');
    expect(plot).toContain('Я Ф М А М И И А С О Н Д');
  });

  it('is called even where it is, and is not drawn without searches', () => {
    expect(told(Array.from({ length: 12 }, (_, i) => ({ month: i + 1, count: 100 + i })))).toContain(
      'спрос ровный весь год',
    );
    expect(
      seasonPlot([
        { month: 1, count: 0 },
        { month: 2, count: 0 },
      ]),
    ).toBeNull();
  });

  const told = (season: Parameters<typeof seasonPlot>[0]): string =>
    (seasonPlot(season) ?? []).map((part) => ('markup' in part ? part.markup : part.value)).join('');
});
