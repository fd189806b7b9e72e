import type { WordRange } from '../../prices.ts';
import type { OutlineAnswer } from '../ai/answers.ts';
import type { Variables } from '../ai/ask.ts';
import { companyVariables, pricesExcerpt, reviewsExcerpt } from '../projects/brief.ts';
import type { Cluster } from '../quality/choose-cluster.ts';
import { detectNiche } from '../quality/niches.ts';
import type { Sources } from './gather-sources.ts';
import type { ArticleOrder } from './write-article.ts';

/** What an order and its sources come to; every prompt takes its part of it. */
export type Material = {
  order: ArticleOrder;
  sources: Sources;
  questions: string[];
  words: WordRange;
  /** What the person wrote under each of their photos that stand in the article; they come before the drawn ones. */
  ownCaptions?: readonly string[];
};

export const outlineVariables = (material: Material): Variables => ({
  ...shared(material),
  competitor_analysis: material.sources.competitorAnalysis,
  competitor_gaps: material.sources.competitorGaps,
  serper_questions: material.questions,
});

export function articleVariables(
  material: Material,
  outline: OutlineAnswer | null,
  today: string,
): Variables {
  const { order, sources } = material;
  return {
    ...outlineVariables(material),
    images_count: order.images.count + (material.ownCaptions?.length ?? 0),
    own_photos: material.ownCaptions?.map((caption, i) => `${i + 1} — ${caption || 'подписи нет'}`),
    current_date: today,
    cluster_volume: order.cluster?.total_volume,
    outline,
    city: order.company.city,
    text_style: order.text.styles.join(', '),
    html_style: order.text.htmlStyle,
    niche_type: detectNiche(order.company.specialization).niche,
    internal_links: sources.internalLinks,
    prices_excerpt: pricesExcerpt(order.topic.prices, 'article'),
    reviews_excerpt: reviewsExcerpt(order.topic.reviews),
  };
}

export const critiqueVariables = (
  material: Material,
  text: { markdown: string; issues: readonly string[] },
): Variables => ({
  ...shared(material),
  quality_issues: text.issues,
  current_markdown: text.markdown,
  prices_excerpt: pricesExcerpt(material.order.topic.prices, 'article'),
});

/** Without the main one, and without volumes: as people search for them. */
export const secondaryPhrases = (order: ArticleOrder): string[] =>
  othersOf(order).map(({ phrase }) => phrase);

function shared({ order, sources, words }: Material): Variables {
  const main = order.cluster?.phrases.find(({ phrase }) => phrase === order.mainPhrase);
  return {
    ...companyVariables(order),
    category_description: order.topic.description,
    main_phrase: order.mainPhrase,
    main_volume: main?.volume,
    main_difficulty: main?.difficulty,
    secondary_phrases: othersOf(order).map(({ phrase, volume }) =>
      volume ? `${phrase} (${volume}/мес)` : phrase,
    ),
    lsi_keywords: sources.related,
    current_research: sources.research,
    words_min: words.min,
    words_max: words.max,
  };
}

const othersOf = ({ cluster, mainPhrase }: ArticleOrder): Cluster['phrases'] =>
  (cluster?.phrases ?? []).filter(({ phrase }) => phrase !== mainPhrase);
