import { pino } from 'pino';
import { expect, it } from 'vitest';
import { AiFailed, OperationLost, OutOfTokens, RateLimited } from '../../../src/errors.ts';
import { makeAddKeywords } from '../../../src/services/keywords/add-keywords.ts';
import type { GenerateKeywords } from '../../../src/services/keywords/generate-keywords.ts';
import type { KeywordSet } from '../../../src/services/keywords/keyword-set.ts';
import { makeOrderKeywords } from '../../../src/services/keywords/order-keywords.ts';
import { makeLimitedWork } from '../../../src/services/money/limited-work.ts';
import { makePaidWork, outcomeOfAbandoned } from '../../../src/services/money/paid-work.ts';
import { makeRateLimits } from '../../../src/services/money/rate-limits.ts';
import { makeEndAbandonedWork } from '../../../src/store/abandoned-work.ts';
import { makeArticleDrafts } from '../../../src/store/article-drafts.ts';
import { makeBriefs } from '../../../src/store/briefs.ts';
import { makeCategories } from '../../../src/store/categories.ts';
import { makeCategoryKeywords } from '../../../src/store/category-keywords.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { makeLedger } from '../../../src/store/ledger.ts';
import { createOperations } from '../../../src/store/operations.ts';
import { makePurse } from '../../../src/store/purse.ts';
import { aCluster, aPhrase } from '../../menu/played-keywords.ts';
import { aCategory, aProject, aUser, balanceOf, unbalanced } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const windows = aCluster('Окна', [aPhrase('окна пвх', 900), aPhrase('окна цена', 100)]);
const doors = aCluster(
  'Двери',
  Array.from({ length: 88 }, (_, i) => aPhrase(`двери ${i}`, 3)),
);

const found: KeywordSet = {
  keywords: [windows, doors],
  source: 'data',
  grouping: 'model',
  market: 2804,
};

