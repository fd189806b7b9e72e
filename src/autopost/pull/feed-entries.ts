import { createHash } from 'node:crypto';
import type { parseFeed } from 'feedsmith';
import { firstPictureIn, tidyHtml } from './tidy-html.ts';

/** By its name and time; the rest is read when it is wanted. */
type FoundEntry = { id: string; ts: string | null; read(): FeedEntry };

export type FeedEntry = {
  title: string;
  /** HTML of the wild, or plain text. */
  summary: string;
  link: string | null;
  /** The best one first. */
  pictures: readonly string[];
  tags: readonly string[];
};

/** Much more than any post shows. */
const MOST_HTML = 200_000;
const MOST_SUMMARY = 10_000;
const MOST_TITLE = 1_000;
const MOST_PICTURES = 10;

type Feed = ReturnType<typeof parseFeed>;
type Media = {
  contents?: readonly { url?: string; type?: string; medium?: string }[];
  thumbnails?: readonly { url?: string }[];
};

/** What all kinds of feeds have in common. */
export function toFeedEntries(parsed: Feed, feedUrl: string): FoundEntry[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item) =>
        toEntry({
          id: item.guid?.value,
          ts: item.pubDate ?? item.dc?.dates?.[0],
          title: item.title,
          summary: item.description,
          content: item.content?.encoded,
          link: item.link,
          pictures: [...picturesAmong(item.enclosures), ...picturesOf(item.media)],
          tags: (item.categories ?? []).map(({ name }) => name),
        }),
      );
    case 'atom':
      return (parsed.feed.entries ?? []).map((entry) =>
        toEntry({
          id: entry.id,
          // The first time it was seen, not the last time it was touched.
          ts: entry.published ?? entry.updated,
          title: entry.title?.value,
          summary: entry.summary?.value,
          content: entry.content?.value,
          link: entry.links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href,
          pictures: [
            ...picturesAmong(
              entry.links
                ?.filter(({ rel }) => rel === 'enclosure')
                .map(({ href, type }) => ({ url: href, type })),
            ),
            ...picturesOf(entry.media),
          ],
          tags: (entry.categories ?? []).map(({ term }) => term),
        }),
      );
    case 'rdf':
      return (parsed.feed.items ?? []).map((item) =>
        toEntry({
          ts: item.dc?.dates?.[0],
          title: item.title,
          summary: item.description,
          content: item.content?.encoded,
          link: item.link,
          pictures: picturesOf(item.media),
          tags: [],
        }),
      );
    case 'json':
      return (parsed.feed.items ?? []).map((item) =>
        toEntry({
          id: item.id,
          ts: item.date_published,
          title: item.title,
          summary: item.summary,
          content: item.content_html ?? item.content_text,
          link: item.url ?? item.external_url,
          pictures: [item.image, item.banner_image],
          tags: item.tags ?? [],
        }),
      );
    default: {
      const never: never = parsed;
      throw new TypeError(`Expected a known kind of feed, got ${JSON.stringify(never)}`);
    }
  }

  function toEntry(entry: Rough): FoundEntry {
    const { id, ts, title = '', content = '' } = entry;
    const link = absolute(entry.link);
    return {
      id: id ?? link ?? hashOf(`${title}\n${entry.summary?.trim() || content}`),
      ts: typeof ts === 'string' && !Number.isNaN(Date.parse(ts)) ? new Date(ts).toISOString() : null,
      read: () => readEntry(entry, link),
    };
  }

  function readEntry(entry: Rough, link: string | null): FeedEntry {
    const content = tidyHtml((entry.content ?? '').slice(0, MOST_HTML));
    const summary = tidyHtml((entry.summary?.trim() ?? '').slice(0, MOST_HTML)) || content;
    const pictures = [...entry.pictures.slice(0, MOST_PICTURES), firstPictureIn(content || summary)];
    return {
      title: tidyHtml((entry.title ?? '').slice(0, MOST_TITLE)),
      summary: summary.slice(0, MOST_SUMMARY),
      link,
      pictures: pictures.map(absolute).filter((address) => address !== null),
      tags: entry.tags.filter((tag) => tag !== undefined),
    };
  }

  function absolute(address: string | undefined): string | null {
    const text = address?.trim().replaceAll('&amp;', '&') ?? '';
    if (text === '' || !URL.canParse(text, feedUrl)) return null;
    const { protocol, href } = new URL(text, feedUrl);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  }
}

type Rough = {
  id?: string | undefined;
  ts?: unknown;
  title?: string | undefined;
  summary?: string | undefined;
  content?: string | undefined;
  link?: string | undefined;
  pictures: readonly (string | undefined)[];
  tags: readonly (string | undefined)[];
};

type Enclosure = { url?: string | undefined; type?: string | undefined };

const picturesAmong = (enclosures: readonly Enclosure[] | undefined): (string | undefined)[] =>
  (enclosures ?? []).filter(({ type }) => /^image\//iu.test(type ?? '')).map(({ url }) => url);

const picturesOf = (media: Media | undefined): (string | undefined)[] => [
  ...(media?.contents ?? [])
    .filter(({ type, medium }) => medium === 'image' || /^image\//iu.test(type ?? ''))
    .map(({ url }) => url),
  ...(media?.thumbnails ?? []).map(({ url }) => url),
];

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
