import { AiFailed, ContentRefused } from '../../errors.ts';
import type { PostPlatform } from '../../platforms/platforms.ts';
import type { PostAnswer } from '../ai/answers.ts';
import type { Answer } from '../ai/ask.ts';
import { type Brief, companyFacts } from '../projects/brief.ts';
import { checkFacts, type FactWarning } from '../quality/check-facts.ts';
import { words } from '../quality/russian-text.ts';
import { simhash, toSigned } from '../quality/simhash.ts';
import { validatePost } from '../quality/validate-content.ts';
import { foreignAddresses, ownLink } from './company-links.ts';
import { fitPost } from './fit-post.ts';

/** Ready to be reviewed and sent. */
export type Post = {
  platform: PostPlatform;
  /** With the platform's markup and the hashtags. */
  text: string;
  /** A pin's. */
  title: string | null;
  hashtags: string[];
  words: number;
  /** SimHash of what is read, as PostgreSQL keeps it. */
  contentHash: string;
  warnings: PostWarning[];
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
};

export type PostWarning = FactWarning | { readonly code: 'link-not-of-company'; readonly value: string };

/** From a model's answer to a post, or to the reason why it cannot go out. */
export function toPost(
  platform: PostPlatform,
  answer: Answer<PostAnswer>,
  { brief, keyword }: { brief: Brief; keyword: string },
): Post {
  const { company, topic } = brief;
  const { text, title, hashtags, visible } = fitPost(platform, answer.content, {
    linkTo: ownLink(company),
    spareTags: [topic.name, keyword, company.city, company.name],
  });
  if (text === '') throw new AiFailed('unusable', `the answer holds no text for ${platform}`);
  const faults = validatePost(platform, { text, title });
  if (faults.length > 0) throw new ContentRefused(`${platform} post: ${JSON.stringify(faults)}`);
  return {
    platform,
    text,
    title,
    hashtags,
    words: words(visible).length,
    contentHash: String(toSigned(simhash(visible))),
    warnings: [
      ...checkFacts(text, companyFacts(brief)),
      ...foreignAddresses(visible, company).map((value) => ({ code: 'link-not-of-company', value }) as const),
    ],
    modelUsed: answer.modelUsed,
    promptVersion: answer.promptVersion,
    generationTimeMs: answer.generationTimeMs,
  };
}
