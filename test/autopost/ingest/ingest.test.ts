import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forEachDatabase, freshDatabase } from '../../support/stores.ts';
import { anEntrance, png, site } from './an-entrance.ts';

const MB = 1024 * 1024;

forEachDatabase((sql, kind) => {
  describe('a pushed post', () => {
    it('is taken and queued for every channel, laid out as its adapters want it', async () => {
      const { send, deliveries, rings, messages, stats } = await anEntrance(sql());
      const { status, answer } = await send({
        text: '  Скидки   на окна ',
        tags: ['Окна'],
        source_ref: 'a-1',
      });
      expect(status).toBe(202);
      expect(answer).toEqual({
        message_id: expect.any(String),
        queued: 2,
        suppressed: 0,
        rejected: 0,
        trace_id: expect.any(String),
      });
      expect(rings.count).toBe(1);
      const plain = { hasText: true, items: [], buttons: [] };
      const layout = { format: null, disablePreview: false, steps: [plain], parse_mode: 'None' };
      expect(await deliveries()).toEqual([
        { channel_id: 'max', status: 'queued', text: 'Скидки на окна', meta: { platform: 'max', ...layout } },
        {
          channel_id: 'tg',
          status: 'queued',
          text: 'Скидки на окна',
          meta: { platform: 'telegram', ...layout },
        },
      ]);
      expect(await messages()).toMatchObject([
        {
          payload: { type: 'text', text: 'Скидки на окна' },
          tags: ['окна'],
          source_ref: 'a-1',
          normalization_version: 1,
        },
      ]);
      expect(await stats()).toEqual({ accepted: 1 });
    });

    it('belongs to the workspace of its key, whatever the body says', async () => {
      const [ours, theirs] = [await anEntrance(sql()), await anEntrance(sql())];
      expect((await ours.send({ text: 'Скидки', workspace_id: theirs.id })).status).toBe(202);
      expect([await ours.messages(), await theirs.messages()].map(({ length }) => length)).toEqual([1, 0]);
    });

    it('shows its links behind the text, in its own markup, and keeps the marks by which the sender counts', async () => {
      const { send, deliveries, messages } = await anEntrance(sql());
      const links = [
        'https://Shop.example/sale_now/?b=2&a=1&utm_source=tg#top',
        'https://shop.example/known/',
      ];
      const text = '<b>Скидки</b> <a href="https://shop.example/known">здесь</a>';
      await send({ text, links, parse_mode: 'HTML' });
      const shown = 'https://shop.example/sale_now/?b=2&amp;a=1&amp;utm_source=tg#top';
      for (const delivery of await deliveries())
        expect(delivery.text).toBe(`${text}\n\n<a href="${shown}">${shown}</a>`);
      expect((await messages())[0]?.payload.links).toEqual(['https://shop.example/sale_now?a=1&b=2']);
    });

    it('keeps its pictures, in their order, and is the same post when they stand elsewhere', async () => {
      const { send, messages, files, deliveries } = await anEntrance(sql());
      const base = await site((request, response) =>
        response.end(Buffer.concat([png, Buffer.from(request.url?.at(-1) ?? '')])),
      );
      const album = (...names: string[]) => names.map((name) => ({ type: 'image', url: `${base}/${name}` }));
      expect(await send({ text: 'Букеты', media: album('a/1', 'a/2') })).toMatchObject({
        answer: { queued: 2 },
      });
      expect(await send({ text: 'Букеты', media: album('b/1', 'b/2') })).toMatchObject({
        answer: { suppressed: 2 },
      });
      expect(await send({ text: 'Букеты', media: album('a/2', 'a/1') })).toMatchObject({
        answer: { queued: 2 },
      });
      expect(files.size).toBe(2);
      const [first] = await messages();
      expect(first?.payload).toMatchObject({ type: 'media', media: [{ type: 'image' }, { type: 'image' }] });
      expect(JSON.stringify(first?.payload)).not.toContain(base);
      const items = [0, 1].map((index) => ({ index, type: 'image', caption: '' }));
      expect((await deliveries())[0]?.meta.steps).toEqual([{ hasText: true, items, buttons: [] }]);
    });

    it('is told which platform cannot take it, and why', async () => {
      const { send, statuses } = await anEntrance(sql());
      const { status, answer } = await send({ text: 'я'.repeat(4_001) });
      expect(status).toBe(202);
      expect(answer).toMatchObject({
        queued: 1,
        rejected: 1,
        rejections: [
          { platform: 'max', reason: 'Текст слишком длинный: 4\u2009001 символ, можно до 4\u2009000.' },
        ],
      });
      expect((await statuses()).sort()).toEqual(['failed_permanent', 'queued']);
    });

    it('is told when a channel takes no such posts', async () => {
      const { send, saveChannel } = await anEntrance(sql());
      await saveChannel('tg', { sendMode: 'media' });
      expect((await send({ text: 'Скидки' })).answer.rejections).toEqual([
        { platform: 'telegram', reason: 'Канал принимает только посты с вложениями.' },
      ]);
    });
  });

  describe('a post that names no markup', () => {
    const inHtml = { settings: { parse_mode: 'HTML' } };

    it('is read as each channel reads its posts, and is one post', async () => {
      const { send, saveChannel, deliveries, messages } = await anEntrance(sql());
      await saveChannel('html', { targetId: '@html', ...inHtml });
      await saveChannel('markdown', { platform: 'max', settings: { parse_mode: 'Markdown' } });
      expect((await send({ text: '<b>Скидки</b> *сегодня*' })).answer).toMatchObject({ queued: 4 });
      const sent = (await deliveries()).map(({ channel_id, text, meta }) => [channel_id, text, meta.format]);
      expect(sent.sort()).toEqual([
        ['html', '<b>Скидки</b> *сегодня*', 'html'],
        ['markdown', '<b>Скидки</b> *сегодня*', 'markdown'],
        ['max', '<b>Скидки</b> *сегодня*', null],
        ['tg', '<b>Скидки</b> *сегодня*', null],
      ]);
      expect(await messages()).toHaveLength(1);
    });

    it('is refused by the channel whose markup it breaks, and by no other', async () => {
      const { send, saveChannel } = await anEntrance(sql());
      await saveChannel('tg', inHtml);
      expect((await send({ text: '5 < 7' })).answer).toMatchObject({
        queued: 1,
        rejections: [{ platform: 'telegram', reason: expect.stringContaining('Ошибка в разметке') }],
      });
    });

    it('is not one that names its own, or says that it has none', async () => {
      const { send, saveChannel, deliveries } = await anEntrance(sql());
      await saveChannel('tg', inHtml);
      await send({ text: '5 < 7', parse_mode: 'None' });
      await send({ text: '**Скидки** < 7', parse_mode: 'Markdown' });
      const sent = (await deliveries()).filter(({ channel_id }) => channel_id === 'tg');
      expect(sent.map(({ text, meta }) => [text, meta.format])).toEqual([
        ['5 < 7', null],
        ['<b>Скидки</b> &lt; 7', 'html'],
      ]);
    });
  });

  describe('what a platform cannot take', () => {
    const cases: [why: string, body: object, rejected: string[]][] = [
      ['text over 4096', { text: 'я'.repeat(4_097) }, ['max', 'telegram']],
      ['HTML that is not closed', { text: '<b>Скидки', parse_mode: 'HTML' }, ['max', 'telegram']],
      ['HTML with an unknown tag', { text: '<h7>Скидки</h7>', parse_mode: 'HTML' }, ['max', 'telegram']],
      ['Markdown with a loose mark', { text: '**Скидки', parse_mode: 'Markdown' }, ['max', 'telegram']],
    ];
    it.each(cases)('is rejected there and sent nowhere: %s', async (_, body, rejected) => {
      const { send } = await anEntrance(sql());
      const { status, answer } = await send(body);
      expect([status, answer.rejected]).toEqual([202, rejected.length]);
      expect((answer.rejections as { platform: string }[]).map(({ platform }) => platform).sort()).toEqual(
        rejected,
      );
    });

    it.each([
      ['eleven pictures', { amount: 11, caption: '' }, ['telegram']],
      ['a caption over 1024', { amount: 1, caption: 'я'.repeat(1_025) }, ['telegram']],
    ])('is rejected there: %s', async (_, { amount, caption }, rejected) => {
      const { send } = await anEntrance(sql());
      const base = await site((_, response) => response.end(png));
      const media = Array.from({ length: amount }, () => ({ type: 'image', url: `${base}/1.png`, caption }));
      const { answer } = await send({ text: 'Букеты', media });
      expect((answer.rejections as { platform: string }[]).map(({ platform }) => platform)).toEqual(rejected);
      expect(answer.queued).toBe(1);
      if (caption) expect(JSON.stringify(answer)).toContain('Подпись слишком длинная: 1\u2009025 символов');
    });
  });

  describe('a request that is turned away', () => {
    it('has no key, a wrong one, or one that was switched off', async () => {
      const { send, workspaces, id } = await anEntrance(sql());
      expect((await send({ text: 'x' }, { authorization: '' })).status).toBe(401);
      expect((await send({ text: 'x' }, { authorization: 'Bearer guess' })).status).toBe(401);
      expect((await send('{', { authorization: 'Bearer guess' })).status).toBe(401);
      expect((await send({ text: 'known from now on' })).status).toBe(202);
      await sql()`update workspace_endpoints set enabled = false where workspace_id = ${id}`;
      expect((await send({ text: 'x' })).status).toBe(401);
      await sql()`update workspace_endpoints set enabled = true where workspace_id = ${id}`;
      await workspaces.save(id, 'Окна Плюс', 'disabled');
      expect((await send({ text: 'x' })).status).toBe(401);
    });

    it('is larger than its key allows, and leaves its event', async () => {
      const { send, actions, stats } = await anEntrance(sql(), { maxPayloadBytes: 100 });
      expect((await send({ text: 'я'.repeat(100) })).status).toBe(413);
      expect(await actions()).toEqual(['ingress_payload_rejected']);
      expect(await stats()).toEqual({ payload_rejected: 1 });
    });

    it('is larger than anything that is read', async () => {
      const { send, actions } = await anEntrance(sql(), { maxPayloadBytes: 10 * MB });
      expect((await send({ text: 'x'.repeat(2 * MB) })).status).toBe(413);
      expect(await actions()).toEqual(['ingress_payload_rejected']);
    });

    it('goes on without an end', async () => {
      const { base, secret, actions } = await anEntrance(sql());
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const endless = httpRequest(`${base}/api/ingest`, { method: 'POST', headers });
      endless.on('error', () => {}); // the server hangs up on it
      const answered = once(endless, 'response');
      const more = setInterval(() => endless.write('x'.repeat(100_000)), 1);
      onTestFinished(() => clearInterval(more));
      const [response] = await answered;
      expect(response.statusCode).toBe(413);
      expect(await actions()).toEqual(['ingress_payload_rejected']);
    });

    it.each([
      [1, '1'],
      [0.1, '10'],
    ])('comes more often than %d a second, and is told when to come again', async (ingressRps, seconds) => {
      const { send, actions, stats } = await anEntrance(sql(), { ingressRps });
      expect((await send({ text: 'one' })).status).toBe(202);
      const second = await send({ text: 'two' });
      expect([second.status, second.retryAfter]).toEqual([429, seconds]);
      expect(await actions()).toContain('ingress_rate_limited');
      expect(await stats()).toEqual({ accepted: 1, rate_limited: 1 });
    });

    it.each([
      ['of a stranger is turned away before its body is read', 'no-such-secret', 401],
      ['takes too long is turned away too', null, 408],
    ])('%s', async (_, stranger, status) => {
      const { base, secret, errors, stats } = await anEntrance(sql(), { bodyWithinMs: 100 });
      const client = connect(Number(new URL(base).port), '127.0.0.1');
      const head = `POST /api/ingest HTTP/1.1\r\nHost: bot\r\nAuthorization: Bearer ${stranger ?? secret}\r\n`;
      // Five hundred bytes are promised and eight come: an answer can only come before the rest.
      client.write(`${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"text":`);
      const [answer] = await once(client, 'data');
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
      client.destroy();
      expect([errors, await stats()]).toEqual([[], {}]);
    });

    it('breaks off, which is no error of ours', async () => {
      const { base, secret, errors, send } = await anEntrance(sql());
      const client = connect(Number(new URL(base).port), '127.0.0.1');
      const head = `POST /api/ingest HTTP/1.1\r\nHost: bot\r\nAuthorization: Bearer ${secret}\r\n`;
      client.write(`${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"text":`, () =>
        client.destroy(),
      );
      await once(client, 'close');
      expect((await send({ text: 'one' })).status).toBe(202);
      expect(errors).toEqual([]);
    });

    it('is not JSON', async () => {
      const { send, errors } = await anEntrance(sql());
      expect((await send('text=hello', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
        415,
      );
      expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
      for (const body of [
        '{"text": ',
        '',
        'null',
        '[]',
        '"x"',
        '{}',
        '{"text": "\u200b"}',
        Buffer.from([0x7b, 0xff, 0x7d]),
      ])
        expect((await send(body)).status).toBe(400);
      expect(errors).toEqual([]);
    });

    it('hears of everything that is wrong with it at once', async () => {
      const { send, messages, stats } = await anEntrance(sql());
      const { status, answer } = await send({
        text: 5,
        media: [{ type: 'hologram', url: 'ftp://x' }],
        links: ['нет'],
        tags: 'a',
        source_ref: 'a\u0000b',
        parse_mode: 'BBCode',
      });
      expect(status).toBe(400);
      expect(answer.problems).toContainEqual({ field: 'text', problem: 'нужен текст в кавычках' });
      expect(answer.problems).toContainEqual({
        field: 'parse_mode',
        problem: 'нужно одно из: HTML, Markdown, None',
      });
      expect((answer.problems as { field: string }[]).map(({ field }) => field).sort()).toEqual(
        ['links.0', 'media.0.type', 'media.0.url', 'parse_mode', 'source_ref', 'tags', 'text'].sort(),
      );
      expect(await messages()).toEqual([]);
      expect(await stats()).toEqual({ invalid: 1 });
    });
  });

  describe('characters that no database keeps', () => {
    it('are dropped from a text, and never break the request', async () => {
      const { send, messages, errors } = await anEntrance(sql());
      const deep = `{"text": "deep", "extra": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      expect((await send(deep)).status).toBe(202);
      const nasty = '{"text": "a\\u0000b \\ud800 c", "tags": ["x\\u0000y"], "extra": "\\u0000"}';
      expect((await send(nasty)).status).toBe(202);
      expect(await messages()).toMatchObject([
        { payload: { text: 'deep' } },
        { payload: { text: 'ab \ufffd c' }, tags: ['xy'] },
      ]);
      expect(errors).toEqual([]);
    });
  });

  describe('a repeat', () => {
    it('with the same reference is dropped without an error', async () => {
      const { send, stats, actions } = await anEntrance(sql());
      expect((await send({ text: 'one', source_ref: 7 })).status).toBe(202);
      const { status, answer } = await send({ text: 'another', source_ref: '7' });
      expect([status, answer.dropped]).toEqual([200, 'duplicate']);
      expect(await stats()).toEqual({ accepted: 1, dedup_dropped: 1 });
      expect(await actions()).toContain('ingress_dedup_dropped');
    });

    it('without a reference is dropped within seconds, however it is spaced', async () => {
      const { send } = await anEntrance(sql());
      expect((await send('{"text":"one"}')).status).toBe(202);
      expect(await send('{ "text": "one" }')).toMatchObject({
        status: 200,
        answer: { dropped: 'duplicate' },
      });
    });

    it('that comes at the same moment makes one message', async () => {
      const { send, messages, statuses } = await anEntrance(sql());
      const all = await Promise.all(Array.from({ length: 6 }, () => send({ text: 'one', source_ref: 'x' })));
      expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 202]);
      expect([await messages(), await statuses()].map(({ length }) => length)).toEqual([1, 2]);
    });

    it('with files that comes at the same moment makes one message', async () => {
      const { send, messages } = await anEntrance(sql());
      const url = `${await site((_, response) => response.end(png))}/1.png`;
      const body = { text: 'one', source_ref: 'x', media: [{ type: 'image', url }] };
      const all = await Promise.all([send(body), send(body), send(body)]);
      expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 202]);
      expect(await messages()).toHaveLength(1);
    });

    it('of what was wrong before is taken once it is right', async () => {
      const { send } = await anEntrance(sql());
      expect((await send({ text: 5, source_ref: 'x' })).status).toBe(400);
      expect((await send({ text: 5, source_ref: 'x' })).status).toBe(400);
      expect((await send({ text: 'five', source_ref: 'x' })).status).toBe(202);
    });

    it('is asked for when the database is away', async () => {
      const away = await freshDatabase(kind);
      const { send, errors } = await anEntrance(away.sql);
      await away.close();
      expect(await send({ text: 'one' })).toMatchObject({ status: 503, answer: { error: 'unavailable' } });
      expect(errors).toEqual([]);
    });

    it('of what failed in the database is taken when the database can', async () => {
      const { send, id, errors } = await anEntrance(sql());
      await sql().unsafe(`
        create function no_${id.replaceAll('-', '')}() returns trigger language plpgsql as $$
        begin raise exception 'shutting down' using errcode = '57P01'; end $$;
        create trigger away before insert on messages for each row when (new.workspace_id = '${id}')
        execute function no_${id.replaceAll('-', '')}()`);
      const body = { text: 'one', source_ref: 'x' };
      expect(await send(body)).toMatchObject({ status: 503, retryAfter: '5' });
      await sql().unsafe('drop trigger away on messages');
      expect((await send(body)).status).toBe(202);
      expect(errors).toEqual([]);
    });
  });

  describe('a file that cannot be had', () => {
    const withPicture = (url: string) => ({
      text: 'Букеты',
      source_ref: randomUUID(),
      media: [{ type: 'image', url }],
    });

    it('is named, and the request is taken once the file is there', async () => {
      const { send, messages, stats } = await anEntrance(sql());
      let status = 404;
      const base = await site((_, response) => response.writeHead(status).end(png));
      const body = withPicture(`${base}/1.png`);
      expect(await send(body)).toMatchObject({
        status: 422,
        answer: { error: 'media_unavailable', url: `${base}/1.png` },
      });
      status = 500;
      expect(await send(body)).toMatchObject({ status: 503, retryAfter: '5', answer: { retryable: true } });
      expect(await messages()).toEqual([]);
      status = 200;
      expect((await send(body)).status).toBe(202);
      expect(await stats()).toEqual({ accepted: 1, media_unavailable: 2 });
    });

    it('stands on a private address', async () => {
      const { send } = await anEntrance(sql(), { allowPrivate: false });
      const base = await site((_, response) => response.end(png));
      expect(await send(withPicture(`${base}/1.png`))).toMatchObject({
        status: 422,
        answer: { retryable: false },
      });
    });
  });

  it('answers that another method is not for this address, and leaves other addresses alone', async () => {
    const { base } = await anEntrance(sql());
    expect((await fetch(`${base}/api/ingest`)).status).toBe(405);
    expect((await fetch(`${base}/api/other`)).status).toBe(404);
  });
});
