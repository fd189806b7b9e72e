import { capitalised } from '../../russian.ts';
import type { Cluster, Phrase } from '../quality/choose-cluster.ts';
import { stems } from '../quality/russian-text.ts';
import { tellingStems } from './phrase-text.ts';
import { byVolume, type Group } from './sum-clusters.ts';

const MOST_PHRASES = 20;

const buyingWords = new Set(
  stems(
    'купить заказать заказ цена цены стоимость стоит недорого дешево доставка прайс магазин каталог скидка',
  ),
);

/**
 * Clusters without a model: phrases that share their most searched telling word. Words that most phrases have name
 * the topic itself and tell nothing; what shares no word with another phrase goes together at the end.
 */
export function groupByWords(phrases: readonly Phrase[]): Group[] {
  const worded = phrases.toSorted(byVolume).map((phrase) => ({
    phrase,
    own: [...new Set(tellingStems(phrase.phrase))],
  }));
  const uses = new Map<string, { count: number; volume: number }>();
  for (const { phrase, own } of worded) {
    for (const word of own) {
      const { count, volume } = uses.get(word) ?? { count: 0, volume: 0 };
      uses.set(word, { count: count + 1, volume: volume + (phrase.volume ?? 0) });
    }
  }
  const tells = (word: string): boolean => {
    const { count } = uses.get(word)!;
    return count > 1 && count <= phrases.length / 2;
  };
  const mostSearched = (one: string, other: string): number =>
    uses.get(other)!.volume - uses.get(one)!.volume || uses.get(other)!.count - uses.get(one)!.count;

  const groups = new Map<string, Phrase[]>();
  for (const { phrase, own } of worded) {
    const [label = ''] = own.filter(tells).toSorted(mostSearched);
    groups.set(label, [...(groups.get(label) ?? []), phrase]);
  }
  return [...groups.values()].flatMap(portions).map(toGroup);
}

const portions = (phrases: readonly Phrase[]): Phrase[][] =>
  Array.from({ length: Math.ceil(phrases.length / MOST_PHRASES) }, (_, i) =>
    phrases.slice(i * MOST_PHRASES, (i + 1) * MOST_PHRASES),
  );

function toGroup(phrases: readonly Phrase[]): Group {
  const main = phrases[0]!.phrase;
  return {
    cluster_name: capitalised(main),
    cluster_type: clusterTypeOf(main),
    main_phrase: main,
    phrases,
  };
}

const clusterTypeOf = (phrase: string): Cluster['cluster_type'] =>
  stems(phrase).some((word) => buyingWords.has(word)) ? 'product_page' : 'article';
