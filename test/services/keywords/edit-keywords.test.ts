import { describe, expect, it } from 'vitest';
import {
  countKeywords,
  mergeKeywords,
  withoutCluster,
  withoutPhrase,
} from '../../../src/services/keywords/edit-keywords.ts';
import { sumClusters } from '../../../src/services/keywords/sum-clusters.ts';
import type { Cluster, Keywords } from '../../../src/services/quality/choose-cluster.ts';
import { data } from './fakes.ts';

const cluster = (cluster_name: string, ...phrases: ReturnType<typeof data>[]): Cluster =>
  sumClusters([{ cluster_name, cluster_type: 'article', main_phrase: '', phrases }])[0]!;
const told = (keywords: Keywords) =>
  (keywords as Cluster[]).map(({ cluster_name, phrases }) => [
    cluster_name,
    ...phrases.map(({ phrase }) => phrase),
  ]);

const roses = cluster('Розы', data('розы', 90), data('розы цена', 50));
const peonies = cluster('Пионы', data('пионы', 40));
const flat = [data('астры', 30), data('ирисы', 20)];

describe('a list of keywords', () => {
  it('is counted', () => {
    expect([[roses, peonies], flat, []].map(countKeywords)).toEqual([
      { clusters: 2, phrases: 3 },
      { clusters: 0, phrases: 2 },
      { clusters: 0, phrases: 0 },
    ]);
  });

  it('loses a phrase, and its cluster is summed up anew', () => {
    expect(withoutPhrase([roses, peonies], 'Розы')).toMatchObject([
      { cluster_name: 'Розы', main_phrase: 'розы цена', total_volume: 50 },
      peonies,
    ]);
    expect(withoutPhrase(flat, 'астры')).toEqual([flat[1]]);
  });

  it('loses the cluster with its last phrase', () => {
    expect(withoutPhrase([roses, peonies], 'пионы')).toEqual([roses]);
  });

  it('loses a cluster', () => {
    expect(withoutCluster([roses, peonies], 'Розы')).toEqual([peonies]);
  });

  it('is not changed by deleting what is gone already', () => {
    expect(withoutPhrase([roses], 'пионы')).toEqual([roses]);
    expect(withoutCluster([roses], 'Пионы')).toEqual([roses]);
    expect(withoutCluster(flat, 'Пионы')).toEqual(flat);
  });
});

describe('a fresh list', () => {
  it('is added to the old one without repetitions; namesakes become one', () => {
    const fresh = [
      cluster('розы', data('Розы цена', 70), data('розы фото', 60)),
      cluster('Мох', data('пионы', 1)),
    ];
    expect(told(mergeKeywords([roses, peonies], fresh))).toEqual([
      ['Розы', 'розы', 'розы фото', 'розы цена'],
      ['Пионы', 'пионы'],
    ]);
  });

  it('brings the numbers that an old phrase lacked, and leaves those it had', () => {
    const old = [{ ...data('астры', null, null), cpc: null }, data('ирисы', 20)];
    expect(mergeKeywords(old, [data('Астры', 30), data('ирисы', 99)])).toEqual(flat);
  });

  it('of another form makes clusters of both', () => {
    expect(told(mergeKeywords(flat, [roses]))).toEqual([
      ['Розы', 'розы', 'розы цена'],
      ['Астры', 'астры', 'ирисы'],
    ]);
    expect(told(mergeKeywords([roses], [...flat, data('розы', 1)]))).toEqual([
      ['Розы', 'розы', 'розы цена'],
      ['Астры', 'астры', 'ирисы'],
    ]);
  });

  it('is the whole list where there was none, and nothing where there is none', () => {
    expect(mergeKeywords([], [roses])).toEqual([roses]);
    expect(mergeKeywords([], flat)).toEqual(flat);
    expect(mergeKeywords([roses], [])).toEqual([roses]);
    expect(mergeKeywords([], [])).toEqual([]);
  });
});
