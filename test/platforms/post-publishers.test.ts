import { pino } from 'pino';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createMax } from '../../src/platforms/max/client.ts';
import { makeMaxAdapter } from '../../src/platforms/max/publish.ts';
import { makeMaxPublisher } from '../../src/platforms/max/publisher.ts';
import { createPinterest } from '../../src/platforms/pinterest/client.ts';
import { makePinterestPublisher } from '../../src/platforms/pinterest/publisher.ts';
import type { PostCall, PostPublisher, PostToPublish } from '../../src/platforms/post-publisher.ts';
import { createTelegramChannels } from '../../src/platforms/telegram/client.ts';
import { makeTelegramAdapter } from '../../src/platforms/telegram/publish.ts';
import { makeTelegramPublisher } from '../../src/platforms/telegram/publisher.ts';
import { createVk } from '../../src/platforms/vk/client.ts';
import { makeVkPublisher } from '../../src/platforms/vk/publisher.ts';
import type { Connection } from '../../src/store/connections.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { type RecordedRequest, startRecorder } from '../support/recorder.ts';

/** Every request that publishing makes, field by field, as the platforms' documentation has it. */

const log = pino({ level: 'silent' });
const connection = {
  id: 3,
  projectId: 5,
  identifier: 'x',
  metadata: {},
  status: 'active',
} as unknown as Connection;
const post: PostToPublish = {
  text: '<b>Кухни</b> &amp; замер',
  title: 'Кухни: замер',
  link: 'https://kuhni.ru/?utm_source=x',
  alt: 'кухня',
  picture: tinyPng(20, 20),
};
const jpeg = expect.objectContaining({ type: 'image/jpeg', size: expect.any(Number) });

async function recorded(
  answer: (asked: RecordedRequest, url: string) => unknown,
  publisher: (url: string) => PostPublisher,
  credentials: object,
  given: Partial<PostToPublish> = {},
) {
  const steps: string[] = [];
  const recorder: Awaited<ReturnType<typeof startRecorder>> = await startRecorder((asked) => {
    steps.push(asked.path);
    return answer(asked, recorder.url);
  });
  const call: PostCall = {
    idempotencyKey: 'draft:1:publish:0',
    userId: 7,
    signal: new AbortController().signal,
    progress: { sent_items: [], provider_message_ids: [] },
    beforeCall: async () => void steps.push('before'),
    onProgress: async () => undefined,
  };
  const delivery = await publisher(recorder.url).publish(
    connection,
    credentials,
    { ...post, ...given },
    call,
  );
  await recorder.close();
  return { delivery, requests: recorder.requests, steps };
}

const message = { ok: true, result: { message_id: 9, chat: { id: -1001, username: 'kuhni' } } };
const telegram = (url: string) =>
  makeTelegramPublisher(
    makeTelegramAdapter({ telegram: createTelegramChannels({ apiRoot: url }), log }),
    '1:OWN',
  );

