import { describe, expect, it } from 'vitest';
import { DeliveryFailed, DraftExpired, type FailureReport } from '../../../src/errors.ts';
import { ConnectionGone, PublishUnknown } from '../../../src/services/article/publish-article.ts';
import { HOST, SITE } from '../../support/article-customer.ts';
import { unbalanced } from '../../support/rows.ts';
import { databaseKinds } from '../../support/stores.ts';
import { type Workbench, workbench } from './workbench.ts';

const bench = workbench();
const stop = () => new Error('the process stops');

const silent: FailureReport = {
  category: 'TRANSIENT',
  scope: 'channel',
  code: 'ETIMEDOUT',
  message: 'no answer',
  userMessage: 'Сайт не отвечает.',
};

describe('an approved article', () => {
  it('goes to the site whole, and is noted once', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const { publicationId } = await customer.publish(preview.draftId);
    expect(bench().posts).toMatchObject([
      {
        title: preview.title,
        category: 'Кухни',
        slug: expect.stringMatching(/^kukhni-na-zakaz-[a-z0-9-]{1,70}$/u),
        seo: { focus: preview.phrase },
        images: [{ contentType: 'image/webp' }, { contentType: 'image/webp' }],
      },
    ]);
    const [post] = bench().posts;
    for (const { url, bytes } of post!.images) {
      expect(post!.html).toContain(url.replaceAll('&', '&amp;'));
      expect(bytes?.length).toBeGreaterThan(0);
    }
    expect(await publicationsOf(bench(), customer.userId)).toMatchObject([
      { id: publicationId, keyword: preview.phrase, tokens: preview.spent, url: `${SITE}/${post!.slug}` },
    ]);
    expect(await customer.drafts()).toMatchObject([{ status: 'published' }]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('leaves neither pictures nor a page to look at behind', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.publish(preview.draftId);
    const [image] = bench().posts[0]!.images;
    const path = new URL(image!.url).pathname.replace('/pictures/', '');
    expect(await bench().works.pictures.read(path)).toBeNull();
    const page = bench().telegraph.pages.page(new URL(preview.telegraphUrl!).pathname.slice(1));
    expect(page).toMatchObject({ title: 'Предпросмотр удалён' });
  });

  it('goes out without a picture that is gone, and without an empty place for it', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const [draft] = await bench().sql<{ path: string; url: string }[]>`
      select images -> 0 ->> 'storage_path' as path, images -> 0 ->> 'url' as url
      from article_previews where id = ${preview.draftId}`;
    await bench().works.pictures.remove([draft!.path]);
    await customer.publish(preview.draftId);
    expect(bench().posts[0]!.images).toMatchObject([
      { url: draft!.url, bytes: null },
      { bytes: expect.any(Buffer) },
    ]);
  });

  it('X16: cannot be cancelled any more, and nothing comes back', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.publish(preview.draftId);
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: 0 });
    await customer.expire();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('cannot be published by somebody else', async () => {
    const { preview } = await aWrittenArticle(bench());
    const stranger = await bench().aCustomer();
    await expect(stranger.publish(preview.draftId)).rejects.toThrow(DraftExpired);
    expect(bench().posts).toEqual([]);
  });
});

describe('an article that does not arrive', () => {
  it('E02: stays a draft with its charge, and the connection says why; then it can be sent again', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(() => Promise.reject(new DeliveryFailed(silent)));
    await expect(customer.publish(preview.draftId)).rejects.toMatchObject({
      userMessage: 'Сайт не отвечает.',
    });
    expect(await customer.drafts()).toMatchObject([{ status: 'draft', tokens: preview.spent }]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
    expect(await customer.connection()).toMatchObject({
      status: 'error',
      metadata: { lastError: 'Сайт не отвечает.' },
    });

    await bench().reset();
    await customer.publish(preview.draftId);
    expect(bench().posts).toHaveLength(1);
    expect(await customer.connection()).toMatchObject({ status: 'active' });
    expect(await customer.connection()).not.toHaveProperty('metadata.lastError');
  });

  it('E02: is given back in full when the person has had enough', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(() => Promise.reject(new DeliveryFailed(silent)));
    await customer.publish(preview.draftId).catch(() => undefined);
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: preview.spent });
    expect(await customer.balance()).toBe(1_500);
  });

  it('for a fault of its own is not held against the connection', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const ownFault: FailureReport = { ...silent, category: 'PERMANENT', scope: 'delivery' };
    bench().publishes(() => Promise.reject(new DeliveryFailed(ownFault)));
    await expect(customer.publish(preview.draftId)).rejects.toThrow(DeliveryFailed);
    expect(await customer.connection()).toMatchObject({ status: 'active' });
  });

  it('for all we know is told so, and stays for the person to decide', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(async () => ({ outcome: 'unknown', message: 'the answer was lost', raw: null }));
    await expect(customer.publish(preview.draftId)).rejects.toThrow(PublishUnknown);
    expect(await customer.drafts()).toMatchObject([{ status: 'unknown', tokens: preview.spent }]);
    expect(await publicationsOf(bench(), customer.userId)).toMatchObject([{ status: 'unknown' }]);
  });

  it('because its connection was removed says so, and stays a draft', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.disconnects(customer.connectionId);
    await expect(customer.publish(preview.draftId)).rejects.toThrow(ConnectionGone);
    expect(await customer.drafts()).toMatchObject([{ status: 'draft' }]);
  });

  it('E18: because its day is over is not published, and its tokens are back when that is said', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.expire();
    await expect(customer.publish(preview.draftId)).rejects.toThrow(DraftExpired);
    expect(bench().posts).toEqual([]);
    expect(await customer.balance()).toBe(1_500);
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    await expect(customer.publish(preview.draftId, 'again')).rejects.toThrow(DraftExpired);
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toMatchObject([{ status: 'expired' }]);
  });
});

