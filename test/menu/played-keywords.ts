import type { KeywordsData } from '../../src/menu/keywords.ts';
import { makeKeywordBook } from '../../src/services/keywords/keyword-book.ts';
import type { Cluster, Keywords, Phrase } from '../../src/services/quality/choose-cluster.ts';

export const aPhrase = (phrase: string, volume: number | null = 100): Phrase => ({
  phrase,
  volume,
  difficulty: volume === null ? null : 20,
  cpc: null,
  intent: 'informational',
  ai_suggested: false,
});

export const aCluster = (name: string, phrases: Phrase[], more: Partial<Cluster> = {}): Cluster => ({
  cluster_name: name,
  cluster_type: 'article',
  main_phrase: phrases[0]!.phrase,
  total_volume: phrases.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  avg_difficulty: 20,
  phrases,
  ...more,
});

export const someClusters: Keywords = [
  aCluster('Букет невесты', [aPhrase('букет невесты', 900), aPhrase('букет невесты 2026', 100)]),
  aCluster('Бутоньерки', [aPhrase('бутоньерка жениха', 300)], {
    cluster_type: 'product_page',
    avg_difficulty: 60,
  }),
];

/** The true book over a list in memory: `list()` is what is stored now. */
export function playedKeywords(
  stored: Keywords,
  isThere: (userId: number, categoryId: number) => boolean,
): KeywordsData & { list(): Keywords } {
  let keywords = stored;
  const category = { categoryName: 'Свадебные букеты', activeSchedules: 1 };
  const book = makeKeywordBook({
    read: async (userId, categoryId) => (isThere(userId, categoryId) ? { ...category, keywords } : null),
    change: async (userId, categoryId, edit) => {
      if (!isThere(userId, categoryId)) return null;
      keywords = edit(keywords);
      return keywords;
    },
  });
  return {
    ...book,
    list: () => keywords,
    season: async () => Array.from({ length: 12 }, (_, i) => ({ month: i + 1, count: (i + 1) * 100 })),
    places: async () => [
      { market: 213, count: 1_200, affinity: 90 },
      { market: 43, count: 300, affinity: 164 },
    ],
    offer: async (userId, categoryId) =>
      isThere(userId, categoryId)
        ? {
            categoryId,
            categoryName: category.categoryName,
            city: 'Казань',
            pricePerPhrase: 1,
            balance: 1_500,
          }
        : null,
  };
}
