import type { WordRange } from '../../prices.ts';
import type { OutlineAnswer } from '../ai/answers.ts';
import type { Variables } from '../ai/ask.ts';
import { companyVariables, pricesExcerpt, reviewsExcerpt } from '../projects/brief.ts';
import type { Cluster } from '../quality/choose-cluster.ts';
import { detectNiche } from '../quality/niches.ts';
import type { Sources } from './gather-sources.ts';
import { searchIntent } from './search-intent.ts';
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
  ...fromSearch(material),
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

/** The critic knows what was planned and what the others lack: it can mend more than the remarks name. */
export const critiqueVariables = (
  material: Material,
  outline: OutlineAnswer | null,
  text: { markdown: string; issues: readonly string[] },
): Variables => ({
  ...shared(material),
  ...fromSearch(material),
  outline,
  competitor_gaps: material.sources.competitorGaps,
  quality_issues: text.issues,
  current_markdown: text.markdown,
  prices_excerpt: pricesExcerpt(material.order.topic.prices, 'article'),
});

/** Without the main one, and without volumes: as people search for them. */
export const secondaryPhrases = (order: ArticleOrder): string[] =>
  othersOf(order).map(({ phrase }) => phrase);

function fromSearch({ order, sources, questions }: Material): Variables {
  const { mainPhrase, cluster } = order;
  const main = cluster?.phrases.find(({ phrase }) => phrase === mainPhrase);
  const results = sources.results ?? [];
  const answers = new Map(sources.asked?.map(({ question, answer }) => [question, answer]));
  return {
    serper_questions: questions,
    asked_questions: questions.map((question) => withAnswer(question, answers.get(question) ?? '')),
    search_intent: searchIntent(
      mainPhrase,
      main?.intent,
      results.map(({ title }) => title),
    ),
    serp_results: results.map(({ title, snippet }) => [title, snippet].filter(Boolean).join(' — ')),
  };
}

const withAnswer = (question: string, answer: string): string =>
  answer === '' ? question : `${question} — в поиске отвечают: ${answer}`;

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
    own_knowledge: order.topic.knows,
    avoid: order.topic.avoid,
    voice: order.company.voice,
    author_name: order.company.author,
    words_min: words.min,
    words_max: words.max,
  };
}

const othersOf = ({ cluster, mainPhrase }: ArticleOrder): Cluster['phrases'] =>
  (cluster?.phrases ?? []).filter(({ phrase }) => phrase !== mainPhrase);
