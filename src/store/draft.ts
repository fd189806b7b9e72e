import type { Price } from '../prices.ts';
import type { ArticleAnswer } from '../services/ai/answers.ts';
import type { SearchSnapshot } from '../services/article/search-snapshot.ts';
import type { Sql } from './database.ts';

export type DraftImage = {
  url: string;
  storage_path: string;
  width: number;
  height: number;
  alt: string;
  filename: string;
  caption: string;
};

/** What publishing and another version need beside the text, whatever kind of text it is. */
export type AnyDetails = {
  contentHash: string | null;
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
  /** What the first version came to: every further one costs the same. */
  price: Price;
  /** For the preview: what the person should know, and how many pictures were wanted. */
  notes: string[];
  imagesWanted: number;
  /** How many of the pictures are the person's own photos; they come first. */
  ownPhotos?: number;
  /** The operation that wrote this version, unless it is the first. */
  version?: string;
  /** The operation of a version that was charged and is not settled. */
  paying?: string;
  /** Places that were given the text and did not say what became of it. */
  mayBeOn?: string[];
  /** How often an answer was lost. */
  lost?: number;
  /** Of what was charged, the tokens that do not come back: its owner has taken the HTML (X09). */
  final?: number;
  /** Shown again to a person who has left; and what it cost comes back at its end. An article always is. */
  kept?: true;
};

/** Of an article. */
export type DraftDetails = AnyDetails & {
  /** What search showed when it was written. */
  results?: SearchSnapshot;
  seoTitle: string;
  metaDescription: string;
  sections: number;
  /** The text as the model gave it, for a change by words. */
  answer?: ArticleAnswer;
  /** What such a change did, in words for the person. */
  changes?: string;
  /** What the score means, in words for the person. */
  verdict?: { score: number; strengths: string[]; weaknesses: string[] };
};

export type DraftKind = 'article' | 'social_post';

export type DraftContent<Details extends AnyDetails = DraftDetails> = {
  title: string;
  html: string;
  words: number;
  images: readonly DraftImage[];
  telegraph: { url: string; path: string } | null;
  details: Details;
};

export type Draft<Details extends AnyDetails = DraftDetails> = DraftContent<Details> & {
  id: number;
  userId: number;
  projectId: number;
  categoryId: number;
  connectionId: number | null;
  keyword: string;
  tokens: number;
  regenerations: number;
  /** `unknown`: it may be on a site, whose answer was lost. */
  status: 'draft' | 'publishing' | 'unknown' | 'published';
};

/** A stored draft, as it is read. */
export const draftColumns = (sql: Sql) =>
  sql`id, user_id as "userId", project_id as "projectId", category_id as "categoryId",
      connection_id as "connectionId", keyword, title, content_html as html, word_count as words, images,
      case when telegraph_url is null then null
        else json_build_object('url', telegraph_url, 'path', telegraph_path) end as telegraph,
      details, tokens_charged as tokens, regeneration_count as regenerations, status`;
