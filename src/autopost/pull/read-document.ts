import { parseFeed } from 'feedsmith';
import type { PullCursor } from '../store/pull-sources.ts';
import { entryToBody } from './entry-to-body.ts';
import { toFeedEntries } from './feed-entries.ts';
import { keyOf, whatIsNew } from './pull-cursor.ts';
import { oldestFirst } from './pull-item.ts';
import type { PullConfigs, PulledItem } from './pull-source.ts';
import { readList } from './read-list.ts';

/** What a source answered, and what is known of it: plain data, so that a thread can be given it. */
export type SourceDocument = {
  body: Uint8Array;
  contentType: string;
  cursor: PullCursor;
} & ({ kind: 'rss'; config: PullConfigs['rss'] } | { kind: 'api'; config: PullConfigs['api'] });

/** `unreadable`: not what was expected of the source, and why. */
export type ReadDocument = { items: PulledItem[] } | { unreadable: string };

/** Reads it outside of the event loop of the bot. Throws only when it is told to stop. */
export type ReadElsewhere = (document: SourceDocument, signal: AbortSignal) => Promise<ReadDocument>;

/** Of a longer list only the newest are looked at. Fewer than a cursor remembers, so that none of them is taken twice. */
const MOST_ENTRIES = 1_000;

/** The entries of a document, oldest first. Only those that will be taken in this run are turned into posts. */
export function readDocument(document: SourceDocument): ReadDocument {
  const { config, cursor } = document;
  const entries = document.kind === 'rss' ? feedEntries(document) : readList(document.body, document.config);
  if (!Array.isArray(entries)) return entries;
  const newest = oldestFirst(entries).slice(-MOST_ENTRIES);
  const { fresh } = whatIsNew(cursor, newest, config.first_items);
  const wanted = new Set<PulledItem>(fresh.slice(0, config.max_items));
  return {
    items: newest.map((entry) => ({
      ...{ id: entry.id, ts: entry.ts, key: keyOf(entry) },
      body: wanted.has(entry) ? entry.toBody() : null,
    })),
  };
}

/** An entry by its name and time; what it says is worked out when it is wanted. */
export type LazyEntry = { id: string; ts: string | null; body: null; toBody(): unknown };

function feedEntries(document: SourceDocument & { kind: 'rss' }): LazyEntry[] | { unreadable: string } {
  const { url, pictures } = document.config;
  try {
    return toFeedEntries(parseFeed(decoded(document)), url).map(({ id, ts, read }) => ({
      ...{ id, ts, body: null },
      toBody: () => entryToBody(read(), { pictures }),
    }));
  } catch (error) {
    return {
      unreadable: `the answer is not a feed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** By its header, else by its first line: many feeds are still in windows-1251. */
function decoded({ body, contentType }: SourceDocument): string {
  const head = Buffer.from(body.subarray(0, 200)).toString('latin1');
  const named = /charset=["']?([\w-]+)/iu.exec(contentType) ?? /encoding=["']([\w-]+)["']/iu.exec(head);
  return new TextDecoder(named?.[1] ?? 'utf-8').decode(body);
}
