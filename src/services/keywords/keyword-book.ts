import { createHash } from 'node:crypto';
import type { CategoryPhrases, PhraseGroup, PhraseLine } from '../../screens/pages/keywords.ts';
import type { StoredKeywords } from '../../store/category-keywords.ts';
import { type Cluster, isFlatList, type Keywords, type Phrase } from '../quality/choose-cluster.ts';
import { withoutCluster, withoutPhrase } from './edit-keywords.ts';
import { keywordsCsv } from './keywords-csv.ts';
import { phraseKey } from './phrase-text.ts';
import { sumClusters } from './sum-clusters.ts';

type Store = {
  read(userId: number, categoryId: number): Promise<StoredKeywords | null>;
  change(
    userId: number,
    categoryId: number,
    edit: (keywords: Keywords) => Keywords,
  ): Promise<Keywords | null>;
};

/** The phrases of a category as people look through them and cross them out. Null: no such category. */
export function makeKeywordBook({ read, change }: Store) {
  return { phrases, csv, removePhrase, removeCluster, removeAll };

  async function phrases(userId: number, categoryId: number): Promise<CategoryPhrases | null> {
    const stored = await read(userId, categoryId);
    if (!stored) return null;
    const { keywords, ...category } = stored;
    return { categoryId, ...category, groups: groupsOf(keywords) };
  }

  async function csv(userId: number, categoryId: number): Promise<string | null> {
    const stored = await read(userId, categoryId);
    return stored && keywordsCsv(stored.keywords).toString();
  }

  /** What is left, as with the next one: a second press finds nothing to remove and does no harm. */
  async function removePhrase(userId: number, categoryId: number, phrase: string) {
    return left(await change(userId, categoryId, (keywords) => withoutPhrase(keywords, phrase)));
  }

  async function removeCluster(userId: number, categoryId: number, name: string) {
    return left(await change(userId, categoryId, (keywords) => withoutCluster(keywords, name)));
  }

  async function removeAll(userId: number, categoryId: number): Promise<boolean> {
    return (await change(userId, categoryId, () => [])) !== null;
  }
}

const left = (keywords: Keywords | null): PhraseGroup[] | null => keywords && groupsOf(keywords);

/** The most searched first, also after some of their phrases went. A flat list looks like one group without a name. */
function groupsOf(keywords: Keywords): PhraseGroup[] {
  if (!isFlatList(keywords)) {
    const clusters = keywords as readonly Cluster[];
    return clusters.toSorted((one, other) => other.total_volume - one.total_volume).map(toGroup);
  }
  const one = { cluster_name: '', cluster_type: 'article', main_phrase: '', phrases: keywords } as const;
  return sumClusters([one]).map((cluster) => ({ ...toGroup(cluster), type: null }));
}

const toGroup = (cluster: Cluster): PhraseGroup => ({
  name: cluster.cluster_name,
  mark: markOf(cluster.cluster_name),
  type: cluster.cluster_type,
  mainPhrase: cluster.main_phrase,
  volume: cluster.phrases.some(({ volume }) => volume !== null) ? cluster.total_volume : null,
  difficulty: cluster.avg_difficulty,
  phrases: cluster.phrases.map(toLine),
});

const toLine = ({ phrase, volume, difficulty, ai_suggested, market }: Phrase): PhraseLine => ({
  phrase,
  // Told when a button asks for it: a page shows eight of what may be five thousand.
  get mark() {
    return markOf(phrase);
  },
  volume,
  difficulty,
  suggested: ai_suggested ?? false,
  ...(market !== undefined && { market }),
});

/** Tells whether a button still means what it meant when it was shown. */
const markOf = (text: string): string =>
  createHash('sha256').update(phraseKey(text)).digest('hex').slice(0, 4);
