import { isDeepStrictEqual } from 'node:util';
import { type PostPlatform, type PostRules, postRulesOf } from '../../platforms/platforms.ts';
import type { PostAnswer } from '../ai/answers.ts';
import { distinct, hashtagsIn, missingTags, tagsBeginAt, toHashtags, withoutOtherTags } from './hashtags.ts';
import { toPlainText } from './plain-text.ts';
import { readMarkup } from './read-markup.ts';
import { head, type Run, type StyledText, tidy, visibleText, writeHtml, writePlain } from './styled-text.ts';
import { cutAtWord, trimText } from './trim-text.ts';

type FittedPost = {
  /** As it is sent: with the platform's markup and the hashtags. Empty if nothing could be read. */
  text: string;
  /** Pins have one. */
  title: string | null;
  hashtags: string[];
  /** What a reader sees of the text. */
  visible: string;
};

type Fitting = {
  linkTo(href: string): string | null;
  /** The person's own words, in case the model named too few tags. */
  spareTags: readonly string[];
  /** Stands below the text that does not name it. */
  closing?: { label: string; href: string } | null;
};

/** Two are usual. Past these only nonsense still changes. */
const READINGS = 50;

/** From what a model wrote to what the platform takes. */
export function fitPost(platform: PostPlatform, answer: PostAnswer, fitting: Fitting): FittedPost {
  let fitted = fitOnce(platform, answer, fitting);
  // Taking a mark away can make another of what stood around it: `<<b>b>`, or a star left at the end of a cut.
  for (let reading = 1; reading < READINGS; reading++) {
    const again = fitOnce(platform, { ...fitted, pin_title: fitted.title ?? '' }, fitting);
    if (isDeepStrictEqual(again, fitted)) break;
    fitted = again;
  }
  return fitted;
}

function fitOnce(
  platform: PostPlatform,
  answer: PostAnswer,
  { linkTo, spareTags, closing }: Fitting,
): FittedPost {
  const rules = postRulesOf(platform);
  const read = readFor(rules, answer.text, linkTo);
  const hashtags = chooseTags(visibleText(read), answer.hashtags, spareTags, rules);
  const body = withTagsOnlyOf(hashtags, tidy(head(read, tagsBeginAt(visibleText(read)))));
  if (body.length === 0) return { text: '', title: null, hashtags: [], visible: '' };
  const runs = withTags(body, hashtags, rules, closing ? closingOf(body, closing) : []);
  return {
    text: writeFor(rules)(runs),
    title: rules.titleLimit === undefined ? null : fitTitle(answer.pin_title, body, rules.titleLimit),
    hashtags,
    visible: visibleText(runs),
  };
}

const isPlain = ({ tags }: PostRules): boolean => tags.length === 0;
const writeFor = (rules: PostRules) => (isPlain(rules) ? visibleText : writeHtml);

function readFor(rules: PostRules, source: string, linkTo: Fitting['linkTo']): Run[] {
  const runs = readMarkup(source, { tags: rules.tags, linkTo });
  return isPlain(rules) ? tidy(plainRun(writePlain(runs))) : runs;
}

const plainRun = (text: string): Run[] => [{ text, marks: [] }];

function chooseTags(
  text: string,
  named: readonly string[],
  spare: readonly string[],
  rules: PostRules,
): string[] {
  const { min, max } = rules.hashtags;
  const given = distinct([...toHashtags(named), ...hashtagsIn(text)]).slice(0, max);
  return given.length >= min ? given : distinct([...given, ...toHashtags(spare)]).slice(0, min);
}

const withTagsOnlyOf = (kept: readonly string[], runs: StyledText): Run[] =>
  runs.map((run) => ({ ...run, text: withoutOtherTags(run.text, kept) }));

const closingOf = (body: StyledText, { label, href }: { label: string; href: string }): Run[] => {
  const isNamed =
    visibleText(body).toLowerCase().includes(label) ||
    body.some(({ marks }) => marks.some((mark) => mark.href?.toLowerCase().includes(label)));
  return isNamed ? [] : [...plainRun('\n\n'), { text: label, marks: [{ tag: 'a', href }] }];
};

/** The body gives way to the link and the tags; a tag that was cut off with its end comes back behind it. */
function withTags(body: StyledText, tags: readonly string[], rules: PostRules, closing: Run[]): Run[] {
  const write = writeFor(rules);
  const measure = (runs: StyledText) =>
    rules.counts === 'visible' ? visibleText(runs).length : write(runs).length;
  let missing = missingTags(visibleText(body), tags);
  for (;;) {
    const row = [...closing, ...(missing.length === 0 ? [] : plainRun(`\n\n${missing.join(' ')}`))];
    const trimmed = trimText(body, rules.limit - measure(row), measure);
    const now = missingTags(visibleText(trimmed), tags);
    if (now.length === missing.length) return [...trimmed, ...row];
    missing = now;
  }
}

const ELLIPSIS = '...';

function fitTitle(title: string, body: StyledText, limit: number): string {
  const plain = (source: string) => toPlainText(source).replace(/\s+/gu, ' ');
  const text = plain(title) || plain(visibleText(body));
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  return `${visibleText(head(plainRun(text), cutAtWord(text, room)))}${ELLIPSIS}`;
}
