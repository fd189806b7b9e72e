import { capitalised } from '../../../../russian.ts';
import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { stems } from '../../../../services/quality/russian-text.ts';
import { makeChance } from '../chance.ts';
import { findNiche } from '../find-niche.ts';
import { searchEndings } from '../material/searches.ts';
import { jsonOf, linesOf, numberOf, type Tags } from '../read-tags.ts';
import { recordOf } from '../recorded-articles.ts';

type Raw = { phrase: string; volume: number };
type Cluster = AnswerTo<'keyword_clusters'>['clusters'][number];

const MOST_PHRASES = 20;
const commercial = /купить|цена|цены|заказать|стоимость|недорого|прайс|дешев|магазин|сколько стоит/u;
/** Words that say what a person wants to do, not about what. */
const intentWords = new Set(
  stems(
    'купить цена цены заказать стоимость недорого как выбрать сколько стоит какой лучше где в на для и с по из отзывы фото',
  ),
);

/** Phrases about the same thing with the same intent share a cluster; each stands in exactly one. */
export function writeClusters(tags: Tags): AnswerTo<'keyword_clusters'> {
  const raw = readRaw(tags('raw_keywords_json'));
  const subjects = raw.map(({ phrase }) => subjectOf(phrase));
  const counts = new Map<string, number>();
  for (const part of subjects.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const count = (part: string) => counts.get(part) ?? 0;

  const groups = new Map<string, Raw[]>();
  raw.forEach((item, i) => {
    // A word that half of the phrases share tells none of them apart; of the rest, the one shared most does.
    const own = subjects[i]!.filter((part) => count(part) <= raw.length / 2);
    const [nearest = ''] = own.sort((one, other) => count(other) - count(one));
    const key = `${isCommercial(item.phrase) ? 'buy' : 'read'} ${nearest}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  });

  const clusters = [...groups.values()].flatMap(inPieces).map(toCluster);
  return { clusters: withSuggestions(clusters, tags) };
}

/** Objects with a volume, or plain strings; the same phrase twice is one. */
function readRaw(value: string): Raw[] {
  const parsed = jsonOf(value);
  const items: unknown[] = Array.isArray(parsed) ? parsed : linesOf(value);
  const phrases = items.flatMap((item): Raw[] => {
    if (typeof item === 'string') return [{ phrase: item.trim(), volume: 0 }];
    const { phrase, keyword, volume } = (item ?? {}) as {
      phrase?: unknown;
      keyword?: unknown;
      volume?: unknown;
    };
    const text = phrase ?? keyword;
    return typeof text === 'string' ? [{ phrase: text.trim(), volume: Number(volume) || 0 }] : [];
  });
  const byPhrase = new Map(
    phrases.filter(({ phrase }) => phrase !== '').map((item) => [item.phrase.toLowerCase(), item]),
  );
  return [...byPhrase.values()];
}

const subjectOf = (phrase: string): string[] => stems(phrase).filter((part) => !intentWords.has(part));
const isCommercial = (phrase: string): boolean => commercial.test(phrase.toLowerCase());

const inPieces = (phrases: Raw[]): Raw[][] =>
  Array.from({ length: Math.ceil(phrases.length / MOST_PHRASES) }, (_, i) =>
    phrases.slice(i * MOST_PHRASES, (i + 1) * MOST_PHRASES),
  );

function toCluster(phrases: Raw[]): Cluster {
  const sorted = [...phrases].sort((one, other) => other.volume - one.volume);
  const main = sorted[0]!.phrase;
  return {
    cluster_name: capitalised(main),
    cluster_type: isCommercial(main) ? 'product_page' : 'article',
    main_phrase: main,
    phrases: sorted.map(({ phrase }) => ({ phrase, ai_suggested: false })),
  };
}

/** Phrases that the supplier did not know, one to a cluster in turn. */
function withSuggestions(clusters: Cluster[], tags: Tags): Cluster[] {
  const wanted = numberOf(tags('extra_count'), 0);
  const chance = makeChance(`clusters|${tags('products')}`);
  const { searches } = recordOf(findNiche('', tags('products'), tags('specialization')));
  const endings = [...chance.shuffled(searches), ...chance.shuffled(searchEndings)];
  const known = new Set(clusters.flatMap(({ phrases }) => phrases.map(({ phrase }) => phrase.toLowerCase())));
  const room = clusters.filter(({ phrases }) => phrases.length < MOST_PHRASES);

  let added = 0;
  for (const ending of endings) {
    for (const cluster of room) {
      const phrase = `${cluster.main_phrase} ${ending}`;
      if (added >= wanted) return clusters;
      if (known.has(phrase) || cluster.phrases.length >= MOST_PHRASES || cluster.main_phrase.includes(ending))
        continue;
      known.add(phrase);
      cluster.phrases.push({ phrase, ai_suggested: true });
      added += 1;
    }
  }
  return clusters;
}
