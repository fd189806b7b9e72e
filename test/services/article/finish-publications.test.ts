import { describe, expect, it } from 'vitest';
import { DeliveryFailed, type FailureReport } from '../../../src/errors.ts';
import { publicationNewsScreen } from '../../../src/screens/pages/publication-news.ts';
import { HOST, SITE } from '../../support/article-customer.ts';
import { unbalanced } from '../../support/rows.ts';
import { workbench } from './workbench.ts';

const bench = workbench();
const unstopped = new AbortController().signal;
const lost = async () => ({ outcome: 'unknown' as const, message: 'the answer was lost', raw: null });
const refused: FailureReport = {
  category: 'TRANSIENT',
  scope: 'channel',
  code: 'ETIMEDOUT',
  message: 'no answer',
  userMessage: 'Сайт не отвечает.',
};

describe('a publication whose process died together with its session', () => {
  it('is left to its owner while its lease runs', async () => {
    const { customer } = await anArticleLeftInTheMiddle();
    expect(await finish()).toEqual([]);
    expect(await customer.drafts()).toMatchObject([{ status: 'publishing' }]);
    await timePasses();
    await finish();
  });

  it('is finished by the sweep, once, and told', async () => {
    const { customer, preview } = await anArticleLeftInTheMiddle();
    await timePasses();
    const [news, ...more] = await finish();
    expect(more).toEqual([]);
    expect(news).toMatchObject({ kind: 'published', url: expect.stringContaining(SITE) });
    expect(await finish()).toEqual([]);
    expect(bench().posts).toHaveLength(1);
    expect(bench().told).toEqual([{ userId: customer.userId, screen: publicationNewsScreen(news!) }]);
    expect(await customer.drafts()).toMatchObject([{ status: 'published' }]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('is handed out to one of several processes', async () => {
    await anArticleLeftInTheMiddle();
    await timePasses();
    const news = (await Promise.all([finish(), finish(), finish()])).flat();
    expect(news).toHaveLength(1);
    expect(bench().posts).toHaveLength(1);
  });

  it('is a draft again when the site refuses it, and its tokens come back with its day', async () => {
    const { customer } = await anArticleLeftInTheMiddle();
    bench().publishes(() => Promise.reject(new DeliveryFailed(refused)));
    await timePasses();
    expect(await finish()).toMatchObject([{ kind: 'failed', why: 'Сайт не отвечает.' }]);
    expect(await customer.drafts()).toMatchObject([{ status: 'draft' }]);
    await customer.expire();
    await bench().works.expireDrafts();
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('is unknown when the answer is lost once more', async () => {
    const { customer, preview } = await anArticleLeftInTheMiddle();
    bench().publishes(lost);
    await timePasses();
    expect(await finish()).toMatchObject([{ kind: 'unknown', site: HOST }]);
    expect(await customer.drafts()).toMatchObject([{ status: 'unknown' }]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('of an earlier version of the bot, which claimed it as published, is finished as well', async () => {
    const { customer } = await anArticleLeftInTheMiddle();
    await bench().sql`
      update article_previews set status = 'published', claim_until = null, details = details - 'publishingTo'
      where user_id = ${customer.userId}`;
    await bench().sql.file('schema.sql');
    await timePasses();
    expect(await finish()).toMatchObject([{ kind: 'published' }]);
  });

  it('is given back when its project was deleted and the site refuses it', async () => {
    const customer = await bench().aCustomer();
    const preview = await customer.generate();
    bench().publishes(async () => {
      await bench().sql`delete from projects where user_id = ${customer.userId}`;
      throw new DeliveryFailed(refused);
    });
    await expect(customer.publish(preview.draftId)).rejects.toThrow(DeliveryFailed);
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });
});

describe('an article whose answer was lost', () => {
  it('is published, and stays paid, when its owner has seen it on the site', async () => {
    const { customer, preview } = await anArticleInDoubt();
    const confirmed = await customer.confirm(preview.draftId);
    expect(await publications(customer.userId)).toEqual([
      { id: confirmed?.publicationId, status: 'success' },
    ]);
    expect(await customer.drafts()).toMatchObject([{ status: 'published' }]);
    expect(await customer.confirm(preview.draftId), 'again, by a process that takes over').toEqual(confirmed);
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: 0 });
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });

  it('gets its address from the site when its owner has seen it there, at a second press at the latest', async () => {
    const { customer, preview } = await anArticleInDoubt();
    const [{ key }] = await bench().sql<[{ key: string }]>`
      select operation_key as key from publication_logs where user_id = ${customer.userId}`;
    bench().locates(() => Promise.reject(new DeliveryFailed(refused)));
    const { publicationId } = (await customer.confirm(preview.draftId))!;
    const shown = () => bench().works.pages.publication(customer.userId, publicationId!);
    expect(await shown(), 'the site does not answer').toMatchObject({ url: null });
    const asked: object[] = [];
    bench().locates(async (_, { idempotencyKey, title }) => {
      asked.push({ idempotencyKey, title });
      return { url: `${SITE}/kukhni/`, isDraft: false };
    });
    await customer.confirm(preview.draftId);
    expect(await shown()).toMatchObject({ url: `${SITE}/kukhni/` });
    await customer.confirm(preview.draftId);
    expect(asked).toEqual([{ idempotencyKey: key, title: preview.title }]);
  });

  it('keeps no address of a draft when it was to be read by all', async () => {
    const { customer, preview } = await anArticleInDoubt();
    bench().locates(async () => ({ url: `${SITE}/wp-admin/post.php?post=1&action=edit`, isDraft: true }));
    const { publicationId } = (await customer.confirm(preview.draftId))!;
    expect(await bench().works.pages.publication(customer.userId, publicationId!)).toMatchObject({
      url: null,
    });
  });

  it('is sent again when its owner has looked and it is not there', async () => {
    const { customer, preview } = await anArticleInDoubt();
    await bench().reset();
    const { publicationId } = await customer.publish(preview.draftId);
    expect(await publications(customer.userId)).toEqual([{ id: publicationId, status: 'success' }]);
    expect(bench().posts).toHaveLength(1);
  });

  it('is given back when its owner has looked and does not want it any more', async () => {
    const { customer, preview } = await anArticleInDoubt();
    expect(await customer.cancel(preview.draftId)).toEqual({ returned: preview.spent });
    expect(await publications(customer.userId)).toMatchObject([{ status: 'cancelled' }]);
    expect(await customer.balance()).toBe(1_500);
  });

  it('is a plain draft again when the site was asked once more and certainly does not have it', async () => {
    const { customer, preview } = await anArticleInDoubt();
    bench().publishes(() => Promise.reject(new DeliveryFailed(refused)));
    await expect(customer.publish(preview.draftId)).rejects.toThrow(DeliveryFailed);
    expect(await customer.drafts()).toMatchObject([{ status: 'draft' }]);
    expect(await publications(customer.userId)).toMatchObject([{ status: 'failed' }]);
  });

  it('is not given back by the cleanup, and is taken for published after 72 hours, which is said', async () => {
    const { customer, preview } = await anArticleInDoubt();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    expect(await finish()).toEqual([]);
    const [row] = await bench().sql<[{ hours: number }]>`
      select round(extract(epoch from expires_at - now()) / 3600)::integer as hours
      from article_previews where id = ${preview.draftId}`;
    expect(row.hours).toBe(72);
    await customer.expire();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    expect(await finish()).toMatchObject([{ kind: 'assumed' }]);
    expect(bench().told).toHaveLength(1);
    expect(await publications(customer.userId)).toMatchObject([{ status: 'success' }]);
    expect(await customer.balance()).toBe(1_500 - preview.spent);
  });
});

async function anArticleInDoubt() {
  const customer = await bench().aCustomer();
  const preview = await customer.generate();
  bench().publishes(lost);
  await customer.publish(preview.draftId).catch(() => undefined);
  return { customer, preview };
}

/** The publisher was called, then the process died; the session that knew of it is gone. */
async function anArticleLeftInTheMiddle() {
  const customer = await bench().aCustomer();
  const preview = await customer.generate();
  const dying = new AbortController();
  bench().publishes(async () => {
    dying.abort(new Error('killed'));
    throw dying.signal.reason;
  });
  const key = `draft:${preview.draftId}:publish:0:${HOST}`;
  const input = { key, userId: customer.userId, draftId: preview.draftId, site: HOST };
  await bench()
    .works.services.publishArticle(input, dying.signal)
    .catch(() => undefined);
  await bench().reset();
  return { customer, preview };
}

const finish = () => bench().works.finishPublications(unstopped);

async function timePasses(): Promise<void> {
  await bench().sql`update article_previews set claim_until = now() where status = 'publishing'`;
}

async function publications(userId: number) {
  return [...(await bench().sql`select id, status from publication_logs where user_id = ${userId}`)];
}
