import { writeArticle } from './article/write-article.ts';
import { writeCritique, writeRefresh } from './article/write-critique.ts';
import { writeOutline } from './article/write-outline.ts';
import { writeResearch } from './article/write-research.ts';
import { writeRevision } from './article/write-revision.ts';
import { writeReview } from './dialogue/write-review.ts';
import { writeTurn } from './dialogue/write-turn.ts';
import { writeClusters } from './keywords/write-clusters.ts';
import { writeKeywords, writeSeeds } from './keywords/write-keywords.ts';
import { directPictures } from './picture/direct-pictures.ts';
import { writeDescription } from './posts/write-description.ts';
import { writeCrossPost, writePost } from './posts/write-post.ts';
import { writeReviews } from './posts/write-reviews.ts';
import { writeVoice } from './posts/write-voice.ts';
import { readTags, type Tags } from './read-tags.ts';
import { writeCompetitorAnalysis } from './write-competitor-analysis.ts';
import { writeSiteProfile } from './write-site-profile.ts';

const writers: Readonly<Record<string, (tags: Tags, turn: number) => unknown>> = {
  article: writeArticle,
  article_outline: writeOutline,
  article_critique: writeCritique,
  article_refresh: writeRefresh,
  article_revision: writeRevision,
  article_research: writeResearch,
  social_post: writePost,
  cross_post: writeCrossPost,
  keyword_clusters: writeClusters,
  keywords: writeKeywords,
  seed_normalize: writeSeeds,
  review: writeReviews,
  competitor_analysis: writeCompetitorAnalysis,
  site_profile: writeSiteProfile,
  image_director: directPictures,
  description: writeDescription,
  voice: writeVoice,
  trainer_turn: writeTurn,
  trainer_review: writeReview,
};

/**
 * The author behind the stand-in: no model, but recorded articles. It reads the values between the tags and nothing
 * else, so no order hidden in a page can reach it. Asked the same for another `turn`, it writes another text, as a
 * model would; the same turn has the same answer.
 */
export function writeAnswer({
  task,
  user,
  turn = 0,
}: {
  task: string;
  system: string;
  user: string;
  turn?: number;
}): unknown {
  const write = Object.hasOwn(writers, task) ? writers[task] : undefined;
  if (write === undefined) throw new Error(`the author knows no task ${task}`);
  return write(readTags(user), turn);
}
