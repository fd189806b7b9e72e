import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FirecrawlStandIn, startFirecrawlStandIn } from '../../src/sandbox/firecrawl/start.ts';

let web: FirecrawlStandIn;
beforeEach(async () => {
  web = await startFirecrawlStandIn({ apiKey: 'fc' });
});
afterEach(() => web.close());

const control = (method: string, body?: unknown) =>
  fetch(`${web.url}/__moods`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });

describe('a mood of a stand-in', () => {
  it('can be ordered, listed and cleared over HTTP', async () => {
    const order = { match: 'shop.example', mood: 'empty' };
    expect(await (await control('POST', order)).json()).toEqual({ moods: [order] });
    expect(web.moods.of('https://shop.example/a')).toBe('empty');
    expect(web.moods.of('https://other.example/')).toBeNull();
    expect(await (await control('DELETE')).json()).toEqual({ moods: [] });
    expect(web.moods.of('https://shop.example/a')).toBeNull();
  });

  it('gives way to a newer one', () => {
    web.moods.set('example', 'empty');
    web.moods.set('shop.example', 'injection');
    expect(web.moods.of('https://shop.example/')).toBe('injection');
  });

  it('must be one it knows', async () => {
    expect((await control('POST', { match: 'a', mood: 'grumpy' })).status).toBe(400);
  });
});