describe('an article whose site was disconnected', () => {
  it('goes to the same site connected again, by the key it had', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(async () => ({ outcome: 'unknown', message: 'the answer was lost', raw: null }));
    await expect(customer.publish(preview.draftId)).rejects.toThrow(PublishUnknown);
    await customer.disconnects(customer.connectionId);
    await expect(customer.publish(preview.draftId)).rejects.toThrow(ConnectionGone);
    const again = await customer.connects(HOST);
    await bench().reset();
    await customer.publish(preview.draftId);
    expect(bench().posts).toHaveLength(1);
    expect(await placesOf(bench(), customer.userId)).toEqual([again]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('goes to another one, for the one charge it had', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.disconnects(customer.connectionId);
    const other = await customer.connects('blog.example');
    await customer.publishOn('blog.example', preview.draftId);
    expect(bench().posts).toHaveLength(1);
    expect(await placesOf(bench(), customer.userId)).toEqual([other]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
    await expect(customer.publishOn(HOST, preview.draftId)).rejects.toThrow(DraftExpired);
  });

  it('goes to no site of another project or person', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const stranger = await bench().aCustomer();
    await stranger.connects('stranger.example');
    await expect(customer.publishOn('stranger.example', preview.draftId)).rejects.toThrow(ConnectionGone);
    expect(bench().posts).toEqual([]);
    expect(await customer.drafts()).toMatchObject([{ status: 'draft' }]);
  });
});

describe('where an article may stand without our knowing', () => {
  it('is remembered until the site has answered', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(async () => ({ outcome: 'unknown', message: 'the answer was lost', raw: null }));
    await customer.publish(preview.draftId).catch(() => undefined);
    expect(await mayBeOn(preview.draftId)).toEqual([HOST]);
    bench().publishes(() => Promise.reject(new DeliveryFailed(silent)));
    await customer.publish(preview.draftId).catch(() => undefined);
    expect(await mayBeOn(preview.draftId)).toEqual([]);
  });

  it('is remembered though another site has refused it, and another version was written', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(async () => ({ outcome: 'unknown', message: 'the answer was lost', raw: null }));
    await customer.publish(preview.draftId).catch(() => undefined);
    await customer.connects('blog.example');
    bench().publishes(() => Promise.reject(new DeliveryFailed(silent)));
    await customer.publishOn('blog.example', preview.draftId).catch(() => undefined);
    await customer.regenerate(preview.draftId, 'another');
    expect(await mayBeOn(preview.draftId)).toEqual([HOST]);
  });

  it('is remembered by the process that takes over from a dead one and finds the connection gone', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const dying = new AbortController();
    bench().publishes(async () => {
      dying.abort(stop());
      throw stop();
    });
    await customer.publish(preview.draftId, 'publish', dying.signal).catch(() => undefined);
    await customer.disconnects(customer.connectionId);
    await expect(customer.publish(preview.draftId)).rejects.toThrow(ConnectionGone);
    expect(await mayBeOn(preview.draftId)).toEqual([HOST]);
  });

  it('is nowhere while nothing was sent', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    await customer.disconnects(customer.connectionId);
    await customer.publish(preview.draftId).catch(() => undefined);
    expect(await mayBeOn(preview.draftId)).toEqual([]);
  });

  async function mayBeOn(draftId: number) {
    const [row] = await bench().sql<[{ sites: string[] | null }]>`
      select details -> 'mayBeOn' as sites from article_previews where id = ${draftId}`;
    return row.sites ?? [];
  }
});