forEachDatabase((sql) => {
  it('charges what was confirmed, saves what was found, and gives back what was not', async () => {
    const { order, balance, stored } = await aCustomer(async () => found);
    expect(await order()).toEqual({
      clusters: 2,
      phrases: 90,
      added: 90,
      source: 'data',
      grouping: 'model',
      market: 2804,
      spent: 90,
      returned: 10,
    });
    expect(await balance()).toBe(1_410);
    expect(await stored()).toEqual([windows, doors]);
  });

  it('never takes more than was confirmed', async () => {
    const more = aCluster(
      'Ещё',
      Array.from({ length: 40 }, (_, i) => aPhrase(`ещё ${i}`, 1)),
    );
    const keywords = [windows, doors, more];
    const { order, balance } = await aCustomer(async () => ({ ...found, keywords }));
    expect(await order()).toMatchObject({ spent: 100, returned: 0 });
    expect(await balance()).toBe(1_400);
  });

  it('puts the phrases beside those that are there, without repeating any, and takes nothing for those', async () => {
    const asked: unknown[] = [];
    const { order, stored } = await aCustomer(
      async ({ known }) => {
        asked.push(known);
        return found;
      },
      { keywords: [windows] },
    );
    expect(await order()).toMatchObject({ phrases: 90, added: 88, spent: 88, returned: 12 });
    expect(await stored()).toEqual([windows, doors]);
    expect(asked).toEqual([['окна пвх', 'окна цена']]);
  });

  it('asks with the company, the topic and both answers, and hands the stages on', async () => {
    const asked: unknown[] = [];
    const { order, reported } = await aCustomer(async ({ brief, products, geography, quantity, report }) => {
      report('fetching');
      report('clustering');
      asked.push([brief.company.specialization, brief.topic.name, products, geography, quantity]);
      return found;
    });
    await order();
    expect(asked).toEqual([['пластиковые окна', 'Балконы', 'окна, двери', 'Казань', 100]]);
    expect(reported).toEqual(['fetching', 'clustering']);
  });

  it('notes where the company works when it has not said so', async () => {
    const { order, city } = await aCustomer(async () => found);
    await order();
    expect(await city()).toBe('Казань');
  });

  it('takes no country for the city of the company', async () => {
    const { order, city } = await aCustomer(async () => found);
    await order({ geography: 'Россия' });
    expect(await city()).toBeNull();
  });

  it('gives everything back when no model answers (E12), and changes nothing', async () => {
    const failing = async () => Promise.reject(new AiFailed('unavailable', 'no'));
    const { order, balance, stored, city } = await aCustomer(failing, { keywords: [doors] });
    await expect(order()).rejects.toMatchObject({ code: 'AI_GENERATION', refunded: 100, retryable: true });
    expect([await balance(), await stored(), await city()]).toEqual([1_500, [doors], null]);
  });

  it('gives everything back when the category was deleted meanwhile', async () => {
    const { order, balance, remove } = await aCustomer(async () => {
      await remove();
      return found;
    });
    await expect(order()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      refunded: 100,
      retryable: false,
      userMessage: 'Этой категории больше нет.',
    });
    expect(await balance()).toBe(1_500);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('finds no phrases for a category of somebody else', async () => {
    let asked = 0;
    const { order, balance } = await aCustomer(
      async () => {
        asked += 1;
        return found;
      },
      { of: await aUser(sql()) },
    );
    await expect(order()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([asked, await balance()]).toEqual([0, 1_500]);
  });

  it('asks no supplier without enough tokens (E01), and that counts for no attempt', async () => {
    let asked = 0;
    const { order, balance, spend } = await aCustomer(async () => {
      asked += 1;
      return found;
    });
    await spend(1_450);
    for (let press = 0; press < 6; press += 1) {
      await expect(order({ key: `press-${press}` })).rejects.toThrow(OutOfTokens);
    }
    expect([asked, await balance()]).toEqual([0, 50]);
  });

  it('refuses the sixth search of an hour before it charges (E25)', async () => {
    const { order, balance } = await aCustomer(async () => found);
    for (let search = 0; search < 5; search += 1) await order({ key: `search-${search}` });
    const before = await balance();
    await expect(order({ key: 'search-5' })).rejects.toThrow(RateLimited);
    expect(await balance()).toBe(before);
  });

  it('counts for nothing when nothing came of it', async () => {
    let isDown = true;
    const { order } = await aCustomer(async () => {
      if (isDown) throw new AiFailed('unavailable', 'no');
      return found;
    });
    for (let search = 0; search < 6; search += 1)
      await expect(order({ key: `in vain ${search}` })).rejects.toMatchObject({ refunded: 100 });
    isDown = false;
    expect(await order()).toMatchObject({ spent: 90 });
  });

  it('is taken over without being counted again, or refused for its own count', async () => {
    let charges = 0;
    let speak = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const { order, balance, clear } = await aCustomer(async () => found, {
      afterCharging: async () => {
        charges += 1;
        if (charges === 5) await silence;
      },
    });
    for (let search = 1; search <= 4; search += 1) {
      await order({ key: `search-${search}` });
      await clear(); // the next one finds the same
    }
    const silent = order({ key: 'fifth' });
    await expect.poll(() => charges).toBe(5);
    await sql()`update operations set lease_until = now() - interval '1 hour' where key like '%:fifth'`;

    expect(await order({ key: 'fifth' })).toMatchObject({ spent: 90 });
    speak();
    await expect(silent).rejects.toThrow(OperationLost);
    expect(await balance()).toBe(1_500 - 5 * 90);
    await expect(order({ key: 'sixth' })).rejects.toThrow(RateLimited);
  });

  it.each(['suggestions', 'clusters', 'volumes'])(
    'pays once and asks no supplier twice when the process dies behind "%s"',
    async (last) => {
      const bought: string[] = [];
      const death = new AbortController();
      const { order, balance, stored } = await aCustomer(async ({ stage }) => {
        for (const name of ['suggestions', 'clusters', 'volumes']) {
          await stage(name, async () => bought.push(name));
          if (name === last && !death.signal.aborted) {
            death.abort(new Error('killed'));
            throw death.signal.reason;
          }
        }
        return found;
      });
      await expect(order({ signal: death.signal })).rejects.toThrow('killed');
      expect(await balance()).toBe(1_400);

      expect(await order()).toMatchObject({ spent: 90 });
      expect(bought).toEqual(['suggestions', 'clusters', 'volumes']);
      expect(await balance()).toBe(1_410);
      expect(await stored()).toEqual([windows, doors]);
    },
  );

  it('brings back no phrase that was deleted after it had been saved, though the process died in between', async () => {
    const death = new AbortController();
    const { order, balance, stored, clear } = await aCustomer(async () => found, {
      beforeSettling: () => {
        if (death.signal.aborted) return;
        death.abort(new Error('killed'));
        throw death.signal.reason;
      },
    });
    await expect(order({ signal: death.signal })).rejects.toThrow('killed');
    expect(await stored()).toEqual([windows, doors]);
    await clear();

    expect(await order()).toMatchObject({ added: 90, spent: 90 });
    expect([await stored(), await balance()]).toEqual([[], 1_410]);
  });

  it('gives the tokens back when it died with the session that knew of it', async () => {
    const death = new AbortController();
    const { order, balance, endAbandoned } = await aCustomer(async () => {
      death.abort(new Error('killed'));
      throw death.signal.reason;
    });
    await expect(order({ signal: death.signal })).rejects.toThrow('killed');
    expect([await endAbandoned(0.9), await balance()]).toEqual([[], 1_400]);
    expect([await endAbandoned(1.1), await balance()]).toEqual([[100], 1_500]);
    expect([await endAbandoned(1.1), await balance()]).toEqual([[], 1_500]);
    await expect(order()).rejects.toMatchObject({ code: 'ABANDONED', refunded: 100 });
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('gives only the surplus back when it died with its session behind the phrases it had found', async () => {
    const { order, balance, endAbandoned } = await aCustomer(async () => found, {
      beforeSettling: () => {
        throw new Error('killed');
      },
    });
    await expect(order()).rejects.toThrow('killed');
    expect([await endAbandoned(1.1), await balance()]).toEqual([[10], 1_410]);
    expect(await order()).toMatchObject({ spent: 90 });
    expect(await balance()).toBe(1_410);
  });

  it('charges an admin nothing', async () => {
    const { order, balance } = await aCustomer(async () => found, { isAdmin: true });
    await order();
    expect(await balance()).toBe(1_500);
  });

  async function aCustomer(
    generateKeywords: GenerateKeywords,
    {
      keywords = [] as unknown,
      isAdmin = false,
      of = null as number | null,
      afterCharging = async () => {},
      beforeSettling = () => {},
    } = {},
  ) {
    const userId = await aUser(sql(), { isAdmin });
    const categoryId = await aCategory(sql(), await aProject(sql(), of ?? userId), keywords);
    const operations = createOperations(sql());
    const ledger = makeLedger(sql());
    const store = makeCategoryKeywords(sql());
    const reported: string[] = [];
    const orderKeywords = makeOrderKeywords({
      briefOf: (person, category) => makeBriefs(sql()).ofCategory(person, category, 'wordpress'),
      keywordsOf: async (person, category) => (await store.read(person, category))?.keywords ?? null,
      purse: (payment) => {
        const purse = makePurse(sql(), ledger)(payment);
        return {
          ...purse,
          charge: async () => {
            await purse.charge();
            await afterCharging();
          },
          settle: async (spent) => {
            beforeSettling();
            await purse.settle(spent);
          },
        };
      },
      limitedWork: makeLimitedWork({
        limits: makeRateLimits(createMemoryKeyValueStore()),
        paidWork: makePaidWork(operations),
        log: pino({ enabled: false }),
      }),
      generateKeywords,
      addKeywords: makeAddKeywords({ operations, store }),
    });
    const endAbandonedWork = makeEndAbandonedWork({
      sql: sql(),
      ledger,
      drafts: makeArticleDrafts(sql(), ledger),
      outcomeOf: outcomeOfAbandoned,
    });
    return {
      reported,
      order: ({ key = 'first', signal = new AbortController().signal, geography = 'Казань' } = {}) =>
        orderKeywords(
          {
            key: `${userId}:${key}`,
            userId,
            categoryId,
            products: 'окна, двери',
            geography,
            quantity: 100,
            price: 100,
          },
          signal,
          (stage) => reported.push(stage),
        ),
      balance: () => balanceOf(sql(), userId),
      stored: async () => (await store.read(userId, categoryId))?.keywords,
      city: async () => (await store.customer(userId, categoryId))?.city,
      remove: () => makeCategories(sql()).remove(userId, categoryId),
      /** The amounts that came back from work that was left so many hours ago. */
      endAbandoned: async (hours: number) => {
        await sql()`
          update operations set created_at = now() - ${hours} * interval '1 hour',
            updated_at = now() - ${hours} * interval '1 hour'
          where user_id = ${userId} and status = 'running'`;
        return (await endAbandonedWork()).map(({ returned }) => returned);
      },
      clear: () => store.change(userId, categoryId, () => []),
      spend: (amount: number) =>
        ledger.charge({ key: `${userId}:spent`, userId, amount, type: 'text_generation' }),
    };
  }
});
