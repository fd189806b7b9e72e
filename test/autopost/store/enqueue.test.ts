import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PostPayload } from '../../../src/autopost/store/delivery.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

const DAY_MS = 86_400_000;

forEachDatabase((sql, kind) => {
  describe('a message', () => {
    it('goes to every channel of its workspace and of no other', async () => {
      const [ours, theirs] = [await aWorkspace(sql(), { channels: 2 }), await aWorkspace(sql())];
      expect(await ours.post('Скидки на окна')).toMatchObject({ queued: 2, suppressed: 0, rejected: 0 });
      expect(await ours.statuses()).toEqual(['queued', 'queued']);
      expect(await theirs.statuses()).toEqual([]);
    });

    it('goes where its tags lead', async () => {
      const { post, saveChannel } = await aWorkspace(sql(), { channels: 0 });
      await saveChannel('everything');
      await saveChannel('any', { routeFilter: { include_any: ['crypto', 'ru'] } });
      await saveChannel('all', { routeFilter: { include_all: ['ru', 'listing'] } });
      await saveChannel('clean', { routeFilter: { exclude: ['nsfw'] } });
      const reached = async (text: string, tags: string[]) => {
        const { messageId } = await post(text, { tags });
        const rows = await sql()`
          select channel_id from deliveries where message_id = ${messageId} order by channel_id`;
        return rows.map((row) => row.channel_id);
      };
      expect(await reached('1', [])).toEqual(['clean', 'everything']);
      expect(await reached('2', ['RU', ' ru '])).toEqual(['any', 'clean', 'everything']);
      expect(await reached('3', ['ru', 'listing', 'nsfw'])).toEqual(['all', 'any', 'everything']);
    });

    it('goes where its tags lead in capital letters, too, of the post or of the channel', async () => {
      const { id, post } = await aWorkspace(sql());
      await sql()`
        update channels set route_filter = '{"include_any": [" ЁЛКА "], "exclude": []}', tags = '{Праздник}'
        where workspace_id = ${id}`;
      expect(await post('Ставим', { tags: ['Ёлка'] })).toMatchObject({ queued: 1 });
      expect(await post('Выносим', { tags: ['уборка'] })).toMatchObject({ queued: 0 });
      expect(await sql()`select tags from channels where workspace_id = ${id}`).toEqual([
        { tags: ['праздник'] },
      ]);
    });

    it('is the same message however it is spaced, and another when its pictures change places', async () => {
      const { post } = await aWorkspace(sql());
      const [one, two] = [
        { type: 'image', url: 'https://a.example/1.jpg' },
        { type: 'image', url: 'https://a.example/2.jpg' },
      ];
      const hash = async (payload: PostPayload) => (await post('', { payload })).contentHash;
      expect(await hash({ text: '  Скидки   на\r\nокна ' })).toBe(await hash({ text: 'Скидки на\nокна' }));
      expect(await hash({ media: [one!, two!] })).not.toBe(await hash({ media: [two!, one!] }));
    });

    it('keeps what was first seen of it and notes that its tags were others', async () => {
      const { post, actions } = await aWorkspace(sql());
      const { messageId } = await post('Скидки', { tags: ['ru'], traceId: 'first' });
      await post('Скидки', { tags: ['en'], traceId: 'second' });
      const [row] = await sql()`
        select tags, seen_count, first_seen_trace_id from messages where message_id = ${messageId}`;
      expect(row).toEqual({ tags: ['ru'], seen_count: 2, first_seen_trace_id: 'first' });
      expect(await actions()).toContain('message_tag_mismatch');
    });
  });

  describe('a repeat', () => {
    it('is suppressed while the first is on its way, and noted', async () => {
      const { post, statuses, actions } = await aWorkspace(sql());
      await post('Скидки');
      expect(await post('Скидки')).toMatchObject({ queued: 0, suppressed: 1 });
      expect(await statuses()).toEqual(['queued', 'deduped']);
      expect(await actions()).toEqual(['enqueue', 'dedup_suppressed']);
    });

    it('is suppressed for the days of the channel after the send, and suppressing does not prolong them', async () => {
      const { post, sendOne, results } = await aWorkspace(sql());
      const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
      await post('Скидки');
      await results.markSent([{ ...(await sendOne()), providerMessageId: '1' }]);
      expect(await post('Скидки', { now: inDays(6) })).toMatchObject({ suppressed: 1 });
      expect(await post('Скидки', { now: inDays(8) })).toMatchObject({ queued: 1 });
    });

    it('is suppressed while it is unknown whether the first arrived', async () => {
      const { post, sendOne, results } = await aWorkspace(sql());
      await post('Скидки');
      await results.markUnknown(await sendOne(), refusal({ code: 'timeout' }));
      expect(await post('Скидки')).toMatchObject({ queued: 0, suppressed: 1 });
    });

    it('is one delivery when it comes many times at once', async () => {
      const { post, statuses } = await aWorkspace(sql());
      const all = await Promise.all(Array.from({ length: 8 }, () => post('Скидки')));
      expect(all.filter(({ queued }) => queued === 1)).toHaveLength(1);
      expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(1);
    });

    it('within one batch is nothing at all', async () => {
      const { post, statuses } = await aWorkspace(sql());
      const batchId = randomUUID();
      await post('Скидки', { batchId });
      await post('Скидки', { batchId });
      expect(await statuses()).toEqual(['queued']);
    });
  });

  describe('what cannot be sent', () => {
    const image = { type: 'image', url: 'https://a.example/1.jpg' };
    const cases: [why: string, platform: 'telegram' | 'max', payload: PostPayload, rejected: boolean][] = [
      ['4096 characters', 'telegram', { text: 'я'.repeat(4096) }, false],
      ['4097 characters', 'telegram', { text: 'я'.repeat(4097) }, true],
      ['2049 emoji, which count double', 'telegram', { text: '😀'.repeat(2049) }, true],
      [
        'markup that is not seen',
        'telegram',
        { text: `<b>${'я'.repeat(4096)}</b>`, meta: { parse_mode: 'HTML' } },
        false,
      ],
      ['a caption of 1025', 'telegram', { text: 'я'.repeat(1025), media: [image] }, true],
      ['an album under a long text', 'telegram', { text: 'я'.repeat(1025), media: [image, image] }, false],
      ['eleven pictures', 'telegram', { media: Array.from({ length: 11 }, () => image) }, true],
      ['a file among pictures', 'telegram', { media: [image, { ...image, type: 'file' }] }, true],
      ['4001 characters', 'max', { text: 'я'.repeat(4001) }, true],
      ['a legacy photo', 'max', { media: [{ ...image, type: 'photo' }] }, true],
      ['nothing', 'max', { text: '   ' }, true],
      ['a picture without a source', 'max', { media: [{ type: 'image' }] }, true],
    ];
    it.each(cases)('%s to %s', async (_, platform, payload, rejected) => {
      const { post, statuses, actions } = await aWorkspace(sql(), { platform });
      await post('', { payload });
      expect(await statuses()).toEqual([rejected ? 'failed_permanent' : 'queued']);
      expect(await actions()).toEqual([rejected ? 'validation_failed' : 'enqueue']);
    });

    it('is also what the caller or the channel refuses', async () => {
      const { post, saveChannel } = await aWorkspace(sql(), { channels: 0 });
      await saveChannel('texts', { sendMode: 'text' });
      expect(await post('Скидки', { refusals: { telegram: 'broken markup' } })).toMatchObject({
        rejected: 1,
      });
      expect(await post('', { payload: { media: [image] } })).toMatchObject({ rejected: 1 });
    });
  });

  // The embedded database has one connection, and listening would take it.
  it.skipIf(kind === 'PGlite')('a dispatcher that listens hears of a new message at once', async () => {
    const { id, post } = await aWorkspace(sql());
    const heard: string[] = [];
    const { unlisten } = await sql().listen('deliveries', (workspaceId) => void heard.push(workspaceId));
    await post('Скидки');
    await expect.poll(() => heard).toContain(id);
    await unlisten();
  });

  it('a thousand channels are filled by one call', async () => {
    const { id, post, statuses } = await aWorkspace(sql(), { channels: 0 });
    await sql()`
      insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group)
      select ${id}, 'c' || i, 'telegram', i::text, 'bot', 'bot' from generate_series(1, 1000) as i`;
    const before = performance.now();
    expect(await post('Скидки')).toMatchObject({ queued: 1000 });
    console.log(`1,000 channels filled in ${Math.round(performance.now() - before)} ms`);
    expect(await statuses()).toHaveLength(1000);
  });
});
