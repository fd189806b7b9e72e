import type { RunStage } from '../../engine/operations.ts';
import { AppError } from '../../errors.ts';
import { type Platform, type PostPlatform, postRulesOf, takesPosts } from '../../platforms/platforms.ts';
import type { AskModel } from '../ai/ask.ts';
import { type Brief, companyVariables, pricesExcerpt } from '../projects/brief.ts';
import { socialLink } from './company-links.ts';
import { type Post, toPost } from './to-post.ts';

export type AdaptPostInput = {
  brief: Brief;
  keyword: string;
  /** As it was published, with its markup. */
  original: { platform: PostPlatform; text: string; hasPicture: boolean };
  target: PostPlatform;
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
};

/** The platform publishes nothing without a picture, and the original has none. */
export class PictureRequired extends AppError {
  readonly code = 'PICTURE_REQUIRED';
  readonly userMessage = 'Для этой площадки нужна картинка, а у поста её нет. Выберите другую площадку.';
  constructor(platform: PostPlatform) {
    super(`${platform} takes no post without a picture`);
  }
}

/** A published post told anew for another platform. */
export const makeAdaptPost =
  ({ ask }: { ask: AskModel }) =>
  async ({ brief, keyword, original, target, userId, stage, signal }: AdaptPostInput): Promise<Post> => {
    if (!canTake(target, original.hasPicture)) throw new PictureRequired(target);
    return stage('text', async () => {
      const { company, topic } = brief;
      const { company_name, specialization, company_description, website_url, language } =
        companyVariables(brief);
      const answer = await ask('cross_post', {
        userId,
        signal,
        variables: {
          ...{ company_name, specialization, company_description, website_url, language },
          original_text: original.text,
          source_platform: original.platform,
          target_platform: target,
          keyword,
          company_city: company.city,
          company_phone: company.phone,
          social_link: socialLink(target, company),
          prices_excerpt: pricesExcerpt(topic.prices, 'other'),
        },
      });
      return toPost(target, answer, { brief, keyword });
    });
  };

/** Where a post published through `source` can go as well: the other social connections that work. */
export const crossPostTargets = <Connection extends { id: number; platform: Platform; status: string }>(
  connections: readonly Connection[],
  source: { id: number },
  hasPicture: boolean,
): Connection[] =>
  connections.filter(
    ({ id, platform, status }) =>
      id !== source.id && status === 'active' && takesPosts(platform) && canTake(platform, hasPicture),
  );

const canTake = (platform: PostPlatform, hasPicture: boolean): boolean =>
  hasPicture || postRulesOf(platform).picture === 'optional';
