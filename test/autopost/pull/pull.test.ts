import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeConditions } from '../../../src/autopost/store/conditions.ts';
import { makeEnqueue } from '../../../src/autopost/store/enqueue.ts';
import { openDatabase, type Sql, type TransactionSql } from '../../../src/store/database.ts';
import { forEachDatabase, freshPostgresUrl } from '../../support/stores.ts';
import { png, site } from '../ingest/an-entrance.ts';
import { aPuller } from './a-puller.ts';

type Entry = { id: string; title?: string; at?: string; summary?: string; more?: string };

const rss = (
  ...entries: Entry[]
) => `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Блог</title>
  ${entries
    .map(
      ({
        id,
        title = id,
        at,
        summary = '',
        more = '',
      }) => `<item><guid isPermaLink="false">${id}</guid><title>${title}</title>
        ${at ? `<pubDate>${new Date(at).toUTCString()}</pubDate>` : ''}<description><![CDATA[${summary}]]></description>${more}</item>`,
    )
    .join('')}</channel></rss>`;

const atom = (...entries: Entry[]) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>Блог</title>
  ${entries
    .map(
      ({ id, title = id, at = '2026-01-01', summary = '' }) => `<entry><id>${id}</id><title>${title}</title>
        <updated>${new Date(at).toISOString()}</updated><summary type="html">${summary}</summary>
        <link href="/${id}"/></entry>`,
    )
    .join('')}</feed>`;

/** A site whose answer a test may change. */
async function aSite(first = '') {
  const state = {
    body: first as string | Buffer,
    status: 200,
    headers: {} as Record<string, string>,
    asked: [] as IncomingHttpHeaders[],
  };
  const base = await site((request, response) => {
    if (request.url === '/picture.png') return response.end(png);
    state.asked.push(request.headers);
    const isSame =
      state.headers.etag !== undefined && request.headers['if-none-match'] === state.headers.etag;
    return isSame
      ? response.writeHead(304).end()
      : response.writeHead(state.status, state.headers).end(state.body);
  });
  return {
    ...state,
    base,
    url: `${base}/feed`,
    set: (change: Partial<typeof state>) => Object.assign(state, change),
    asked: state.asked,
  };
}

const bold = (...titles: string[]) => titles.map((title) => `<b>${title}</b>`);

forEachDatabase((sql, kind) => {
  describe('a feed', () => {
    it('gives its newest entry first, and from then on every new one in its order', async () => {
      const feed = await aSite(
        rss(
          { id: 'old', at: '2026-01-01' },
          { id: 'newest', at: '2026-01-03' },
          { id: 'mid', at: '2026-01-02' },
        ),
      );
      const { save, pull, texts, rings, runs, source } = await aPuller(sql());
      await save({ url: feed.url, every_seconds: 60 });
      await pull();
      expect(await texts()).toEqual(bold('newest'));
      feed.set({
        body: rss(
          { id: 'e', at: '2026-01-05' },
          { id: 'd', at: '2026-01-04' },
          { id: 'newest', at: '2026-01-03' },
        ),
      });
      await pull();
      expect(await texts()).toEqual(bold('newest', 'd', 'e'));
      expect(rings.count).toBe(3);
      expect((await runs()).map(({ stats, finished }) => [stats.found, stats.accepted, finished])).toEqual([
        [1, 1, true],
        [2, 2, true],
      ]);
      expect(await source()).toMatchObject({ failures: 0, lease_token: null });
      expect((await source())?.next_in).toBeGreaterThan(50);
    });

    it('is not posted again when it is put in another order, dated anew, or leaves out what it had', async () => {
      const feed = await aSite(rss({ id: 'a', at: '2026-01-01' }, { id: 'b', at: '2026-01-02' }));
      const { save, pull, texts } = await aPuller(sql());
      await save({ url: feed.url, first_items: 5 });
      await pull();
      for (const body of [
        rss({ id: 'b', at: '2026-01-02' }, { id: 'a', at: '2026-02-01' }),
        rss({ id: 'b', title: 'b, исправлено', at: '2026-03-01' }),
        rss({ id: 'a' }, { id: 'b' }),
      ]) {
        feed.set({ body });
        await pull();
      }
      expect(await texts()).toEqual(bold('a', 'b'));
    });

    it('says itself that nothing has changed', async () => {
      const feed = await aSite(rss({ id: 'a' }));
      feed.set({ headers: { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' } });
      const { save, pull, runs, cursor } = await aPuller(sql());
      await save({ url: feed.url });
      await pull();
      await pull();
      expect(feed.asked.map((headers) => headers['if-none-match'])).toEqual([undefined, '"1"']);
      expect(feed.asked[1]?.['if-modified-since']).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
      expect((await runs())[1]?.stats).toMatchObject({ not_modified: true, found: 0 });
      expect(await cursor()).toMatchObject({ begun: true, etag: '"1"' });
    });

    it('may be Atom, and its entries lead to their pages', async () => {
      const feed = await aSite(
        atom({ id: 'a', title: 'Скидки', summary: '&lt;p&gt;На &lt;i&gt;окна&lt;/i&gt;&lt;/p&gt;' }),
      );
      const { save, pull, texts } = await aPuller(sql());
      await save({ url: feed.url });
      await pull();
      const link = `${feed.base}/a`;
      expect(await texts()).toEqual([`<b>Скидки</b>\n\nНа <i>окна</i>\n\n<a href="${link}">${link}</a>`]);
    });

    it('may be in the letters of another time, with HTML of any kind and more text than fits', async () => {
      const summary = `<div style="x"><script>alert(1)</script><h2>Окна</h2><p>${'Слово. '.repeat(1_000)}</p></div>`;
      const utf8 = rss({ id: 'a', title: 'Скидки &amp;lt;50%', summary }).replace('UTF-8', 'windows-1251');
      const feed = await aSite();
      feed.set({ body: toWindows1251(utf8) });
      const { save, pull, texts, statuses } = await aPuller(sql(), {});
      await save({ url: feed.url });
      await pull();
      const [text = ''] = await texts();
      expect(text).toMatch(/^<b>Скидки &lt;50%<\/b>\n\n<b>Окна<\/b>\n\nСлово\. .*Слово\.$/su);
      expect(text.length).toBeGreaterThan(3_500);
      expect(await statuses()).toEqual(['queued']);
    });

    it('brings its picture, and goes without one that is gone', async () => {
      const feed = await aSite();
      const enclosure = (name: string) =>
        `<enclosure url="${feed.base}/${name}" type="image/png" length="1"/>`;
      feed.set({
        body: rss({ id: 'a', more: enclosure('picture.png') }, { id: 'b', more: enclosure('feed') }),
      });
      const { save, pull, texts, id, runs } = await aPuller(sql());
      await save({ url: feed.url, first_items: 2 });
      await pull();
      expect(await texts()).toEqual(bold('b', 'a'));
      const rows =
        await sql()`select payload ->> 'type' as type from messages where workspace_id = ${id} order by created_at`;
      expect(rows.map(({ type }) => type)).toEqual(['text', 'media']);
      expect((await runs())[0]?.stats).toMatchObject({ accepted: 2, without_media: 1 });
    });

    it('brings the first picture of its text, and not the pixel that counts its readers', async () => {
      const feed = await aSite();
      const pixel = '<img src="/count" width="1" height="1">';
      feed.set({ body: rss({ id: 'a', summary: `${pixel}<p>Окна <img alt="" src="/picture.png"></p>` }) });
      const { save, pull, id, texts } = await aPuller(sql());
      await save({ url: feed.url });
      await pull();
      expect(await texts()).toEqual(['<b>a</b>\n\nОкна']);
      const [message] = await sql()`select payload from messages where workspace_id = ${id}`;
      expect(message?.payload.media).toHaveLength(1);
    });

    it('is posted once when it names an entry twice', async () => {
      const feed = await aSite(rss({ id: 'a', title: 'Было' }, { id: 'a', title: 'Стало' }));
      const { save, pull, texts } = await aPuller(sql());
      await save({ url: feed.url, first_items: 5 });
      await pull();
      await pull();
      expect(await texts()).toHaveLength(1);
    });

    it('waits for a picture that may come, and not for ever', async () => {
      const feed = await aSite();
      const broken = await site((_, response) => response.writeHead(500).end());
      feed.set({
        body: rss({ id: 'a', more: `<enclosure url="${broken}/1.png" type="image/png" length="1"/>` }),
      });
      const { save, pull, texts, actions } = await aPuller(sql());
      await save({ url: feed.url });
      await pull();
      await pull();
      expect([await texts(), await actions()]).toEqual([[], ['pull_failed', 'pull_failed']]);
      await pull();
      expect(await texts()).toEqual(bold('a'));
    });

    it('that is long comes in several runs and loses nothing', async () => {
      const feed = await aSite(rss());
      feed.set({ headers: { etag: '"x"' } });
      const { save, pull, texts, runs } = await aPuller(sql());
      await save({ url: feed.url, max_items: 2 });
      await pull();
      feed.set({ body: rss(...['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }))), headers: { etag: '"y"' } });
      await pull();
      expect(await texts()).toEqual(bold('a', 'b', 'c', 'd', 'e'));
      expect((await runs()).map(({ stats }) => stats.accepted)).toEqual([0, 2, 2, 1]);
    });
  });

  describe('a feed that cannot be read', () => {
    const cases: [why: string, body: string, status: number, code: string][] = [
      ['broken XML', '<rss version="2.0"><channel><item><title>x', 200, 'SOURCE_UNREADABLE'],
      ['a page', '<!doctype html><html><body>Войдите</body></html>', 200, 'SOURCE_UNREADABLE'],
      ['nothing', '', 200, 'SOURCE_UNREADABLE'],
      ['an error', 'no', 500, 'SOURCE_UNREADABLE'],
      ['more than anybody reads', 'x'.repeat(200_000), 200, 'ANSWER_TOO_LARGE'],
    ];
    it.each(cases)('%s is noted, and it is asked less and less often', async (_, body, status, code) => {
      const feed = await aSite();
      feed.set({ body, status });
      const { save, pull, runs, actions, source, texts } = await aPuller(sql());
      await save({ url: feed.url, every_seconds: 100 });
      await pull();
      expect((await source())?.next_in).toBeLessThan(105);
      await pull();
      expect((await source())?.next_in).toBeGreaterThan(150);
      expect((await runs()).map(({ stats }) => stats.error)).toEqual([code, code]);
      expect(await actions()).toEqual(['pull_failed', 'pull_failed']);
      feed.set({ body: rss({ id: 'a' }), status: 200 });
      await pull();
      expect(await texts()).toEqual(bold('a'));
      expect((await source())?.failures).toBe(0);
    });

    it('on a private address is refused, unless such addresses are allowed', async () => {
      const feed = await aSite(rss({ id: 'a' }));
      const { save, pull, runs } = await aPuller(sql(), { allowPrivate: false });
      await save({ url: feed.url });
      await pull();
      expect((await runs())[0]?.stats.error).toBe('ADDRESS_REFUSED');
      expect(feed.asked).toEqual([]);
    });

    it('because of its settings says so, and others are read all the same', async () => {
      const feed = await aSite(rss({ id: 'a' }));
      const { save, pull, texts, runs } = await aPuller(sql());
      await save({ url: 'nowhere', every_seconds: 1 }, { sourceId: 'wrong' });
      await save({ url: feed.url });
      await pull();
      expect(await texts()).toEqual(bold('a'));
      expect((await runs()).map(({ stats }) => stats.error).filter(Boolean)).toEqual(['SOURCE_UNREADABLE']);
    });
  });

  describe('a crash', () => {
    it('between the reading and the keeping neither loses nor repeats an entry', async () => {
      const feed = await aSite(rss());
      let crashAt = Number.POSITIVE_INFINITY;
      let taken = 0;
      const enqueue = makeEnqueue(sql());
      const crashing: typeof enqueue = async (...call) => {
        const enqueued = await enqueue(...call);
        taken += 1;
        if (taken === crashAt) throw new Error('killed');
        return enqueued;
      };
      const { save, pull, texts } = await aPuller(sql(), { enqueue: crashing });
      await save({ url: feed.url });
      await pull();
      crashAt = 2;
      feed.set({ body: rss({ id: 'c' }, { id: 'b' }, { id: 'a' }), headers: { etag: '"1"' } });
      await pull();
      expect(await texts()).toEqual(bold('a'));
      await pull();
      expect(await texts()).toEqual(bold('a', 'b', 'c'));
    });

    it('leaves the source to others when its lease is over, and what comes late is not believed', async () => {
      const feed = await aSite(rss({ id: 'a' }));
      const { id, save, sources, pull, texts } = await aPuller(sql());
      await save({ url: feed.url });
      const dead = await sources.claimDue();
      await sql()`update pull_sources set lease_until = now() - interval '1 s' where workspace_id = ${id}`;
      await pull();
      expect(await texts()).toEqual(bold('a'));
      await expect(sources.advance(dead!, {}, async () => {})).rejects.toThrow('taken over');
    });
  });

  it('is read by one process at a time', async () => {
    const feed = await aSite(rss({ id: 'a' }));
    const { save, sources } = await aPuller(sql());
    await save({ url: feed.url });
    const claims = await Promise.all([sources.claimDue(), sources.claimDue(), sources.claimDue()]);
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    await sources.giveBack(claims.find((claim) => claim !== null)!);
    expect(await sources.claimDue()).toMatchObject({ sourceId: 'feed' });
  });

  it('goes on by itself until it is stopped', async () => {
    const feed = await aSite(rss({ id: 'a' }));
    const { save, puller, texts, source } = await aPuller(sql());
    await save({ url: feed.url });
    puller.start();
    await expect.poll(texts).toEqual(bold('a'));
    await puller.stop();
    expect((await source())?.lease_token).toBeNull();
  });

  it('begins anew when its address changes, and not when its pace does', async () => {
    const [one, two] = [
      await aSite(rss({ id: 'a' })),
      await aSite(rss({ id: 'z', at: '2026-01-02' }, { id: 'y', at: '2026-01-01' })),
    ];
    const { save, pull, texts, cursor } = await aPuller(sql());
    await save({ url: one.url });
    await pull();
    await save({ url: one.url, every_seconds: 60 });
    expect(await cursor()).toMatchObject({ begun: true });
    await save({ url: two.url });
    expect(await cursor()).toEqual({});
    await pull();
    expect(await texts()).toEqual(bold('a', 'z'));
  });

  describe('an API', () => {
    it('is read by the paths of its settings, with headers that are sealed', async () => {
      const answer = (...ids: number[]) => ({
        data: {
          list: ids.map((id) => ({
            id,
            meta: { title: `Пост ${id}` },
            tags: ['ru'],
            url: `https://a.example/${id}`,
          })),
        },
      });
      const feed = await aSite(JSON.stringify(answer(1)));
      const { save, pull, texts, source, cursor, id } = await aPuller(sql());
      const map = { id: 'id', text: 'meta.title', links: 'url', tags: 'tags' };
      const secret = { headers: { 'x-key': 'open-sesame' } };
      await save(
        { url: `${feed.url}?after={last_seen_id}`, items: 'data.list', map },
        { kind: 'api', secret },
      );
      await pull();
      feed.set({ body: JSON.stringify(answer(3, 2, 1)) });
      await pull();
      expect(await texts()).toEqual([1, 2, 3].map((n) => `Пост ${n}\n\nhttps://a.example/${n}`));
      expect(feed.asked.map((headers) => headers['x-key'])).toEqual(['open-sesame', 'open-sesame']);
      expect((await source())?.sealed_secret).not.toContain('sesame');
      expect(await cursor()).toMatchObject({ last_seen_id: '3' });
      const [{ tags } = { tags: [] }] = await sql()<
        { tags: string[] }[]
      >`select tags from messages where workspace_id = ${id}`;
      expect(tags).toEqual(['ru']);
    });

    it('with items that are no posts leaves them out', async () => {
      const items = [{ id: 'a\u0000', text: 'Пост\u0000' }, { id: 'b', text: 5 }, { text: 'no id' }, null];
      const feed = await aSite(JSON.stringify(items));
      const { id, save, pull, texts, runs } = await aPuller(sql());
      await save({ url: feed.url, first_items: 10, map: { id: 'id', text: 'text' } }, { kind: 'api' });
      await pull();
      expect(await texts()).toEqual(['Пост']);
      expect((await runs())[0]?.stats).toMatchObject({ found: 2, accepted: 1, invalid: 1 });
      const told = (await makeConditions(sql()).unpostable()).find(({ workspaceId }) => workspaceId === id);
      const message = 'text: нужен текст в кавычках';
      expect(told).toMatchObject({ amount: 1, cases: [{ id: 'feed', code: 'unpostable', message }] });
    });

    it('with an item that suits no channel tells of it', async () => {
      const feed = await aSite(JSON.stringify([{ id: 'a', text: 'Текст' }]));
      const { id, save, pull, saveChannel } = await aPuller(sql());
      await saveChannel('c1', { sendMode: 'media' });
      await save({ url: feed.url, map: { id: 'id', text: 'text' } }, { kind: 'api' });
      await pull();
      const told = (await makeConditions(sql()).unpostable()).find(({ workspaceId }) => workspaceId === id);
      expect(told).toMatchObject({ amount: 1, cases: [{ id: 'feed', code: 'suits_no_channel' }] });
    });

    it('of whose items none has a name is told of, and not taken for an empty one', async () => {
      const feed = await aSite(JSON.stringify([{ key: 1, text: 'Пост' }]));
      const { save, pull, runs } = await aPuller(sql());
      await save({ url: feed.url, map: { id: 'id', text: 'text' } }, { kind: 'api' });
      await pull();
      expect((await runs())[0]?.stats.error).toBe('SOURCE_UNREADABLE');
    });
  });

  describe.skipIf(kind === 'PGlite')('a table', () => {
    it('is read from its last row on, to the microsecond, and cannot be written to', async () => {
      const url = await freshPostgresUrl();
      const theirs = await openDatabase({ url, dataDir: '' });
      await theirs.sql`create table news (id bigint, at timestamptz, body text, pics text[])`;
      const add = (id: number, at: string) =>
        theirs.sql`insert into news values (${id}, ${at}::text::timestamptz, ${`Новость ${id}`})`;
      const { save, pull, texts, runs, cursor } = await aPuller(sql());
      const config = {
        query: 'select id, at as ts, body as text, pics as media from news -- all',
        max_items: 2,
      };
      await save(config, { kind: 'db', secret: { url } });
      await add(1, '2026-01-01 00:00:00.000001Z');
      await add(2, '2026-01-01 00:00:00.000002Z');
      await pull();
      await theirs.sql`insert into news (id, body) values (3, 'Без даты')`;
      for (const id of [9, 10, 11]) await add(id, '2026-01-01 00:00:00.000003Z');
      await pull();
      await pull();
      expect(await texts()).toEqual([2, 9, 10, 11].map((id) => `Новость ${id}`));
      expect((await runs()).map(({ stats }) => stats.found)).toEqual([1, 3, 1, 0]);
      expect(await cursor()).toMatchObject({ last_seen_id: '11' });

      await save(
        { query: 'with gone as (delete from news returning *) select id, body as text from gone' },
        { kind: 'db' },
      );
      await pull();
      await save({ query: 'select 1 as id, pg_sleep(30)::text as text' }, { kind: 'db' });
      await pull();
      await save({ query: 'select body as text from news' }, { kind: 'db' });
      await pull();
      expect((await runs()).slice(-3).map(({ stats }) => stats.error)).toEqual(Array(3).fill('PULL_FAILED'));
      expect(await theirs.sql`select from news`).toHaveLength(6);
      await theirs.close();
    });

    it('brings a row whose transaction took longer than that of the row after it, once', async () => {
      const url = await freshPostgresUrl();
      const theirs = await openDatabase({ url, dataDir: '' });
      await theirs.sql`create table news (id bigserial, body text)`;
      const add = (on: Sql | TransactionSql, body: string) => on`insert into news (body) values (${body})`;
      const { save, pull, texts, cursor } = await aPuller(sql());
      await save({ query: 'select id, body as text from news' }, { kind: 'db', secret: { url } });
      await add(theirs.sql, 'Первая');
      await pull();
      await theirs.sql.begin(async (slow) => {
        await add(slow, 'Вторая');
        await add(theirs.sql, 'Третья');
        await pull();
      });
      await pull();
      await pull();
      expect(await texts()).toEqual(['Первая', 'Третья', 'Вторая']);
      expect(await cursor()).toMatchObject({ last_seen_id: '3' });
      await theirs.close();
    });

    it('on a private address is refused, unless such addresses are allowed', async () => {
      const { save, pull, runs } = await aPuller(sql(), { allowPrivate: false });
      await save({ query: 'select 1 as id' }, { kind: 'db', secret: { url: await freshPostgresUrl() } });
      await pull();
      expect((await runs())[0]?.stats.error).toBe('ADDRESS_REFUSED');
    });
  });
});

/** Cyrillic and ASCII: as much of it as the test needs. */
const toWindows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code;
    }),
  );
