import type { SampleReview } from '../../../machines/review-generation.ts';

/** What a customer has said, as the person pasted it. Only these enter prompts. */
export type RealReview = { author: string; text: string; real: true };

export type StoredReview = SampleReview | RealReview;

export const isReal = (review: unknown): review is RealReview =>
  typeof review === 'object' && review !== null && 'real' in review && review.real === true;
