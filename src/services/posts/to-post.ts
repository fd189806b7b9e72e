import { AiFailed, ContentRefused } from '../../errors.ts';
import type { PostPlatform } from '../../platforms/platforms.ts';
import type { PostAnswer } from '../ai/answers.ts';
import type { Answer } from '../ai/ask.ts';
import { type Brief, type Company, companyFacts } from '../projects/brief.ts';
import { checkFacts, type FactWarning } from '../quality/check-facts.ts';
import { readLines } from '../quality/read-html.ts';
import { russian, words } from '../quality/russian-text.ts';
import { simhash, toSigned } from '../quality/simhash.ts';
import { validatePost } from '../quality/validate-content.ts';
import { foreignAddresses, ownLink } from './company-links.ts';
import { fitPost } from './fit-post.ts';
import { hasLinkBeside, leadsToSite, siteLink, withMarks } from './site-link.ts';

/** Ready to be reviewed and sent. */
export type Post = {
  platform: PostPlatform;
  /** With the platform's markup and the hashtags. */
  text: string;
  /** A pin's. */
  title: string | null;
  /** To the company's site, where the platform has a place for it beside the text. */
  link: string | null;
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
  const site = siteLink(platform, company.websiteUrl, topic.name);
  const { text, title, hashtags, visible } = fitPost(platform, answer.content, {
    linkTo: markedLink(platform, company, topic.name),
    spareTags: [topic.name, keyword, company.city, company.name],
    closing: hasLinkBeside(platform) ? null : site,
  });
  if (text === '') throw new AiFailed('unusable', `the answer holds no text for ${platform}`);
  const faults = validatePost(platform, { text, title });
  if (faults.length > 0) throw new ContentRefused(`${platform} post: ${JSON.stringify(faults)}`);
  return {
    platform,
    text,
    title,
    link: hasLinkBeside(platform) ? (site?.href ?? null) : null,
    hashtags,
    words: words(visible).length,
    contentHash: String(toSigned(simhash(visible))),
    warnings: [
      ...checkFacts(text, companyFacts(brief), russian, {
        blocks: readLines(visible, { linked: /<a href="http/u.test(text) }),
      }),
      ...foreignAddresses(visible, company).map((value) => ({ code: 'link-not-of-company', value }) as const),
    ],
    modelUsed: answer.modelUsed,
    promptVersion: answer.promptVersion,
    generationTimeMs: answer.generationTimeMs,
  };
}

/** The company's own addresses, those of its site with marks. Where a link has a field of its own, the text has none. */
const markedLink = (platform: PostPlatform, company: Company, about: string) => {
  const own = ownLink(company);
  return (href: string): string | null => {
    const link = own(href);
    const isCounted = link !== null && !hasLinkBeside(platform) && leadsToSite(link, company.websiteUrl);
    return isCounted ? withMarks(link, platform, about) : link;
  };
};
