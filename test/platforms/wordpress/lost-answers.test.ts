import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunStage } from '../../../src/engine/operations.ts';
import { DeliveryFailed } from '../../../src/errors.ts';
import { keptStages } from '../../services/ai/kept-stages.ts';
import { article, type Desk, openDesk } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ seo: 'yoast' });
});
afterEach(() => desk.standIn.close());

const posts = () => desk.site.posts.values();
const media = () => desk.site.media.values();
const publish = (call = desk.call) => desk.adapter.publish(desk.admin, article, call);
const strike = (
  match: string,
  kind: 'reset' | 'reset-after' | 'hang-after' | 'malformed' | 'truncated',
  times = 1,
) => desk.standIn.faults.add({ match, times, fault: { kind } });
const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

/** One look is two requests: by name, and by mark. */
const ONE_LOOK = 2;
const letLooksBeforeCreatingPass = () =>
  desk.standIn.faults.add({ match: '^GET .*/posts$', times: ONE_LOOK, fault: { kind: 'slow', ms: 0 } });

/** Stages of a process that dies right before or right after one of them is written down. */
function dying(stage: RunStage, name: string, when: 'before' | 'after'): RunStage {
  return async (asked, work) => {
    if (asked !== name) return stage(asked, work);
    if (when === 'before')
      return stage(asked, async () => {
        await work();
        throw new Error('killed');
      });
    await stage(asked, work);
    throw new Error('killed');
  };
}

describe('a post whose answer was lost', () => {
  it.each(['reset-after', 'hang-after', 'malformed', 'truncated'] as const)(
    'is found and not made again: %s',
    async (kind) => {
      strike('^POST .*/posts$', kind);
      expect(await publish()).toMatchObject({ outcome: 'sent', providerMessageId: String(posts()[0]!.id) });
      expect(posts()).toHaveLength(1);
    },
  );

  it('is located for its owner, as a page or as a draft; what is not there is nowhere', async () => {
    const locate = (idempotencyKey: string, sought = article) =>
      desk.adapter.locate(desk.admin, { ...sought, idempotencyKey });
    const { idempotencyKey: key } = desk.call;
    expect(await locate(key)).toBeNull();
    const delivery = await publish();
    const found = await locate(key);
    expect(found?.isDraft).toBe(false);
    expect(delivery).toMatchObject({ outcome: 'sent', url: found?.url });
    const other = { ...article, title: 'Двери', slug: 'dveri', html: '<p>Двери.</p>' };
    expect(await locate('draft:18:publish', other)).toBeNull();
    const call = { ...desk.call, idempotencyKey: 'draft:18:publish', stage: keptStages().run };
    await desk.adapter.publish(desk.admin, { ...other, images: [], asDraft: true }, call);
    expect(await locate('draft:18:publish', other)).toEqual({
      url: expect.stringContaining(`post.php?post=${posts()[1]!.id}&action=edit`),
      isDraft: true,
    });
  });

  it('is made when two looks, some seconds apart, have not found it', async () => {
    strike('^POST .*/posts$', 'reset');
    expect(await publish()).toMatchObject({ outcome: 'sent' });
    expect(posts()).toHaveLength(1);
    expect(desk.pauses).toEqual([5_000]);
  });

  it('is found by the second look when the site was still saving', async () => {
    strike('^POST .*/posts$', 'reset-after');
    letLooksBeforeCreatingPass();
    const nothing = { kind: 'status', status: 200, body: [] } as const;
    desk.standIn.faults.add({ match: '^GET .*/posts$', times: ONE_LOOK, fault: nothing });
    expect(await publish()).toMatchObject({ outcome: 'sent' });
    expect(posts()).toHaveLength(1);
    expect(desk.pauses).toEqual([5_000]);
  });

  it('is unknown when the site cannot be read, and the person is told so', async () => {
    strike('^POST .*/posts$', 'reset-after');
    letLooksBeforeCreatingPass();
    desk.standIn.faults.add({ match: '^GET .*/posts$', times: 50, fault: { kind: 'reset' } });
    const delivery = await publish();
    expect(delivery).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('не подтвердил') });
    expect(posts()).toHaveLength(1);

    desk.standIn.faults.clear();
    const later = await publish({ ...desk.call, stage: keptStages().run });
    expect(later).toMatchObject({ outcome: 'sent' });
    expect(posts()).toHaveLength(1);
  });

  it('is unknown when something of its name is there without our mark', async () => {
    desk.site.posts.put(900, { ...blankPost, id: 900, slug: article.slug, title: article.title });
    strike('^POST .*/posts$', 'reset', 2);
    expect(await publish()).toMatchObject({ outcome: 'unknown' });
    expect(posts()).toHaveLength(1);
  });

  it('is not mistaken for another article of the same name', async () => {
    await publish();
    strike('^POST .*/posts$', 'reset');
    const call = { idempotencyKey: 'draft:18:publish', stage: keptStages().run };
    const other = { ...article, html: article.html.replace('Вступление', 'Другое вступление') };
    const delivery = await desk.adapter.publish(desk.admin, other, call);
    expect(delivery).toMatchObject({ outcome: 'sent', url: expect.stringContaining('kak-vybrat-okna-2') });
    expect(posts()).toHaveLength(2);
  });

  it('is found under the name that the site has made of it', async () => {
    desk.site.posts.put(900, { ...blankPost, id: 900, slug: article.slug, title: 'Другая' });
    strike('^POST .*/posts$', 'reset-after');
    expect(await publish()).toMatchObject({
      outcome: 'sent',
      url: expect.stringContaining('kak-vybrat-okna-2'),
    });
    expect(posts()).toHaveLength(2);
  });

  it.each([500, 502, 504])('may hide behind %i: it is looked for', async (status) => {
    desk.standIn.faults.add({ match: '^POST .*/posts$', times: 9, fault: { kind: 'status', status } });
    const error = await failure(publish());
    expect(error).toBeInstanceOf(DeliveryFailed);
    expect(error).toMatchObject({ retryable: true });
    expect(desk.pauses).toEqual([5_000, 5_000]);
    desk.standIn.faults.clear();
    expect(await publish()).toMatchObject({ outcome: 'sent' });
    expect(posts()).toHaveLength(1);
  });
});