describe('an article on the site', () => {
  it('is never given back, though noting it failed: the next call finds it there', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const hash = await spoiledHash(preview.draftId);
    await expect(customer.publish(preview.draftId)).rejects.toThrow('invalid input syntax');
    expect(bench().posts).toHaveLength(1);
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: 0 });
    expect(await customer.balance()).toBe(1_500 - preview.spent);

    await bench().sql`
      update article_previews set details = details || jsonb_build_object('contentHash', ${hash}::text)
      where id = ${preview.draftId}`;
    await customer.publish(preview.draftId);
    expect(await publicationsOf(bench(), customer.userId)).toHaveLength(1);
    expect(bench().posts).toHaveLength(1);
  });

  it('is told of, though its project was deleted while it went out', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    bench().publishes(async (_, __, { slug }) => {
      await bench().sql`delete from projects where user_id = ${customer.userId}`;
      return { outcome: 'sent', providerMessageId: '1', url: `${SITE}/${slug}`, warnings: [], raw: null };
    });
    const published = await customer.publish(preview.draftId);
    expect(published).toMatchObject({ publicationId: null, url: expect.stringContaining(SITE) });
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('is noted whatever the names of its model and prompt are', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const long = { modelUsed: 'm'.repeat(150), promptVersion: 'article_of_the_far_future_v1' };
    await bench().sql`
      update article_previews set details = details || ${bench().sql.json(long)} where id = ${preview.draftId}`;
    await customer.publish(preview.draftId);
    expect(await publicationsOf(bench(), customer.userId)).toHaveLength(1);
  });

  it('is finished after a restart by a call with its key, and by no other', async () => {
    const { customer, preview } = await aWrittenArticle(bench());
    const dying = new AbortController();
    bench().publishes(async () => {
      dying.abort(stop());
      throw stop();
    });
    await expect(customer.publish(preview.draftId, 'publish', dying.signal)).rejects.toThrow('stops');
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: 0 });
    await expect(customer.publish(preview.draftId, 'another key')).rejects.toThrow(DraftExpired);
    await bench().reset();
    await customer.publish(preview.draftId);
    expect(bench().posts).toHaveLength(1);
  });

  /** A fingerprint that the log of publications cannot take. */
  async function spoiledHash(draftId: number): Promise<string> {
    const [row] = await bench().sql<[{ hash: string }]>`
      select details ->> 'contentHash' as hash from article_previews where id = ${draftId}`;
    await bench().sql`
      update article_previews set details = details || '{"contentHash": "no number"}' where id = ${draftId}`;
    return row.hash;
  }
});

describe.skipIf(!databaseKinds.includes('PostgreSQL'))('on PostgreSQL, at the same moment', () => {
  const shared = workbench('PostgreSQL');

  it('E07: pressed twice, one post and one note', async () => {
    const { customer, preview } = await aWrittenArticle(shared());
    const results = await Promise.all([customer.publish(preview.draftId), customer.publish(preview.draftId)]);
    expect(results[1]).toEqual(results[0]);
    expect(shared().posts).toHaveLength(1);
    expect(await publicationsOf(shared(), customer.userId)).toHaveLength(1);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('X02: against the cleanup, either a post or a refund', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 6; round += 1) {
      const { customer, preview } = await aWrittenArticle(shared());
      const posts = shared().posts.length;
      await shared().sql`
        update article_previews set expires_at = clock_timestamp() + ${round * 4} * interval '1 ms'
        where id = ${preview.draftId}`;
      const [published] = await Promise.allSettled([
        customer.publish(preview.draftId),
        ...Array.from({ length: 4 }, () => shared().works.expireDrafts()),
      ]);
      await shared().works.expireDrafts();
      const isPublished = published.status === 'fulfilled';
      expect(shared().posts).toHaveLength(posts + (isPublished ? 1 : 0));
      expect(await customer.balance()).toBe(isPublished ? 1_500 - preview.spent : 1_500);
      expect(await customer.drafts()).toMatchObject([{ status: isPublished ? 'published' : 'expired' }]);
    }
    expect(await unbalanced(shared().sql)).toEqual([]);
  });

  it('X02: against a cancellation, either a post or a refund', async () => {
    const { customer, preview } = await aWrittenArticle(shared());
    const [published, { returned }] = await Promise.all([
      customer.publish(preview.draftId).then(
        () => true,
        () => false,
      ),
      customer.cancel(preview.draftId),
    ]);
    expect(returned).toBe(published ? 0 : preview.spent);
    expect(shared().posts).toHaveLength(published ? 1 : 0);
  });
});

async function aWrittenArticle(on: Workbench) {
  const customer = await on.aCustomer();
  return { customer, preview: await customer.generate() };
}

async function publicationsOf({ sql }: Workbench, userId: number) {
  return [
    ...(await sql`
      select id, keyword, status, tokens_spent as tokens, post_url as url from publication_logs where user_id = ${userId}`),
  ];
}

async function placesOf({ sql }: Workbench, userId: number) {
  const rows = await sql`select connection_id as id from publication_logs where user_id = ${userId}`;
  return rows.map(({ id }) => id);
}
