import { messengerRules } from '../../platforms/messenger/rules.ts';
import { toPlainText } from '../../services/posts/plain-text.ts';
import { readMarkup } from '../../services/posts/read-markup.ts';
import { type Run, type StyledText, visibleText, writeHtml } from '../../services/posts/styled-text.ts';
import { trimText } from '../../services/posts/trim-text.ts';
import type { PostBody } from '../ingest/read-post-body.ts';
import { withLinks } from '../queue/with-links.ts';
import type { FeedEntry } from './feed-entries.ts';

/** What both messengers read. */
const TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'blockquote'];

/** An entry of a feed as a post: its title in bold, as much of its summary as there is room for, its link. */
export function entryToBody(entry: FeedEntry, { pictures }: { pictures: boolean }): PostBody {
  const media = pictures ? entry.pictures.slice(0, 1).map((url) => ({ type: 'image' as const, url })) : [];
  const links = entry.link === null ? [] : [entry.link];
  const rules = Object.values(messengerRules);
  const most = Math.min(...rules.map(({ text, caption }) => (media.length > 0 ? caption : text)));
  const linksTake = withLinks('', links, 'HTML').length + 2;
  return {
    // Measured with its markup, which MAX counts and Telegram does not: then it fits both.
    text: writeHtml(trimText(styled(entry), most - linksTake, (runs) => writeHtml(runs).length)),
    parse_mode: 'HTML',
    links,
    media,
    tags: entry.tags.map((tag) => tag.slice(0, 100)).slice(0, 50),
  };
}

function styled({ title: given, summary, link }: FeedEntry): Run[] {
  const linkTo = (href: string) => {
    if (!URL.canParse(href, link ?? undefined)) return null;
    const { protocol, href: address } = new URL(href, link ?? undefined);
    return protocol === 'http:' || protocol === 'https:' ? address : null;
  };
  const body = readMarkup(summary, { tags: TAGS, linkTo });
  const title = toPlainText(given).replace(/\s+/gu, ' ');
  if (title === '' || beginsWith(body, title)) return body;
  const heading: Run = { text: title, marks: [{ tag: 'b' }] };
  return body.length === 0 ? [heading] : [heading, { text: '\n\n', marks: [] }, ...body];
}

/** Notes have no title of their own: theirs is their beginning, often cut off. */
const beginsWith = (body: StyledText, title: string): boolean =>
  visibleText(body)
    .replace(/\s+/gu, ' ')
    .startsWith(title.replace(/\s*(?:…|\.{3})$/u, ''));
