import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readPullConfig } from '../../src/autopost/pull/pull-source.ts';
import { makeReadFeedInThread } from '../../src/workers/read-feed-in-thread.ts';
import { hostileFeeds, rssDocument } from './hostile-feeds.ts';

const never = new AbortController().signal;

describe('a feed that was made to take long', () => {
  const read = makeReadFeedInThread();

  it.each(Object.keys(hostileFeeds))(
    'of %s is read while the loop keeps turning',
    async (name) => {
      let isOver = false;
      const reading = read(rssDocument(hostileFeeds[name]!()), never).finally(() => {
        isOver = true;
      });
      let turns = 0;
      while (!isOver) {
        await turn();
        turns++;
      }
      const found = await reading;
      expect('items' in found && found.items.some(({ body }) => body !== null)).toBe(true);
      // Read in this thread, it would have left no turn at all.
      expect(turns).toBeGreaterThan(100);
    },
    60_000,
  );

  it('beyond measure ends with its thread, and is told of as unreadable', async () => {
    const impatient = makeReadFeedInThread({ mostMs: 1 });
    expect(await impatient(rssDocument('<rss/>'), never)).toMatchObject({
      unreadable: expect.stringContaining('could not be read within'),
    });
  });
});

it('turns only what will be posted into posts, however long the feed is', async () => {
  const read = makeReadFeedInThread();
  const found = await read(rssDocument(hostileFeeds['60,000 plain items']!()), never);
  const items = 'items' in found ? found.items : [];
  expect(items).toHaveLength(1_000);
  expect(items.filter(({ body }) => body !== null)).toHaveLength(1);
  expect(items.at(-1)).toMatchObject({ body: { parse_mode: 'HTML' } });
}, 60_000);

it('reads a list of a program in the same way', async () => {
  const read = makeReadFeedInThread();
  const config = readPullConfig('api', { url: 'https://shop.example/new', map: { id: 'id', text: 'text' } });
  const list = Array.from({ length: 50_000 }, (_, id) => ({ id, text: `Товар ${id}` }));
  const body = Buffer.from(JSON.stringify(list));
  const found = await read({ kind: 'api', body, contentType: '', config, cursor: {} }, never);
  const items = 'items' in found ? found.items : [];
  expect(items).toHaveLength(1_000);
  expect(items.at(-1)).toMatchObject({ id: '0', body: { text: 'Товар 0' } });
}, 60_000);
