import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMax } from '../../src/platforms/max/client.ts';
import { createTelegramChannels } from '../../src/platforms/telegram/client.ts';
import { demoBots, demoChannels } from '../../src/sandbox/demo-channels.ts';
import { type MaxStandIn, startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { openSandboxChannels, type SandboxChannels } from '../../src/sandbox/sandbox-channels.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { tinyPng } from './tiny-png.ts';

const picture = tinyPng(8, 6);

let folder: string;
let telegram: TelegramStandIn;
let max: MaxStandIn;
let channels: SandboxChannels;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seo-master-channels-'));
  await start();
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

describe('the channels of the sandbox', () => {
  it('are forty, empty and working, and the demo bots may write to them', async () => {
    const all = [...channels.list('telegram'), ...channels.list('max')];
    expect(all.map(({ id, posts, mood }) => ({ id, posts, mood }))).toEqual(
      demoChannels.map(({ channelId }) => ({ id: channelId, posts: 0, mood: 'calm' })),
    );
    await write('telegram', 24, 'Всем привет');
    await write('max', 16, 'Всем привет');
    expect(channels.list('telegram')[23]).toMatchObject({ posts: 1, newest: [{ text: 'Всем привет' }] });
    expect(channels.list('max')[15]).toMatchObject({ posts: 1, newest: [{ text: 'Всем привет' }] });
  });

  it('show posts as readers see them: marks, not tags; the newest first', async () => {
    for (const platform of ['telegram', 'max'] as const) {
      await write(platform, 1, '<b>Открыли</b> набережную');
      await write(platform, 1, 'Ещё &amp; ещё');
      const [first] = channels.list(platform);
      expect(first?.newest.map(({ text }) => text)).toEqual(['Ещё & ещё', 'Открыли набережную']);
      expect(first?.newest[1]?.entities).toEqual([{ type: 'bold', offset: 0, length: 7 }]);
    }
  });

  it('show an album as one post with its pictures, and a picture of MAX with its bytes', async () => {
    await album();
    const [first] = channels.list('telegram');
    expect(first).toMatchObject({ posts: 1, newest: [{ text: 'Альбом' }] });
    expect(first?.newest[0]?.pictures).toHaveLength(2);

    await pictureToMax();
    const [address] = channels.list('max')[0]?.newest[0]?.pictures ?? [];
    expect(channels.file(address!.split('/').at(-1)!)?.bytes.equals(picture)).toBe(true);
  });

  it('survive a restart with every post, picture and bot', async () => {
    await write('telegram', 2, 'До перезапуска');
    await pictureToMax();
    const before = [channels.list('telegram'), channels.list('max')];
    await stop();
    await start();
    expect([channels.list('telegram'), channels.list('max')]).toEqual(before);
    const [address] = channels.list('max')[0]?.newest[0]?.pictures ?? [];
    expect(channels.file(address!.split('/').at(-1)!)?.bytes.equals(picture)).toBe(true);
    await write('max', 1, 'После перезапуска');
    expect(channels.list('max')[0]?.posts).toBe(2);
  });

  it('misbehave one at a time, and say how', async () => {
    expect(channels.setMood('telegram-03', 'forbidden')).toBe(true);
    expect(channels.setMood('max-03', 'wait')).toBe(true);
    expect(channels.setMood('max-99', 'wait')).toBe(false);
    expect(channels.list('telegram')[2]?.mood).toBe('forbidden');
    await expect(write('telegram', 3, 'Пост')).rejects.toThrow('administrator rights');
    await expect(write('max', 3, 'Пост')).rejects.toMatchObject({ status: 429, retryAfterMs: 10_000 });
    expect(channels.list('max')[2]?.mood, 'asked to wait once').toBe('calm');
    channels.setMood('telegram-03', 'calm');
    await write('telegram', 3, 'Пост');
    expect(channels.list('telegram')[2]).toMatchObject({ posts: 1, mood: 'calm' });
  });

  it('are there again, empty, after everything was reset', async () => {
    await write('telegram', 1, 'Пост');
    await write('max', 1, 'Пост');
    channels.setMood('max-01', 'lost');
    telegram.people.resetAll();
    channels.reset();
    expect([...channels.list('telegram'), ...channels.list('max')].filter(({ posts }) => posts > 0)).toEqual(
      [],
    );
    await write('telegram', 1, 'Снова');
    await write('max', 1, 'Снова');
  });
});

async function start(): Promise<void> {
  telegram = await startTelegramStandIn({ token: '123456:own', journal: join(folder, 'telegram.jsonl') });
  max = await startMaxStandIn({ journal: join(folder, 'max.jsonl') });
  channels = openSandboxChannels({ telegram, max });
}

async function stop(): Promise<void> {
  await Promise.all([telegram.close(), max.close()]);
}

const targetOf = (platform: 'telegram' | 'max', place: number) =>
  demoChannels.filter((channel) => channel.platform === platform)[place - 1]!.targetId;

async function write(platform: 'telegram' | 'max', place: number, text: string): Promise<void> {
  const target = targetOf(platform, place);
  if (platform === 'max') {
    await toMax().send(demoBots.max.token, { chatId: target }, { text, format: 'html' });
    return;
  }
  const fields = { chat_id: target, text, parse_mode: 'HTML' };
  await toTelegram().create(demoBots.telegram.token, { method: 'sendMessage', fields, files: new Map() });
}

async function album(): Promise<void> {
  const upload = { bytes: picture, fileName: 'a.png', contentType: 'image/png' };
  const media = [
    { type: 'photo', media: 'attach://a', caption: 'Альбом' },
    { type: 'photo', media: 'attach://b' },
  ];
  await toTelegram().create(demoBots.telegram.token, {
    method: 'sendMediaGroup',
    fields: { chat_id: targetOf('telegram', 1), media },
    files: new Map([
      ['a', upload],
      ['b', upload],
    ]),
  });
}

async function pictureToMax(): Promise<void> {
  const { token } = demoBots.max;
  const file = { bytes: picture, fileName: 'a.png', contentType: 'image/png' };
  const uploaded = await toMax().upload(token, 'image', file);
  const attachments = [{ type: 'image', payload: { token: uploaded } }];
  await toMax().send(token, { chatId: targetOf('max', 1) }, { text: null, attachments });
}

const toTelegram = () => createTelegramChannels({ apiRoot: telegram.url });
const toMax = () => createMax({ baseUrl: max.url });
