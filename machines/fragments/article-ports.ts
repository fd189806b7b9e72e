import { port } from '../ports.ts';
import { type ArticleOffer, orderActors } from './article-order.ts';

/** An article that waits for a decision. The text itself lives in the database. */
export type ArticlePreview = {
  draftId: number;
  title: string;
  words: number;
  images: number;
  imagesWanted: number;
  sections: number;
  phrase: string;
  spent: number;
  returned: number;
  /** Of what was spent, the tokens that nothing brings back: the person took the HTML (X09). Absent: all of it comes back. */
  final?: number;
  telegraphUrl: string | null;
  /** The beginning of the text, for when there is no page to open. */
  excerpt: string;
  regenerations: number;
  /** The price of the next version; 0 while versions are free. */
  nextPrice: number;
  /** The price of a change by words, which draws no pictures. Absent in previews of earlier releases. */
  nextTextPrice?: number;
  /** An answer of the site was lost: it may be there already. */
  inDoubt?: boolean;
  /** What the latest change by words did. */
  changes?: string;
  warnings: string[];
  /** What the score means, in words for the person. Absent in previews of earlier releases. */
  verdict?: ArticleVerdict;
};
export type ArticleVerdict = { score: number; strengths: string[]; weaknesses: string[] };

export type GenerateArticleInput = { key: string; userId: number; offer: ArticleOffer };
/** `wish`: what to change in this version, in the person's words; absent where another one is wanted. */
export type RegenerateArticleInput = { key: string; userId: number; draftId: number; wish?: string };
/** The site by its name: connected anew, it is still the same. */
export type PublishArticleInput = {
  key: string;
  userId: number;
  draftId: number;
  site: string;
  /** Kept on the site as a draft that only its owner sees. */
  asDraft?: boolean;
};
export type CancelDraftInput = { userId: number; draftId: number };
/** What became final by taking the HTML. */
export type TakenHtml = { final: number };

/** With what the site did not take, in words for the person. */
export type PublishedArticle = {
  /** Null: the project was deleted while the article went out. */
  publicationId: number | null;
  url: string | null;
  /** On the site as a draft. Absent: to be read by all. */
  isDraft?: boolean;
  warnings: string[];
};

/** What a cancellation would give back. */
export const refundOf = (preview: ArticlePreview | null): number =>
  preview === null ? 0 : Math.max(0, preview.spent - (preview.final ?? 0));

/** What the order of an article and the work on it ask of the services. */
export const articleActors = {
  ...orderActors,
  generateArticle: port<ArticlePreview, GenerateArticleInput>('generateArticle'),
  regenerateArticle: port<ArticlePreview, RegenerateArticleInput>('regenerateArticle'),
  publishArticle: port<PublishedArticle, PublishArticleInput>('publishArticle'),
  takeHtml: port<TakenHtml, CancelDraftInput>('takeHtml'),
  cancelDraft: port<{ returned: number }, CancelDraftInput>('cancelDraft'),
};
