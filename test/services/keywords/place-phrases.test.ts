import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enrichClusters } from '../../../src/services/keywords/enrich-clusters.ts';
import { groupByWords } from '../../../src/services/keywords/group-by-words.ts';
import { phraseKey } from '../../../src/services/keywords/phrase-text.ts';
import { type ModelClusters, placePhrases } from '../../../src/services/keywords/place-phrases.ts';
import { sumClusters } from '../../../src/services/keywords/sum-clusters.ts';
import { data } from './fakes.ts';

const answer = (phrases: string[], rest: Partial<ModelClusters[number]> = {}): ModelClusters[number] => ({
  cluster_name: 'Имя',
  cluster_type: 'article',
  main_phrase: phrases[0] ?? '',
  phrases: phrases.map((phrase) => ({ phrase, ai_suggested: false })),
  ...rest,
});
const placed = (...args: Parameters<typeof placePhrases>) =>
  placePhrases(...args).map(({ cluster_name, phrases }) => [
    cluster_name,
    phrases.map(({ phrase }) => phrase),
  ]);

describe('the grouping of a model', () => {
  it('holds a phrase in one cluster only, the first', () => {
    const clusters = [answer(['розы', 'розы']), answer(['Розы', 'пионы'], { cluster_name: 'Другое' })];
    expect(placed([data('розы'), data('пионы')], clusters, 2)).toEqual([
      ['Имя', ['розы']],
      ['Другое', ['пионы']],
    ]);
  });

  it('keeps our spelling and our numbers', () => {
    const [group] = placePhrases([data('мёд Цена', 50)], [answer(['мед  цена'])], 0);
    expect(group?.phrases).toEqual([{ ...data('мёд Цена', 50), ai_suggested: false }]);
  });

  it('of an unknown type is for articles', () => {
    expect(placePhrases([data('розы')], [answer(['розы'], { cluster_type: 'landing' })], 0)).toMatchObject([
      { cluster_type: 'article' },
    ]);
  });

  it('gets back the phrases that were lost', () => {
    expect(placed([data('розы'), data('пионы')], [answer(['розы'])], 0)).toEqual([
      ['Имя', ['розы']],
      ['Пионы', ['пионы']],
    ]);
  });

  it('may add so many phrases and no more, marked whatever it says itself', () => {
    const [group] = placePhrases([data('розы')], [answer(['розы', 'пионы', 'астры'])], 1);
    expect(group?.phrases).toMatchObject([
      { phrase: 'розы', ai_suggested: false },
      { phrase: 'пионы', ai_suggested: true, volume: null },
    ]);
  });

  it('joins namesakes and names the nameless by their main phrase', () => {
    const clusters = [
      answer(['розы']),
      answer(['пионы'], { cluster_name: ' ИМЯ' }),
      answer(['астры'], { cluster_name: '' }),
    ];
    expect(
      placed(
        ['розы', 'пионы', 'астры'].map((phrase) => data(phrase)),
        clusters,
        0,
      ),
    ).toEqual([
      ['Имя', ['розы', 'пионы']],
      ['астры', ['астры']],
    ]);
  });

  it('keeps its main phrase among equally searched ones only', () => {
    const groups = [answer(['розы', 'пионы', 'астры'], { main_phrase: 'астры' })];
    const main = (...volumes: number[]) =>
      sumClusters(
        placePhrases(
          ['розы', 'пионы', 'астры'].map((phrase, i) => data(phrase, volumes[i])),
          groups,
          0,
        ),
      )[0]?.main_phrase;
    expect([main(5, 9, 9), main(5, 9, 8)]).toEqual(['астры', 'пионы']);
  });
});