describe('a post leaves as the platform takes it', () => {
  it('for Telegram: a photo with its caption, by our own bot where no other was given', async () => {
    const { delivery, requests, steps } = await recorded(() => message, telegram, { channel_id: '-1001' });
    expect(requests).toEqual([
      {
        ...{ method: 'POST', path: '/bot1:OWN/sendPhoto', query: {} },
        headers: { authorization: undefined, 'content-type': 'multipart/form-data' },
        body: { chat_id: '-1001', caption: post.text, parse_mode: 'HTML', photo: jpeg },
      },
    ]);
    expect(steps).toEqual(['before', '/bot1:OWN/sendPhoto']);
    expect(delivery).toMatchObject({ outcome: 'sent', url: 'https://t.me/kuhni/9', providerMessageId: '9' });
  });

  it('for Telegram: a text without a picture, by the person’s bot; a long one behind its photo', async () => {
    const own = { channel_id: '@kuhni', bot_token: '2:THEIRS' };
    const text = await recorded(() => message, telegram, own, { picture: null });
    expect(text.requests).toEqual([
      {
        ...{ method: 'POST', path: '/bot2:THEIRS/sendMessage', query: {} },
        headers: { authorization: undefined, 'content-type': 'application/json' },
        body: { chat_id: '@kuhni', text: post.text, parse_mode: 'HTML' },
      },
    ]);
    const long = await recorded(() => message, telegram, own, { text: `<b>${'я '.repeat(600)}</b>` });
    expect(long.steps).toEqual([
      ...['before', '/bot2:THEIRS/sendPhoto', 'before', '/bot2:THEIRS/sendMessage'],
    ]);
    expect(long.requests[0]!.body).not.toHaveProperty('caption');
  });

  it('for VK: the picture first, then the post with picture, link and key', async () => {
    const answers: Record<string, unknown> = {
      'photos.saveWallPhoto': [{ id: 9, owner_id: -5 }],
      'wall.post': { post_id: 77 },
    };
    const { delivery, requests, steps } = await recorded(
      ({ path }, url) =>
        path === '/up'
          ? { server: 11, photo: '[1]', hash: 'h' }
          : { response: answers[path.split('/').at(-1)!] ?? { upload_url: `${url}/up` } },
      (url) =>
        makeVkPublisher({
          ...{ vk: createVk({ baseUrl: url, siteUrl: 'https://vk.com' }), log },
          remember: async () => undefined,
        }),
      { group_id: '-5', access_token: 'T' },
      { text: 'Кухни & замер' },
    );
    expect(steps).toEqual([
      ...['/method/photos.getWallUploadServer', '/up', '/method/photos.saveWallPhoto', 'before'],
      '/method/wall.post',
    ]);
    expect(requests[1]!.body).toEqual({ photo: jpeg });
    expect(requests.at(-1)!.body).toEqual({
      ...{ owner_id: '-5', from_group: '1', message: 'Кухни & замер', guid: 'draft:1:publish:0' },
      ...{ attachments: `photo-5_9,${post.link}`, access_token: 'T', v: '5.199' },
    });
    expect(delivery).toMatchObject({ url: 'https://vk.com/wall-5_77' });
  });

  it('for Pinterest: a pin with title, text, link and a JPEG of two to three', async () => {
    const { delivery, requests, steps } = await recorded(
      () => ({ id: '813' }),
      (url) =>
        makePinterestPublisher({
          pinterest: createPinterest({
            ...{ baseUrl: url, siteUrl: 'https://www.pinterest.com', appId: 'a', appSecret: 's' },
          }),
          access: async () => ({ token: 'T', boardId: '42' }),
          log,
        }),
      {},
      { text: 'Кухни & замер' },
    );
    expect(steps).toEqual(['before', '/pins']);
    const [{ body, ...asked }] = requests as [RecordedRequest];
    expect(asked).toEqual({
      ...{ method: 'POST', path: '/pins', query: {} },
      headers: { authorization: 'Bearer T', 'content-type': 'application/json' },
    });
    const { media_source: media, ...pin } = body as { media_source: { data: string } };
    expect(pin).toEqual({
      ...{
        board_id: '42',
        title: post.title,
        description: 'Кухни & замер',
        link: post.link,
        alt_text: 'кухня',
      },
    });
    expect(media).toEqual({
      ...{ source_type: 'image_base64', content_type: 'image/jpeg', data: expect.any(String) },
    });
    const { width, height, format } = await sharp(Buffer.from(media.data, 'base64')).metadata();
    expect({ format, ratio: width / height }).toEqual({ format: 'jpeg', ratio: 2 / 3 });
    expect(delivery).toMatchObject({ url: 'https://www.pinterest.com/pin/813/' });
  });

  it('for MAX: the upload first, then the message with its format and the token, the bare token as authorization', async () => {
    const sent = { message: { body: { mid: 'mid.1' }, url: 'https://max.ru/kuhni/1' } };
    const { delivery, requests, steps } = await recorded(
      ({ path }, url) =>
        path === '/uploads'
          ? { url: `${url}/up` }
          : path === '/up'
            ? { photos: { k: { token: 'photo-token' } } }
            : sent,
      (url) =>
        makeMaxPublisher(
          makeMaxAdapter({
            max: createMax({ baseUrl: url }),
            log,
            download: () => Promise.reject(new Error()),
          }),
        ),
      { chat_id: '-70', bot_token: 'T' },
    );
    expect(steps).toEqual(['/uploads', '/up', 'before', '/messages']);
    const [upload, file, made] = requests;
    expect(upload).toMatchObject({
      method: 'POST',
      query: { type: 'image' },
      headers: { authorization: 'T' },
    });
    expect(file).toMatchObject({
      method: 'POST',
      headers: { authorization: undefined },
      body: { data: jpeg },
    });
    expect(made).toEqual({
      ...{ method: 'POST', path: '/messages', query: { chat_id: '-70' } },
      headers: { authorization: 'T', 'content-type': 'application/json' },
      body: {
        ...{ text: post.text, format: 'html' },
        attachments: [{ type: 'image', payload: { token: 'photo-token' } }],
      },
    });
    expect(delivery).toMatchObject({ outcome: 'sent', url: 'https://max.ru/kuhni/1' });
  });
});