describe('a process that died', () => {
  it.each([
    ['before the attempt was noted', 'attempt', 'before'],
    ['between the note and the call', 'attempt', 'after'],
    ['between the call and its note', 'post', 'before'],
    ['after everything', 'post', 'after'],
    ['in the middle of the pictures', 'media:3', 'before'],
    ['after the terms', 'terms', 'after'],
  ] as const)('%s leaves one post and four pictures', async (_, name, when) => {
    const stage = dying(desk.stages.run, name, when);
    expect(await failure(publish({ ...desk.call, stage }))).toMatchObject({ message: 'killed' });
    const delivery = await publish();
    expect(delivery).toMatchObject({ outcome: 'sent', warnings: [] });
    expect([posts().length, media().length]).toEqual([1, 4]);
  });

  it('after the attempt, and comes back to a silent site: the outcome is unknown', async () => {
    await failure(publish({ ...desk.call, stage: dying(desk.stages.run, 'post', 'before') }));
    desk.standIn.faults.add({ match: '.', times: null, fault: { kind: 'reset' } });
    expect(await publish()).toMatchObject({ outcome: 'unknown' });
    expect(posts()).toHaveLength(1);
  });

  it('after the post was noted needs the site no more', async () => {
    await failure(publish({ ...desk.call, stage: dying(desk.stages.run, 'post', 'after') }));
    desk.standIn.faults.add({ match: '.', times: null, fault: { kind: 'reset' } });
    expect(await publish()).toMatchObject({
      outcome: 'sent',
      warnings: [expect.stringContaining('не удалось')],
    });
  });
});

describe('publish pressed twice (E07)', () => {
  it('gives one post, also when the second press is another operation', async () => {
    const first = await publish();
    const second = await publish({ ...desk.call, stage: keptStages().run });
    expect([first, second]).toMatchObject([
      { outcome: 'sent', providerMessageId: String(posts()[0]!.id) },
      { outcome: 'sent', providerMessageId: String(posts()[0]!.id) },
    ]);
    expect([posts().length, media().length]).toEqual([1, 4]);
  });
});

describe('the same article under another key', () => {
  it('is not posted a second time, also without the pictures it had, and that is said', async () => {
    await publish();
    const call = { idempotencyKey: 'draft:17:publish:site.example', stage: keptStages().run };
    const bare = { ...article, images: article.images.map((image) => ({ ...image, bytes: null })) };
    expect(await desk.adapter.publish(desk.admin, bare, call)).toMatchObject({
      outcome: 'sent',
      providerMessageId: String(posts()[0]!.id),
      warnings: [expect.stringContaining('уже есть')],
    });
    expect(posts()).toHaveLength(1);
  });
});

describe('a site that moved while an article was on its way', () => {
  it('is found where it is now when publishing goes on', async () => {
    await failure(publish({ ...desk.call, stage: dying(desk.stages.run, 'terms', 'after') }));
    desk.site.change({ permalinks: 'plain' });
    expect(await publish()).toMatchObject({ outcome: 'sent', warnings: [] });
    expect([posts().length, media().length]).toEqual([1, 4]);
  });
});

describe('a picture whose answer was lost', () => {
  it.each(['reset-after', 'hang-after', 'malformed'] as const)(
    'is found and not sent again: %s',
    async (kind) => {
      strike('^POST .*/media$', kind);
      expect(await publish()).toMatchObject({ outcome: 'sent', warnings: [] });
      expect(media()).toHaveLength(4);
    },
  );

  it('is sent again when it is certainly not there', async () => {
    strike('^POST .*/media$', 'reset');
    expect(await publish()).toMatchObject({ outcome: 'sent', warnings: [] });
    expect(media()).toHaveLength(4);
  });
});

describe('a caller who leaves', () => {
  it('is told their own reason, and the next one finds what was made', async () => {
    await desk.standIn.close();
    desk = await openDesk({ seo: 'yoast' }, 60_000);
    const leaving = new AbortController();
    strike('^POST .*/posts$', 'hang-after');
    const call = failure(publish({ ...desk.call, signal: leaving.signal } as typeof desk.call));
    const reason = new Error('the lease is lost');
    const watch = setInterval(() => posts().length > 0 && leaving.abort(reason), 5);
    expect(await call).toBe(reason);
    clearInterval(watch);
    expect(await publish()).toMatchObject({ outcome: 'sent' });
    expect(posts()).toHaveLength(1);
  });
});

const blankPost = {
  author: 1,
  status: 'publish',
  content: '<p>Своё</p>',
  excerpt: '',
  featuredMedia: 0,
  categories: [],
  tags: [],
  meta: {},
  madeAt: '2026-11-01T00:00:00.000Z',
};