describe('fresh volumes', () => {
  const groups = placePhrases([data('розы', 90)], [answer(['розы', 'пионы', 'астры', 'ирисы'])], 3);

  it('drop phrases that the model added and that are never searched', () => {
    const known = [data('пионы', 0), data('астры', 10)];
    expect(enrichClusters(groups, known)[0]?.phrases.map(({ phrase }) => phrase)).toEqual(['розы', 'астры']);
  });

  it('do not erase what is known already', () => {
    expect(enrichClusters(groups, [data('розы', null, 55)])[0]?.phrases[0]).toMatchObject({
      volume: 90,
      difficulty: 55,
    });
  });

  it('may leave a cluster empty, and then there is none', () => {
    expect(enrichClusters(placePhrases([], [answer(['пионы'])], 1), [])).toEqual([]);
  });

  it('floor the mean difficulty of the phrases that have one', () => {
    const flowers = placePhrases([data('розы', 1, 10), data('пионы', 1, 15), data('ирисы', 1, null)], [], 0);
    expect(sumClusters(flowers)[0]?.avg_difficulty).toBe(12);
  });
});

describe('grouping by words', () => {
  const phrase = (text: string, volume: number) => ({ ...data(text, volume), ai_suggested: false });

  it('puts together what shares a telling word, in any grammatical form', () => {
    const groups = groupByWords([
      phrase('торт цена', 90),
      phrase('цены на торты', 80),
      phrase('рецепт торта', 70),
      phrase('рецепты тортов дома', 60),
      phrase('торт ромашка', 50),
    ]);
    expect(
      groups.map(({ cluster_name, cluster_type, phrases }) => [cluster_name, cluster_type, phrases.length]),
    ).toEqual([
      ['Торт цена', 'product_page', 2],
      ['Рецепт торта', 'article', 2],
      ['Торт ромашка', 'article', 1],
    ]);
  });

  it('makes no cluster of more than twenty', () => {
    const groups = groupByWords(Array.from({ length: 45 }, (_, i) => phrase(`торт номер${i}`, i)));
    expect(groups.map(({ phrases }) => phrases.length)).toEqual([20, 20, 5]);
  });
});

describe('whatever the model answers', () => {
  const word = fc.constantFrom(
    'розы',
    'Розы',
    'пионы',
    'цена',
    'купить розы',
    'мёд',
    'мед',
    ' ',
    'уход',
    'астры',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const volume = fc.option(fc.nat(1_000));
  const raw = fc.uniqueArray(fc.tuple(text, volume, volume), {
    selector: ([phrase]) => phraseKey(phrase),
    maxLength: 30,
  });
  const clusters = fc.array(
    fc.record({
      cluster_name: text,
      cluster_type: fc.constantFrom('article', 'product_page', 'blog', ''),
      main_phrase: text,
      phrases: fc.array(fc.record({ phrase: text, ai_suggested: fc.boolean() }), { maxLength: 8 }),
    }),
    { maxLength: 6 },
  );

  it('every phrase of ours stands exactly once, additions are few, clusters full, main phrases on top', () => {
    fc.assert(
      fc.property(raw, clusters, fc.nat(5), fc.array(fc.tuple(text, volume)), (rows, said, extra, fresh) => {
        const ours = rows.filter(([phrase]) => phraseKey(phrase) !== '');
        const groups = placePhrases(
          ours.map(([phrase, searched, difficulty]) => data(phrase, searched, difficulty)),
          said,
          extra,
        );
        const result = enrichClusters(
          groups,
          fresh.map(([phrase, searched]) => data(phrase, searched)),
        );
        const phrases = result.flatMap((cluster) => cluster.phrases);

        const kept = phrases.filter(({ ai_suggested }) => !ai_suggested).map(({ phrase }) => phrase);
        expect(kept.toSorted()).toEqual(ours.map(([phrase]) => phrase).toSorted());
        expect(phrases.length - kept.length).toBeLessThanOrEqual(extra);
        expect(new Set(phrases.map(({ phrase }) => phraseKey(phrase))).size).toBe(phrases.length);
        expect(new Set(result.map(({ cluster_name }) => phraseKey(cluster_name))).size).toBe(result.length);
        for (const cluster of result) {
          const volumes = cluster.phrases.map((phrase) => phrase.volume ?? 0);
          const main = cluster.phrases.find(({ phrase }) => phrase === cluster.main_phrase);
          expect(main?.volume ?? 0).toBe(Math.max(...volumes));
          expect(cluster.total_volume).toBe(volumes.reduce((sum, one) => sum + one, 0));
          expect(['article', 'product_page']).toContain(cluster.cluster_type);
        }
      }),
    );
  });
});
