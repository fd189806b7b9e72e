import { z } from 'zod';

/**
 * What a model has to answer, task by task. Each is sent along as a strict JSON schema and checked again on arrival.
 * Tasks without an entry answer in plain text.
 */

const image = z.object({ alt: z.string(), filename: z.string(), figcaption: z.string() });

const article = z.object({
  title: z.string().min(1),
  seo_title: z.string(),
  meta_description: z.string(),
  content_markdown: z.string().min(1),
  faq_schema: z.array(z.object({ question: z.string(), answer: z.string() })),
  images_meta: z.array(image),
});

const post = z.object({
  text: z.string().min(1),
  hashtags: z.array(z.string()),
  pin_title: z.string(),
});

export const answers = {
  article,
  article_outline: z.object({
    title: z.string().min(1),
    sections: z
      .array(
        z.object({
          h2: z.string(),
          h3_list: z.array(z.string()),
          key_points: z.array(z.string()),
          target_phrases: z.array(z.string()),
        }),
      )
      .min(1),
    faq_questions: z.array(z.string()),
    target_word_count: z.number(),
    suggested_images: z.array(z.string()),
  }),
  article_critique: article.extend({ changes_summary: z.string() }),
  article_refresh: article.extend({ changes_summary: z.string() }),
  article_revision: article.extend({ changes_summary: z.string() }),
  article_research: z.object({
    facts: z.array(z.object({ claim: z.string(), source: z.string(), url: z.string(), year: z.string() })),
    trends: z.array(z.object({ trend: z.string(), relevance: z.string() })),
    statistics: z.array(
      z.object({ metric: z.string(), value: z.string(), source: z.string(), url: z.string() }),
    ),
    summary: z.string(),
  }),
  voice: z.object({ voice: z.string().min(1) }),
  social_post: post,
  cross_post: post,
  keyword_clusters: z.object({
    clusters: z.array(
      z.object({
        cluster_name: z.string(),
        cluster_type: z.string(),
        main_phrase: z.string(),
        phrases: z.array(z.object({ phrase: z.string(), ai_suggested: z.boolean() })),
      }),
    ),
  }),
  keywords: z.object({
    keywords: z.array(z.object({ phrase: z.string(), intent: z.enum(['commercial', 'informational']) })),
  }),
  seed_normalize: z.object({ variants: z.array(z.string()) }),
  review: z.object({
    reviews: z.array(
      z.object({
        author: z.string(),
        date: z.string(),
        rating: z.number(),
        text: z.string(),
        pros: z.string(),
        cons: z.string(),
      }),
    ),
  }),
  competitor_analysis: z.object({
    pages_indexed: z.number(),
    positioning: z.string(),
    strengths: z.array(z.string()),
    key_topics: z.array(z.string()),
    content_gaps: z.array(z.string()),
    meta_analysis: z.string(),
    recommendations: z.array(z.string()),
  }),
  site_profile: z.object({
    kind: z.enum(['business', 'parked', 'other']),
    language: z.string(),
    name: z.string(),
    company_name: z.string(),
    specialization: z.string(),
    city: z.string(),
    phone: z.string(),
    topics: z.array(z.object({ name: z.string(), about: z.string(), phrases: z.array(z.string()) })),
  }),
  image_director: z.object({
    images: z.array(
      z.object({
        section_index: z.number(),
        concept: z.string(),
        prompt: z.string(),
        negative_prompt: z.string(),
        aspect_ratio: z.string(),
      }),
    ),
    visual_narrative: z.string(),
  }),
} as const;

export type SchemaTask = keyof typeof answers;
export type AnswerTo<Task> = Task extends SchemaTask ? z.infer<(typeof answers)[Task]> : string;

export type ArticleAnswer = AnswerTo<'article'>;
export type OutlineAnswer = AnswerTo<'article_outline'>;
export type PostAnswer = AnswerTo<'social_post'>;
