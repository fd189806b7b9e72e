import { expect, it } from 'vitest';
import { NotFound, OutOfTokens } from '../../src/errors.ts';
import { makeArticleDrafts } from '../../src/store/article-drafts.ts';
import { makeCategories } from '../../src/store/categories.ts';
import { makeDraftPurses } from '../../src/store/draft-purses.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { aCategory, aConnection, aProject, aUser, unbalanced } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const content = {
  title: 'Окна',
  html: '<h1>Окна</h1>',
  words: 1_800,
  images: [
    {
      url: 'https://pictures.example/1.webp',
      storage_path: '1/2/3_1.webp',
      width: 16,
      height: 9,
      alt: 'окно',
      filename: 'okno',
      caption: '',
    },
  ],
  telegraph: { url: 'https://telegra.ph/okna', path: 'okna' },
  details: {
    seoTitle: 'Окна',
    metaDescription: 'Об окнах',
    contentHash: '-42',
    modelUsed: 'some/model',
    promptVersion: 'article_v7',
    generationTimeMs: 40_000,
    price: { text: 180, images: 90 },
    notes: [],
    imagesWanted: 1,
    sections: 4,
  },
};

forEachDatabase((sql) => {
  it('opens one draft and charges once, however often it is asked to', async () => {
    const { purse, rows, balance } = await anArticle();
    await purse.charge();
    await purse.charge();
    expect(await rows()).toEqual([{ status: 'draft', tokens: 320 }]);
    expect(await balance()).toBe(1_180);
  });

  it('opens no draft when there are too few tokens (E01)', async () => {
    const { purse, rows, balance } = await anArticle({ text: 1_400, images: 120 });
    await expect(purse.charge()).rejects.toThrow(OutOfTokens);
    expect(await rows()).toEqual([]);
    expect(await balance()).toBe(1_500);
  });

  it('is not found in somebody else’s category', async () => {
    const { version, purses } = await anArticle();
    const stranger = await aUser(sql());
    await expect(purses.first({ ...version, userId: stranger }).charge()).rejects.toThrow(NotFound);
    expect(await makeLedger(sql()).balance(stranger)).toBe(1_500);
  });

  it('gives the surplus back, and on a failure only what is still due', async () => {
    const { purse, rows, balance } = await anArticle();
    await purse.charge();
    await purse.settle(260);
    await purse.settle(260);
    expect(await balance()).toBe(1_240);
    expect(await rows()).toEqual([{ status: 'draft', tokens: 260 }]);

    expect(await purse.refund()).toBe(260);
    expect(await purse.refund()).toBe(260); // the same refund, told again
    expect(await balance()).toBe(1_500);
    expect(await rows()).toEqual([{ status: 'cancelled', tokens: 260 }]);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('gives back what was charged, also to a person who has become an admin or stopped being one since', async () => {
    const [payer, admin] = [await anArticle(), await anArticle()];
    await makes(admin, 'admin');
    for (const { purse } of [payer, admin]) await purse.charge();
    await makes(payer, 'admin');
    await makes(admin, 'user');

    for (const { purse } of [payer, admin]) await purse.settle(260);
    expect([...(await payer.rows()), ...(await admin.rows())]).toMatchObject([
      { tokens: 260 },
      { tokens: 0 },
    ]);
    expect([await payer.purse.refund(), await admin.purse.refund()]).toEqual([260, 0]);
    expect([await payer.balance(), await admin.balance()]).toEqual([1_500, 1_500]);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('returns the tokens once when its category is deleted in the middle of the work (E42)', async () => {
    const { purse, drafts, balance, version } = await anArticle();
    await purse.charge();
    await makeCategories(sql()).remove(version.userId, version.categoryId);
    expect(await balance()).toBe(1_500);

    expect(await drafts.fill(version.key, content)).toBeNull();
    await purse.settle(200);
    expect(await purse.refund()).toBe(0);
    expect(await balance()).toBe(1_500);
  });

  it('keeps what was written, for its owner', async () => {
    const { id, drafts, version } = await aWrittenArticle();
    expect(await drafts.find(version.userId, id)).toMatchObject({
      ...content,
      keyword: 'окна',
      regenerations: 0,
    });
    expect(await drafts.find(version.userId + 1, id)).toBeNull();
  });

  it('waits where it was written, until it is ended', async () => {
    const { id, drafts, version } = await aWrittenArticle();
    const { userId, categoryId } = version;
    const connectionId = await aConnection(sql(), await projectOf(categoryId), 'wordpress');
    await sql()`update article_previews set connection_id = ${connectionId} where id = ${id}`;
    expect(await drafts.waiting(userId, categoryId, connectionId)).toEqual({ id, title: 'Окна' });
    expect(await drafts.waiting(userId + 1, categoryId, connectionId)).toBeNull();
    await drafts.cancel(userId, id);
    expect(await drafts.waiting(userId, categoryId, connectionId)).toBeNull();
  });

  it('counts another version once, and charges for it once', async () => {
    const { id, drafts, purses, balance, version } = await aWrittenArticle();
    const purse = purses.another({
      key: 'k',
      userId: version.userId,
      draftId: id,
      keyword: 'окна',
      price: 270,
    });
    await purse.charge();
    await purse.charge();
    await purse.settle(240);
    await purse.settle(240);
    const next = { ...content, title: 'Другие окна' };
    expect(await drafts.replace(id, 'k', next)).toEqual({ regenerations: 1 });
    expect(await drafts.replace(id, 'k', next)).toEqual({ regenerations: 1 });
    expect(await drafts.find(version.userId, id)).toMatchObject({ title: 'Другие окна', tokens: 560 });
    expect(await balance()).toBe(1_500 - 320 - 240);
  });

  it('gives a failed further version back and keeps the first one (X18)', async () => {
    const { id, drafts, purses, balance, version } = await aWrittenArticle();
    const purse = purses.another({
      key: 'k2',
      userId: version.userId,
      draftId: id,
      keyword: 'окна',
      price: 270,
    });
    await purse.charge();
    expect(await purse.refund()).toBe(270);
    expect(await purse.refund()).toBe(270);
    expect(await balance()).toBe(1_180);
    expect(await drafts.find(version.userId, id)).toMatchObject({
      title: 'Окна',
      tokens: 320,
      regenerations: 0,
    });
  });

  it('returns everything when it is cancelled, once (X16)', async () => {
    const { id, drafts, balance, version } = await aWrittenArticle();
    expect(await drafts.cancel(version.userId + 1, id)).toBeNull();
    const end = { id, returned: 320, pictures: ['1/2/3_1.webp'], telegraphPath: 'okna' };
    expect(await drafts.cancel(version.userId, id)).toMatchObject(end);
    expect(await drafts.cancel(version.userId, id)).toMatchObject(end);
    expect(await balance()).toBe(1_500);
  });

  it('expires after a day with its tokens back, and cannot be published then (E18)', async () => {
    const { id, drafts, balance, version } = await aWrittenArticle();
    expect((await drafts.expire()).drafts).toEqual([]);
    await sql()`update article_previews set expires_at = now() - interval '1 second' where id = ${id}`;
    expect(await drafts.claimForPublishing(version.userId, id, 'p', 'a')).toBeNull();
    expect((await drafts.expire()).drafts).toMatchObject([{ id, returned: 320 }]);
    expect((await drafts.expire()).drafts).toEqual([]);
    expect(await balance()).toBe(1_500);
  });

  it('is either published or given back, never both (X02)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, drafts, balance, version } = await aWrittenArticle();
      await sql()`update article_previews set expires_at = now() + interval '30 ms' where id = ${id}`;
      await sql()`select pg_sleep(0.02)`;
      const [claimed, expired] = await Promise.all([
        drafts.claimForPublishing(version.userId, id, 'p', 'a'),
        drafts.expire().then(({ drafts: ended }) => ended.some((draft) => draft.id === id)),
      ]);
      const late = (await drafts.expire()).drafts.some((draft) => draft.id === id);
      expect([claimed !== null, expired || late].filter(Boolean).length).toBeLessThanOrEqual(1);
      expect(await balance()).toBe(expired || late ? 1_500 : 1_180);
    }
  });

  const another = (article: Awaited<ReturnType<typeof aWrittenArticle>>, key: string) =>
    article.purses.another({
      key,
      userId: article.version.userId,
      draftId: article.id,
      keyword: 'окна',
      price: 270,
    });

  it('X09: whose HTML was taken gives nothing back, whatever ends it', async () => {
    const ends = {
      cancelled: async ({ drafts, version, id }: Written) =>
        (await drafts.cancel(version.userId, id))?.returned,
      expired: async ({ drafts, id }: Written) => {
        await age(id);
        return (await drafts.expire()).drafts.find((draft) => draft.id === id)?.returned;
      },
      deleted: async ({ version: { userId, categoryId } }: Written) => {
        const categories = makeCategories(sql());
        expect(await categories.deletionCounts(userId, categoryId)).toMatchObject({
          drafts: 1,
          draftTokens: 0,
        });
        return (await categories.remove(userId, categoryId))?.refunded;
      },
    };
    for (const [end, by] of Object.entries(ends)) {
      const article = await aWrittenArticle();
      const { drafts, version, id, balance } = article;
      expect(await drafts.takeHtml(version.userId + 1, id), 'a stranger').toBeNull();
      expect(await drafts.takeHtml(version.userId, id)).toEqual({ final: 320 });
      expect(await drafts.takeHtml(version.userId, id), 'pressed twice').toEqual({ final: 320 });
      expect([end, await by(article)]).toEqual([end, 0]);
      expect([end, await balance()]).toEqual([end, 1_180]);
      expect(await drafts.takeHtml(version.userId, id), 'too late').toBeNull();
    }
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('X09: whose HTML was taken can still be published, and costs nothing more', async () => {
    const { drafts, version, id, balance, rows } = await aWrittenArticle();
    await drafts.takeHtml(version.userId, id);
    const claimed = await drafts.claimForPublishing(version.userId, id, 'p', 'a');
    expect(claimed?.details.final).toBe(320);
    expect(await drafts.takeHtml(version.userId, id), 'on its way to the site').toBeNull();
    await drafts.refundDeleted(claimed!);
    expect(await balance(), 'deleted with its project meanwhile').toBe(1_180);
    await drafts.settle(id, 'p');
    expect(await rows()).toEqual([{ status: 'published', tokens: 320 }]);
  });

  it('X09: gives a version back that was paid for later, until its own HTML is taken', async () => {
    const [kept, taken, failed] = [await aWrittenArticle(), await aWrittenArticle(), await aWrittenArticle()];
    for (const article of [kept, taken, failed]) {
      const { drafts, version, id } = article;
      await drafts.takeHtml(version.userId, id);
      await another(article, `${version.userId}:v`).charge();
      if (article === failed) {
        expect(await another(article, `${version.userId}:v`).refund(), 'X18').toBe(270);
        continue;
      }
      await another(article, `${version.userId}:v`).settle(240);
      expect(await drafts.replace(id, `${version.userId}:v`, content)).toEqual({ regenerations: 1 });
      expect((await drafts.find(version.userId, id))?.details.final, 'a new version takes nothing back').toBe(
        320,
      );
    }
    expect(await taken.drafts.takeHtml(taken.version.userId, taken.id)).toEqual({ final: 560 });
    for (const [{ drafts, version, id }, returned] of [
      [kept, 240],
      [taken, 0],
      [failed, 0],
    ] as const)
      expect((await drafts.cancel(version.userId, id))?.returned).toBe(returned);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('X09: is either taken or given back, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, drafts, balance, version } = await aWrittenArticle();
      await sql()`update article_previews set expires_at = now() + interval '30 ms' where id = ${id}`;
      await sql()`select pg_sleep(0.02)`;
      const [taken] = await Promise.all([drafts.takeHtml(version.userId, id), drafts.expire()]);
      await age(id);
      await drafts.expire();
      expect(await balance()).toBe(taken ? 1_180 : 1_500);
    }
  });

  type Written = Awaited<ReturnType<typeof aWrittenArticle>>;

  async function age(id: number): Promise<void> {
    await sql()`update article_previews set expires_at = now() - interval '1 second' where id = ${id}`;
  }

  it('is claimed again by the same publication only, and can be released', async () => {
    const { id, drafts, version } = await aWrittenArticle();
    expect(await drafts.claimForPublishing(version.userId, id, 'p', 'a')).toMatchObject({
      id,
      title: 'Окна',
    });
    expect(await drafts.claimForPublishing(version.userId, id, 'p', 'a')).toMatchObject({ id });
    expect(await drafts.claimForPublishing(version.userId, id, 'other', 'a')).toBeNull();
    expect(await drafts.cancel(version.userId, id)).toBeNull();
    await drafts.release(id, 'p', null);
    expect(await drafts.find(version.userId, id)).toMatchObject({ id });
  });

  it('waits everywhere in its category once its own site is gone', async () => {
    const { id, drafts, version } = await aWrittenArticle();
    const site = await aConnection(sql(), await projectOf(version.categoryId), 'wordpress');
    expect(await drafts.waiting(version.userId, version.categoryId, site)).toEqual({ id, title: 'Окна' });
  });

  it('knows where it may stand, until that is known not to be so', async () => {
    const { id, drafts, version } = await aWrittenArticle();
    const site = {
      id: await aConnection(sql(), await projectOf(version.categoryId), 'wordpress'),
      identifier: 'a',
    };
    await drafts.claimForPublishing(version.userId, id, 'p', 'a');
    await drafts.aim(id, 'somebody else', site);
    await drafts.aim(id, 'p', site);
    await drafts.aim(id, 'p', site);
    await drafts.aim(id, 'p', { id: 0, identifier: 'b' }); // removed at this very moment
    await drafts.release(id, 'p', null);
    const sites = { connectionId: null, details: { mayBeOn: ['a', 'b'] } };
    expect(await drafts.find(version.userId, id)).toMatchObject(sites);
    await drafts.claimForPublishing(version.userId, id, 'q', 'a');
    await drafts.aim(id, 'q', site);
    await drafts.release(id, 'q', 'b');
    expect(await drafts.find(version.userId, id)).toMatchObject({
      connectionId: site.id,
      details: { mayBeOn: ['a'] },
    });
    await drafts.replace(id, 'another version', content);
    expect((await drafts.find(version.userId, id))?.details).toEqual({
      ...content.details,
      version: 'another version',
      mayBeOn: ['a'],
      unknown: 'p',
    });
  });

  async function makes({ version }: Awaited<ReturnType<typeof anArticle>>, role: 'user' | 'admin') {
    await sql()`update users set role = ${role} where id = ${version.userId}`;
  }

  async function projectOf(categoryId: number): Promise<number> {
    const [row] = await sql()<[{ id: number }]>`
      select project_id as id from categories where id = ${categoryId}`;
    return row.id;
  }

  async function anArticle(price = { text: 200, images: 120 }) {
    const userId = await aUser(sql());
    const categoryId = await aCategory(sql(), await aProject(sql(), userId));
    const ledger = makeLedger(sql());
    const drafts = makeArticleDrafts(sql(), ledger);
    const purses = makeDraftPurses(sql(), ledger, drafts);
    const version = {
      key: `${userId}:article`,
      userId,
      categoryId,
      connectionId: null,
      keyword: 'окна',
      price,
    };
    const rows = () => sql()`
      select status, tokens_charged as tokens from article_previews where user_id = ${userId}`;
    return {
      version,
      drafts,
      purses,
      purse: purses.first(version),
      rows: async () => [...(await rows())],
      balance: () => ledger.balance(userId),
    };
  }

  async function aWrittenArticle() {
    const article = await anArticle();
    await article.purse.charge();
    const id = (await article.drafts.fill(article.version.key, content))!;
    return { ...article, id };
  }
});
