import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/engine/json.ts';
import type { RunStage } from '../../src/engine/operations.ts';
import { OutOfTokens } from '../../src/errors.ts';
import { prices } from '../../src/prices.ts';
import { makeWriteReviews } from '../../src/services/category/write-reviews.ts';
import { makePaidWork } from '../../src/services/money/paid-work.ts';
import { makeAnalyseCompetitor } from '../../src/services/site/analyse-competitor.ts';
import { makeCategories } from '../../src/store/categories.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { createOperations } from '../../src/store/operations.ts';
import { makeProjects } from '../../src/store/projects.ts';
import { makePurse, type Payment } from '../../src/store/purse.ts';
import { aCategory, aDraft, aProject, aPublication, aUser, balanceOf, unbalanced } from '../support/rows.ts';
import { workbench } from './article/workbench.ts';
import { keptLog } from './pictures/kept-log.ts';
import { brief } from './posts/flower-shop.ts';

/** Rows of the edge cases that several parts of the product have to keep together. */

const bench = workbench();

describe('a competitor’s page', () => {
  it('E31b: that cannot be read costs nothing', async () => {
    const userId = await aPayer();
    bench().firecrawl.faults.add({ match: 'scrape', times: null, fault: { kind: 'status', status: 503 } });
    await expect(analysed(userId)).rejects.toMatchObject({
      userMessage: 'Анализ конкурентов недоступен. Попробуйте позже.',
      refunded: 50,
    });
    expect(await balanceOf(bench().sql, userId)).toBe(1_500);
    expect(bench().asked()).toEqual([]);
  });

  it('E38b: is not read for somebody who cannot pay for it', async () => {
    const userId = await aPayer(49);
    bench().firecrawl.faults.add({ match: 'scrape', times: 1, fault: { kind: 'status', status: 503 } });
    await expect(analysed(userId)).rejects.toMatchObject({
      userMessage: 'Недостаточно токенов. Нужно 50, у вас 49.',
    });
    expect(bench().firecrawl.faults.list()).toHaveLength(1); // no request came to be struck by it
    expect(await balanceOf(bench().sql, userId)).toBe(49);
  });

  it('costs its price once it was looked into', async () => {
    const userId = await aPayer();
    expect(await analysed(userId)).toMatchObject({ recommendations: expect.any(Array) });
    expect(await balanceOf(bench().sql, userId)).toBe(1_450);
  });

  function analysed(userId: number) {
    const { readPage, extractCompetitor, ask } = bench().works.writing;
    const analyse = makeAnalyseCompetitor({ readPage, extract: extractCompetitor, ask, log: keptLog().log });
    const spent = prices.competitorAnalysis;
    return paid(userId, { competitor_analysis: spent }, async (stage, signal) => ({
      result: await analyse({
        url: 'https://rival.example',
        brief,
        categoryKeywords: [],
        userId,
        stage,
        signal,
      }),
      spent,
    }));
  }
});

describe('reviews', () => {
  it.each([3, 5, 10] as const)('E38a: %i of them are not written for too few tokens', async (quantity) => {
    const price = quantity * prices.review;
    const userId = await aPayer(price - 1);
    await expect(reviewed(userId, quantity)).rejects.toMatchObject({
      userMessage: `Недостаточно токенов. Нужно ${price}, у вас ${price - 1}.`,
    });
    expect(bench().asked()).toEqual([]);
    expect(await balanceOf(bench().sql, userId)).toBe(price - 1);
  });

  it('E12: are given back when no model of the chain answers', async () => {
    const userId = await aPayer();
    bench().openRouter.moods.add({ kind: 'fails', task: 'review', times: null, status: 429 });
    await expect(reviewed(userId, 5)).rejects.toMatchObject({ code: 'AI_GENERATION', refunded: 50 });
    expect(await balanceOf(bench().sql, userId)).toBe(1_500);
  });

  function reviewed(userId: number, quantity: 3 | 5 | 10) {
    const write = makeWriteReviews({ ask: bench().works.writing.ask });
    return paid(userId, { review: quantity * prices.review }, async (stage, signal) => {
      const written = await write({ brief, quantity, userId, stage, signal });
      return { result: written, spent: written.reviews.length * prices.review };
    });
  }
});

describe('a post for another platform', () => {
  it('E52: that fails is given back, and the original stays paid', async () => {
    const userId = await aPayer();
    const original = {
      platform: 'telegram',
      text: 'Букет невесты собираем утром.',
      hasPicture: true,
    } as const;
    await paid(userId, { text_generation: 10, image_generation: 30 }, async () => ({
      result: null,
      spent: 40,
    }));
    bench().openRouter.moods.add({ kind: 'fails', task: 'cross_post', times: null });
    const adapted = paid(userId, { cross_post: 10 }, async (stage, signal) => ({
      result: await bench().works.writing.adaptPost({
        ...{ brief, keyword: 'букет невесты', original, target: 'vk', userId, stage, signal },
      }),
      spent: 10,
    }));
    await expect(adapted).rejects.toMatchObject({ code: 'AI_GENERATION', refunded: 10 });
    expect(await balanceOf(bench().sql, userId)).toBe(1_460);
  });
});

