import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HELD_SECONDS, makeHoldPhrase } from '../../../src/services/article/hold-phrase.ts';
import { makeOfferArticle } from '../../../src/services/article/offer-article.ts';
import { makeBriefs } from '../../../src/store/briefs.ts';
import { makeCategories } from '../../../src/store/categories.ts';
import { makeConnections } from '../../../src/store/connections.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { makeLedger } from '../../../src/store/ledger.ts';
import { makePublications } from '../../../src/store/publications.ts';
import { aCluster, anArticleCustomer, type CustomerOptions, PHRASE } from '../../support/article-customer.ts';
import { testSealing } from '../../support/article-works.ts';
import { aUser } from '../../support/rows.ts';
import { freshDatabase, opening } from '../../support/stores.ts';

const database = opening(() => freshDatabase('PGlite'));

describe('the offer of an article', () => {
  it('names the phrase, its demand and the price of an average text with its pictures', async () => {
    const { offer } = await asked({ images: 4 });
    expect(offer).toMatchObject({
      offer: {
        phrase: PHRASE,
        volume: 900,
        clusters: 1,
        images: 4,
        text: 200,
        pictures: 120,
        balance: 1_500,
      },
    });
  });

  it('charges nothing and moves nothing', async () => {
    const { customer } = await asked();
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toEqual([]);
  });

  it('E16: is not made for a category without phrases', async () => {
    expect((await asked({ keywords: [] })).offer).toEqual({ blocked: 'no-phrases' });
  });

  it('E40: is not made where no cluster fits an article', async () => {
    const keywords = [aCluster('купить кухню', { cluster_type: 'product_page' })];
    expect((await asked({ keywords })).offer).toEqual({ blocked: 'no-article-phrases' });
  });

  it('E22: comes with the phrase used longest ago when all were used within a week', async () => {
    const keywords = [aCluster('кухни дорогие', { total_volume: 5_000 }), aCluster('кухни простые')];
    const { customer, ask } = await asked({ keywords });
    await used(customer, 'кухни дорогие', 1);
    expect(await ask()).toMatchObject({ offer: { phrase: 'кухни простые', reused: false } });
    await used(customer, 'Кухни простые', 3);
    expect(await ask()).toMatchObject({ offer: { phrase: 'кухни простые', reused: true } });
  });

  it('tells how many topics are left that no article was about for 90 days', async () => {
    const keywords = ['кухни', 'шкафы', 'столы'].map((phrase) => aCluster(phrase));
    const { customer, offer, ask } = await asked({
      keywords: [...keywords, aCluster('купить', { cluster_type: 'product_page' })],
    });
    expect(offer).toMatchObject({ offer: { clusters: 3 } });
    await used(customer, 'кухни', 1);
    await used(customer, 'шкафы', 91);
    expect(await ask()).toMatchObject({ offer: { clusters: 2 } });
  });

  it('E36: takes the phrases of an old list by their demand, and lets each rest for 90 days', async () => {
    const keywords = [
      { phrase: 'кухни редкие', volume: 10, difficulty: 5, cpc: 1 },
      { phrase: 'кухни частые', volume: 100, difficulty: 50, cpc: 1 },
    ];
    const { customer, offer, ask } = await asked({ keywords });
    expect(offer).toMatchObject({ offer: { phrase: 'кухни частые', volume: 100, clusters: 0 } });
    await used(customer, 'кухни частые', 89);
    expect(await ask()).toMatchObject({ offer: { phrase: 'кухни редкие', volume: 10 } });
    await used(customer, 'кухни редкие', 95);
    await database().sql`update publication_logs set created_at = now() - interval '91 days'`;
    expect(await ask()).toMatchObject({ offer: { phrase: 'кухни частые', reused: false } });
  });

  it('does not take a failed publication or a post for a use', async () => {
    const { customer, ask } = await asked();
    await used(customer, PHRASE, 0, { status: 'failed' });
    await used(customer, PHRASE, 0, { content_type: 'social_post' });
    expect(await ask()).toMatchObject({ offer: { reused: false } });
  });

  it('keeps its phrase for 15 minutes: neither a schedule nor another category takes it meanwhile', async () => {
    const keywords = ['кухни', 'шкафы'].map((phrase, i) => aCluster(phrase, { total_volume: 900 - i }));
    const { customer, service, offer, ask, bySchedule } = await asked({ keywords });
    const { userId, projectId, connectionId } = customer;
    const { sql } = database();
    const [other] = await sql<[{ id: number }]>`
      insert into categories (project_id, name, keywords)
      values (${projectId}, 'Другая', ${JSON.stringify(keywords)}::text::jsonb) returning id`;
    const inOther = () => service(userId, other.id, connectionId, false);
    expect(offer).toMatchObject({ offer: { phrase: 'кухни' } });
    expect(await ask()).toMatchObject({ offer: { phrase: 'кухни' } });
    expect(await inOther()).toMatchObject({ offer: { phrase: 'шкафы', reused: false } });
    // Nothing is left that nobody looks at: better the same phrase than none.
    expect(await bySchedule()).toMatchObject({ offer: { phrase: 'кухни', reused: false } });
    expect(await service(userId, other.id, connectionId, false, 'кухни')).toMatchObject({
      offer: { phrase: 'кухни' },
    });
    vi.useFakeTimers({ now: Date.now() + HELD_SECONDS * 1_000 + 1, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await inOther()).toMatchObject({ offer: { phrase: 'кухни' } });
  });

  it('is for the owner of both category and site, and for a site of the same project', async () => {
    const { customer, service } = await asked();
    const other = await anArticleCustomer(database().sql);
    const stranger = await aUser(database().sql);
    const { userId, categoryId, connectionId } = customer;
    expect(await service(stranger, categoryId, connectionId, false)).toEqual({ missing: true });
    expect(await service(userId, categoryId, other.connectionId, false)).toEqual({ missing: true });
    expect(await service(userId, other.categoryId, connectionId, false)).toEqual({ missing: true });
  });
});

async function asked(options: CustomerOptions = {}) {
  const { sql } = database();
  const customer = await anArticleCustomer(sql, options);
  const briefs = makeBriefs(sql);
  const keyValues = createMemoryKeyValueStore(() => Date.now());
  const by = (who: string) =>
    makeOfferArticle({
      briefOf: (userId, categoryId) => briefs.ofCategory(userId, categoryId, 'wordpress'),
      usesOf: (categoryId) => briefs.uses(categoryId, 'article'),
      placeOf: makeCategories(sql).place,
      findConnection: makeConnections(sql, testSealing).find,
      balanceOf: makeLedger(sql).balance,
      earlierOf: makePublications(sql).earlierArticles,
      holdPhrase: makeHoldPhrase(keyValues, who),
    });
  const service = by('person');
  const bySchedule = () => by('schedule')(customer.userId, customer.categoryId, customer.connectionId, false);
  const ask = () => service(customer.userId, customer.categoryId, customer.connectionId, false);
  return { customer, service, ask, bySchedule, offer: await ask() };
}

async function used(
  { userId, projectId, categoryId }: { userId: number; projectId: number; categoryId: number },
  keyword: string,
  daysAgo: number,
  more: { status?: string; content_type?: string } = {},
): Promise<void> {
  const { status = 'success', content_type = 'article' } = more;
  await database().sql`
    insert into publication_logs (user_id, project_id, category_id, platform_type, keyword, status, content_type, created_at)
    values (${userId}, ${projectId}, ${categoryId}, 'wordpress', ${keyword}, ${status}, ${content_type},
      now() - ${daysAgo} * interval '1 day')`;
}
