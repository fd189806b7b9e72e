import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { autopostHttp } from '../../src/sandbox/autopost-http.ts';
import type { ChannelMood } from '../../src/sandbox/channel-moods.ts';
import { tinyPng } from './tiny-png.ts';

const picture = tinyPng(8, 6);
let server: Server;
let base: string;
let moods: [channel: string, mood: ChannelMood][];

beforeEach(async () => {
  moods = [];
  const handler = autopostHttp({
    channels: {
      list: () => [],
      setMood: (channel, mood) => channel === 'max-01' && moods.push([channel, mood]) > 0,
      file: (token) =>
        ({
          picture: { type: 'image', name: 'a.png', bytes: picture },
          page: { type: 'file', name: 'страница.html', bytes: Buffer.from('<script>alert(1)</script>') },
        })[token] ?? null,
    },
    overview: async () => ({ counts: [], events: [], held: [] }),
    resume: async () => undefined,
    chartSvg: async () => '<svg/>',
    samplePicture: async () => picture,
    ingestSecret: 'demo-secret',
  });
  server = createHttpServer([handler], (error) => console.error(error));
  base = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/sandbox/api/autopost`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

describe('what the page asks about autoposting', () => {
  it('has the secret of the demo and every way to break a channel, in words', async () => {
    const { ingestSecret, moods: known } = (await (await fetch(base)).json()) as Record<string, unknown>;
    expect(ingestSecret).toBe('demo-secret');
    expect(known).toContainEqual({ id: 'forbidden', title: 'Бот больше не администратор' });
  });

  it('changes the mood of a channel that is there, to one that is there', async () => {
    const set = async (path: string) => (await fetch(`${base}/channels/${path}`, { method: 'POST' })).status;
    expect(await set('max-01/mood/slow')).toBe(200);
    expect(await set('max-01/mood/furious')).toBe(400);
    expect(await set('max-77/mood/slow')).toBe(400);
    expect(await set('max-01/dance')).toBe(404);
    expect(moods).toEqual([['max-01', 'slow']]);
  });

  it('shows pictures, and lets anything else be downloaded only', async () => {
    const shown = await fetch(`${base}/file/picture`);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true);
    const page = await fetch(`${base}/file/page`);
    expect(page.headers.get('content-type')).toBe('application/octet-stream');
    expect(page.headers.get('content-disposition')).toMatch(/^attachment; /u);
    expect((await fetch(`${base}/file/nothing`)).status).toBe(404);
  });
});
