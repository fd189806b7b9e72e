import type { TextSettings } from '../../content-settings.ts';
import type { RunStage } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';
import type { PostPlatform } from '../../platforms/platforms.ts';
import type { AskModel } from '../ai/ask.ts';
import { type Brief, companyVariables, pricesExcerpt, reviewsExcerpt } from '../projects/brief.ts';
import { containsPhrase, sentences } from '../quality/russian-text.ts';
import { socialLink } from './company-links.ts';
import { onePerTurn } from './one-per-turn.ts';
import { toPlainText } from './plain-text.ts';
import { type Post, toPost } from './to-post.ts';

export type WritePostInput = {
  brief: Brief;
  platform: PostPlatform;
  keyword: string;
  settings: TextSettings;
  /** What the person has seen and wants otherwise: as they say, or altogether. */
  earlier?: { text: string; wish: string | null };
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
};

/** The text of a post. A text that may not go out is not kept by the stage: the next try asks again. */
export const makeWritePost = ({ ask, log }: { ask: AskModel; log: Log }) => {
  const inItsTurn = onePerTurn();
  return ({
    brief,
    platform,
    keyword,
    settings,
    earlier,
    userId,
    stage,
    signal,
  }: WritePostInput): Promise<Post> =>
    stage('text', async () => {
      const { company, topic } = brief;
      const answer = await ask('social_post', {
        userId,
        signal,
        variables: {
          ...companyVariables(brief),
          keyword,
          platform,
          text_style: settings.styles.join(', '),
          words_min: settings.words.min,
          words_max: settings.words.max,
          company_city: company.city,
          company_phone: company.phone,
          category_description: topic.description,
          reviews_excerpt: reviewsExcerpt(topic.reviews),
          social_link: socialLink(platform, company),
          prices_excerpt: pricesExcerpt(topic.prices, 'other'),
          voice: company.voice ?? '',
          previous_text: earlier?.text ?? '',
          wish: earlier?.wish ?? '',
        },
      });
      const post = await inItsTurn(() => toPost(platform, answer, { brief, keyword }));
      // Asked of the model, and not put right by code: a sentence made for a phrase reads like one.
      if (!containsPhrase(sentences(toPlainText(post.text))[0] ?? '', keyword))
        log.warn({ platform, keyword, model: post.modelUsed }, 'the first sentence lacks the key phrase');
      return post;
    });
};