describe('a deletion with live drafts', () => {
  it('E11, E42: of a project closes every draft, gives each one’s tokens back once, and the rest goes', async () => {
    const { sql } = bench();
    const { userId, projectId } = await withDrafts([100, 200]);
    await aPublication(sql, { userId, projectId });
    expect(await makeProjects(sql).remove(userId, projectId)).toEqual({ refunded: 300 });
    expect(await makeProjects(sql).remove(userId, projectId)).toBeNull();
    expect(await balanceOf(sql, userId)).toBe(1_500);
    expect(await sql`select 1 from article_previews where user_id = ${userId}`).toHaveLength(0);
    expect(await unbalanced(sql)).toEqual([]);
  });

  it('E24, E42: of a category gives the tokens of its own drafts back and leaves the others', async () => {
    const { sql } = bench();
    const { userId, projectId, categoryId } = await withDrafts([100]);
    const other = await aCategory(sql, projectId);
    await aDraft(sql, { userId, projectId, categoryId: other, tokens: 50 });
    expect(await makeCategories(sql).remove(userId, categoryId)).toMatchObject({ refunded: 100 });
    expect(await balanceOf(sql, userId)).toBe(1_450);
    expect(await sql`select category_id from article_previews where user_id = ${userId}`).toEqual([
      { category_id: other },
    ]);
  });

  it('E42: of a category returns nothing for a draft on its way to the site', async () => {
    const customer = await bench().aCustomer();
    const { draftId, spent } = await customer.generate();
    let refunded: number | undefined;
    bench().publishes(async () => {
      const gone = await makeCategories(bench().sql).remove(customer.userId, customer.categoryId);
      refunded = gone?.refunded;
      return { outcome: 'sent', providerMessageId: '1', url: null, warnings: [], raw: null };
    });
    await customer.publish(draftId);
    expect(refunded).toBe(0);
    expect(await customer.balance()).toBe(1_500 - spent);
    const [log] = await bench().sql`
      select category_id, tokens_spent from publication_logs where user_id = ${customer.userId}`;
    expect(log).toEqual({ category_id: null, tokens_spent: spent }); // logs keep an empty category
  });

  async function withDrafts(tokens: readonly number[]) {
    const { sql } = bench();
    const userId = await aUser(sql);
    const projectId = await aProject(sql, userId);
    const categoryId = await aCategory(sql, projectId);
    for (const each of tokens) await aDraft(sql, { userId, projectId, categoryId, tokens: each });
    return { userId, projectId, categoryId };
  }
});

describe('a payment that was taken back after its tokens were spent', () => {
  it('X05: leaves a debt that blocks all work until a purchase has cleared it', async () => {
    const { sql } = bench();
    const ledger = makeLedger(sql);
    const userId = await aPayer(0);
    await ledger.credit({ key: `${userId}:buy`, userId, amount: 1_000, type: 'purchase' });
    await paid(userId, { audit: 900 }, async () => ({ result: null, spent: 900 }));
    await ledger.forceDebit({ key: `${userId}:taken back`, userId, amount: 1_000 });
    expect(await ledger.balance(userId)).toBe(-900);
    const work = () => paid(userId, { description: 20 }, async () => ({ result: 'done', spent: 20 }));
    await expect(work()).rejects.toThrow(OutOfTokens);
    await ledger.credit({ key: `${userId}:buy more`, userId, amount: 910, type: 'purchase' });
    await expect(work()).rejects.toThrow(OutOfTokens);
    await ledger.credit({ key: `${userId}:and more`, userId, amount: 100, type: 'purchase' });
    expect(await work()).toBe('done');
    expect(await ledger.balance(userId)).toBe(90);
    expect(await unbalanced(sql)).toEqual([]);
  });
});

async function aPayer(balance = 1_500): Promise<number> {
  const userId = await aUser(bench().sql);
  const amount = 1_500 - balance;
  if (amount > 0) await makeLedger(bench().sql).forceDebit({ key: `${userId}:spent`, userId, amount });
  return userId;
}

function paid<Result extends Json>(
  userId: number,
  parts: Payment['parts'],
  work: (stage: RunStage, signal: AbortSignal) => Promise<{ result: Result; spent: number }>,
): Promise<Result> {
  const { sql } = bench();
  const key = `${userId}:${Object.keys(parts).join()}`;
  const purse = makePurse(sql, makeLedger(sql))({ key, userId, parts, description: key });
  return makePaidWork(createOperations(sql))({ key, userId, request: parts }, purse, work);
}
