import { readPullConfig } from '../../src/autopost/pull/pull-source.ts';
import type { SourceDocument } from '../../src/autopost/pull/read-document.ts';

const feed = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Лента</title>${items}</channel></rss>`;
const entry = (words: string): string =>
  feed(`<item><guid>one</guid><title>Запись</title><description><![CDATA[${words}]]></description></item>`);

/** Each froze a reader that looks for the end of everything that begins, or turns everything into a post. */
export const hostileFeeds: Readonly<Record<string, () => string>> = {
  '80,000 pictures without an end': () => entry('<img '.repeat(80_000)),
  '100,000 comments without an end': () => entry('<!--'.repeat(100_000)),
  '60,000 plain items': () =>
    feed(
      Array.from(
        { length: 60_000 },
        (_, i) =>
          `<item><guid>${i}</guid><title>Запись ${i}</title><link>https://n.example/${i}</link></item>`,
      ).join(''),
    ),
};

export function rssDocument(text: string): SourceDocument {
  const config = readPullConfig('rss', { url: 'https://news.example/rss' });
  return { kind: 'rss', body: Buffer.from(text), contentType: 'text/xml; charset=utf-8', config, cursor: {} };
}
