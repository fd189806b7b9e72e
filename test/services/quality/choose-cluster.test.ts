import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cluster, chooseCluster, type Phrase } from '../../../src/services/quality/choose-cluster.ts';

const now = new Date('2026-03-10T09:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const used = (keyword: string, days: number) => ({ keyword, at: daysAgo(days) });

const cluster = (main_phrase: string, total_volume: number, rest: Partial<Cluster> = {}): Cluster => ({
  cluster_name: main_phrase,
  cluster_type: 'article',
  main_phrase,
  total_volume,
  avg_difficulty: 30,
  phrases: [],
  ...rest,
});
const flat = (phrase: string, volume: number, difficulty = 30): Phrase => ({
  phrase,
  volume,
  difficulty,
  cpc: 0,
});

const roses = cluster('розы', 900);
const peonies = cluster('пионы', 500);
const tulips = cluster('тюльпаны', 100);
const shop = cluster('купить розы', 2_000, { cluster_type: 'product_page' });
const all = [tulips, shop, roses, peonies];

const article = (keywords: readonly Cluster[] | readonly Phrase[], ...uses: ReturnType<typeof used>[]) =>
  chooseCluster(keywords, 'article', uses, now);

describe('the next cluster', () => {
  it('of an article is the most searched of those fit for articles', () => {
    expect(article(all)).toEqual({
      mainPhrase: 'розы',
      demand: null,
      cluster: roses,
      fresh: 3,
      reused: false,
      fewCandidates: false,
    });
  });

  it('of a post may be a product page', () => {
    expect(chooseCluster(all, 'social_post', [], now)?.cluster).toBe(shop);
  });

  it('is the easier of two equally searched, then the first by name', () => {
    const easy = cluster('ирисы', 900, { avg_difficulty: 10 });
    const twin = cluster('астры', 900, { avg_difficulty: 10 });
    expect(article([roses, easy])?.cluster).toBe(easy);
    expect(article([easy, twin])?.cluster).toBe(twin);
  });

  it('is not one used within seven days, however the phrase was spelled', () => {
    expect(article(all, used(' РОЗЫ', 6.99))?.cluster).toBe(peonies);
  });

  it('is one never used while there is one, then the worthiest that has rested for 90 days', () => {
    expect(article(all, used('розы', 365))?.cluster).not.toBe(roses);
    expect(article([roses, peonies], used('розы', 90), used('пионы', 200))?.cluster).toBe(roses);
    expect(article([roses, peonies], used('розы', 89), used('пионы', 200))?.cluster).toBe(peonies);
  });

  it('is worth its demand against its difficulty', () => {
    const list = [flat('трудная', 1_000, 90), flat('лёгкая', 500, 10)];
    expect(article(list)).toMatchObject({ mainPhrase: 'лёгкая' });
  });

  it('E22: is the least recently used when all rest', () => {
    const chosen = article(all, used('розы', 1), used('розы', 6), used('пионы', 3), used('тюльпаны', 2));
    expect(chosen).toMatchObject({ mainPhrase: 'пионы', reused: true });
  });

  it.each([
    [2, true],
    [3, false],
  ])('E23: out of %i warns of few: %s', (count, few) => {
    expect(article([roses, peonies, tulips].slice(0, count))?.fewCandidates).toBe(few);
  });

  it('E23: counts those fit for articles only', () => {
    expect(article([roses, peonies, shop])?.fewCandidates).toBe(true);
  });

  it('E36: of an old flat list is a phrase, by volume and then ease, resting as clusters do', () => {
    const list = [flat('тюльпаны', 100), flat('розы', 900, 50), flat('пионы', 900, 20)];
    expect(article(list)).toMatchObject({ mainPhrase: 'пионы', cluster: null });
    expect(article(list, used('пионы', 1))).toMatchObject({ mainPhrase: 'розы' });
    expect(article(list, used('пионы', 1), used('розы', 2), used('тюльпаны', 3))).toMatchObject({
      mainPhrase: 'тюльпаны',
      reused: true,
    });
  });

  it('E03: counts what is not known as nothing', () => {
    const nameless = cluster('маки', 0, { avg_difficulty: null });
    expect(article([nameless, cluster('ирисы', 0, { avg_difficulty: 1 })])?.cluster).toBe(nameless);
    const unknown = { phrase: 'маки', volume: null, difficulty: null, cpc: null };
    expect(article([unknown, flat('ирисы', 1)])?.mainPhrase).toBe('ирисы');
  });

  it('E40: of an article is none among product pages, while a post still finds one', () => {
    expect(article([shop])).toBeNull();
    expect(chooseCluster([shop], 'social_post', [], now)?.cluster).toBe(shop);
  });

  it('E40: is none in an empty category', () => {
    expect(article([])).toBeNull();
  });

  it('never rests, unless all do', () => {
    const pool = fc.uniqueArray(fc.constantFrom('розы', 'пионы', 'тюльпаны', 'астры', 'ирисы'), {
      minLength: 1,
    });
    const history = fc.array(
      fc.record({
        keyword: fc.constantFrom('розы', 'пионы', 'Тюльпаны', 'астры', 'мак'),
        days: fc.integer({ min: 0, max: 200 }),
      }),
    );
    fc.assert(
      fc.property(pool, history, fc.nat(3), (names, past, spread) => {
        const clusters = names.map((name, i) => cluster(name, i * spread));
        const resting = new Set(
          past.filter(({ days }) => days < 90).map(({ keyword }) => keyword.toLowerCase()),
        );
        const uses = past.map(({ keyword, days }) => used(keyword, days));
        const chosen = chooseCluster(clusters, 'article', uses, now);
        expect(chosen?.reused).toBe(names.every((name) => resting.has(name)));
        expect(resting.has(chosen!.mainPhrase)).toBe(chosen!.reused);
        expect(chooseCluster(clusters.toReversed(), 'article', uses.toReversed(), now)).toEqual(chosen);
      }),
    );
  });
});
