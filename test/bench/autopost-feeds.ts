import { makeReadFeedInThread } from '../../src/workers/read-feed-in-thread.ts';
import { hostileFeeds, rssDocument } from '../workers/hostile-feeds.ts';
import { withLoopDelay } from './loop-delay.ts';
import type { Outcome } from './outcome.ts';

/** The delay that others in the process may notice. */
const MOST_P99_MS = 50;

/** Feeds that once froze the bot for up to 79 s, read as the bot reads them, and what everybody else waits meanwhile. */
export async function autopostFeeds(): Promise<Outcome[]> {
  const read = makeReadFeedInThread();
  const outcomes: Outcome[] = [];
  for (const [name, feed] of Object.entries(hostileFeeds)) {
    const document = rssDocument(feed());
    const startedAt = performance.now();
    const { delay } = await withLoopDelay(() => read(document, new AbortController().signal));
    const ms = Math.round(performance.now() - startedAt);
    const kilobytes = Math.round(document.body.length / 1024);
    outcomes.push({
      case: `autopost-feeds: ${name}`,
      ours: Number(delay.p99.toFixed(1)),
      peer: null,
      ratio: delay.p99 / MOST_P99_MS,
      unit: 'ms of event-loop delay, p99',
      notes: `${kilobytes} kB read in ${ms} ms; longest delay ${Math.round(delay.max)} ms; at most ${MOST_P99_MS} at p99`,
    });
  }
  return outcomes;
}
