import { describe, expect, it } from 'vitest';
import { OutOfTokens, RateLimited } from '../../../src/errors.ts';
import { settled, total } from '../../../src/prices.ts';
import { PaidWorkFailed } from '../../../src/services/money/paid-work.ts';
import { makeRateLimits } from '../../../src/services/money/rate-limits.ts';
import { makeCategories } from '../../../src/store/categories.ts';
import { createPostgresKeyValueStore } from '../../../src/store/key-value-postgres.ts';
import { PHRASE } from '../../support/article-customer.ts';
import { aPublication, unbalanced } from '../../support/rows.ts';
import { databaseKinds } from '../../support/stores.ts';
import { mediocre } from './poor-texts.ts';
import { type Customer, workbench } from './workbench.ts';

const bench = workbench();
const stop = () => new Error('the process stops');

describe('an article that was ordered', () => {
  it('becomes a draft to look at, for what was confirmed at most', async () => {
    const customer = await bench().aCustomer();
    const { text, pictures: images } = await customer.offer();
    const preview = await customer.generate();
    const cost = total(settled({ text, images }, preview));
    expect(preview).toMatchObject({
      images: 2,
      imagesWanted: 2,
      phrase: PHRASE,
      regenerations: 0,
      warnings: [],
    });
    expect(preview.spent + preview.returned).toBe(text + images);
    expect(preview.spent).toBe(cost);
    expect(await customer.balance()).toBe(1_500 - cost);
    expect(await customer.drafts()).toMatchObject([{ id: preview.draftId, status: 'draft', tokens: cost }]);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('costs less when it came out shorter', async () => {
    const customer = await bench().aCustomer();
    bench().retouch('article', mediocre);
    bench().retouch('article_critique', mediocre);
    const { spent, returned, words } = await customer.generate();
    expect(words).toBeLessThan(300);
    expect({ spent, returned }).toEqual({ spent: 20 + 60, returned: 180 });
    expect(await customer.balance()).toBe(1_500 - 80);
    expect(await customer.expenses()).toEqual([
      { type: 'text_generation', amount: -200 },
      { type: 'image_generation', amount: -60 },
      { type: 'refund', amount: 180 },
    ]);
  });

  it('is written once however often it is asked for under its key', async () => {
    const customer = await bench().aCustomer();
    const offer = await customer.offer();
    const first = await customer.accept(offer);
    const asked = bench().asked().length;
    expect(await customer.accept(offer)).toEqual(first);
    expect(bench().asked()).toHaveLength(asked);
    expect(await customer.drafts()).toHaveLength(1);
  });

  it('E22: says that a phrase comes again when all of them were used lately', async () => {
    const customer = await bench().aCustomer();
    await aPublication(bench().sql, customer);
    await bench().sql`
      update publication_logs set keyword = ${PHRASE}, category_id = ${customer.categoryId}
      where user_id = ${customer.userId}`;
    expect(await customer.offer()).toMatchObject({ phrase: PHRASE, reused: true, text: 200, pictures: 60 });
    const { warnings } = await customer.generate();
    expect(warnings).toContain(`Свободных фраз не осталось, «${PHRASE}» использована повторно.`);
  });

  it('costs the admin nothing, whatever becomes of it', async () => {
    const admin = await bench().aCustomer({ isAdmin: true });
    const { draftId, spent } = await admin.generate();
    expect(spent).toBeGreaterThan(0);
    expect(await admin.balance()).toBe(1_500);
    expect(await admin.cancel(draftId)).toEqual({ returned: 0 });
    bench().openRouter.moods.add({ kind: 'fails', task: 'article', times: null });
    await expect(admin.generate('another')).rejects.toMatchObject({ refunded: 0 });
    expect(await admin.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('gives back no tokens that were not charged: to a person who was the admin when it began, and is no longer', async () => {
    const customer = await bench().aCustomer({ isAdmin: true });
    const { draftId } = await customer.generate();
    await bench().sql`update users set role = 'user' where id = ${customer.userId}`;
    expect(await customer.cancel(draftId)).toEqual({ returned: 0 });
    expect(await customer.balance()).toBe(1_500);
  });
});

describe('an article that may not be begun', () => {
  it.each([0, 100, 230])(
    'E01: is not written with %i tokens, and the whole price is named',
    async (balance) => {
      const customer = await bench().aCustomer({ balance });
      const refused = customer.generate();
      await expect(refused).rejects.toThrow(OutOfTokens);
      await expect(refused).rejects.toMatchObject({
        userMessage: `Недостаточно токенов. Нужно 260, у вас ${balance}.`,
      });
      expect(bench().asked()).toEqual([]);
      expect(await customer.drafts()).toEqual([]);
      expect(await customer.balance()).toBe(balance);
    },
  );

  it('E01: is not written on a debt', async () => {
    const customer = await bench().aCustomer({ balance: -50 });
    await expect(customer.generate()).rejects.toThrow(OutOfTokens);
    expect(await customer.balance()).toBe(-50);
  });

  it('E25: waits when there were ten texts in this hour, and nothing is charged', async () => {
    const customer = await bench().aCustomer();
    await takeSlots('text_generation', customer.userId, 10);
    const refused = customer.generate();
    await expect(refused).rejects.toThrow(RateLimited);
    await expect(refused).rejects.toMatchObject({
      userMessage: expect.stringMatching(/10 текстов.+60 мин/u),
    });
    expect(bench().asked()).toEqual([]);
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toEqual([]);
  });

  it('E25: takes no slot of any limit when it is refused', async () => {
    const customer = await bench().aCustomer({ balance: 0 });
    await takeSlots('image_generation', customer.userId, 59);
    await expect(customer.generate('too many pictures')).rejects.toThrow(RateLimited);
    await bench().sql`delete from key_values where key like '%image_generation'`;
    await expect(customer.generate('too few tokens')).rejects.toThrow(OutOfTokens);
    expect(await counted(customer)).toEqual({ text_generation: 0, image_generation: 0 });
  });

  function takeSlots(action: 'text_generation' | 'image_generation', userId: number, slots: number) {
    return makeRateLimits(createPostgresKeyValueStore(bench().sql)).take(action, userId, slots);
  }
});

describe('an article whose models fail', () => {
  it('E12: is written by the next model of the chain', async () => {
    const customer = await bench().aCustomer();
    const first = 'anthropic/claude-sonnet-4.5';
    bench().openRouter.moods.add({
      kind: 'fails',
      task: 'article',
      models: [first],
      times: null,
      status: 429,
    });
    await customer.generate();
    expect(bench().asked('article')).toMatchObject([{ model: expect.stringMatching(/^openai\/gpt-5\.2/u) }]);
    expect(bench().logged('a model answered')).toContainEqual(
      expect.objectContaining({ task: 'article', fallbackUsed: true }),
    );
  });

  it('E12: gives everything back when the whole chain is down', async () => {
    const customer = await bench().aCustomer();
    bench().openRouter.moods.add({ kind: 'fails', times: null, status: 429 });
    const failed = customer.generate();
    await expect(failed).rejects.toThrow(PaidWorkFailed);
    await expect(failed).rejects.toMatchObject({ code: 'AI_GENERATION', refunded: 260 });
    expect(await customer.balance()).toBe(1_500);
    expect(await counted(customer)).toEqual({ text_generation: 0, image_generation: 0 });
  });

  it('E34: goes on without pictures, whose price comes back', async () => {
    const customer = await bench().aCustomer();
    bench().openRouter.moods.add({ kind: 'fails', task: 'image', times: null });
    const preview = await customer.generate();
    expect(preview).toMatchObject({ images: 0, imagesWanted: 2, returned: 60 });
    expect(preview.warnings).toContain('Картинки нарисовать не удалось, токены за них вернулись.');
    expect((await customer.drafts())[0]!.html).not.toMatch(/<img|<figure|IMAGE_/u);
    expect(await customer.balance()).toBe(1_500 - 200);
  });

  it('X06: takes the pictures that came, and gives the price of the others back', async () => {
    const customer = await bench().aCustomer({ images: 3 });
    bench().retouch('image_director', nthIsSpecial);
    bench().openRouter.moods.add({ kind: 'fails', task: 'image', prompt: 'SECOND', times: null });
    const preview = await customer.generate();
    expect(preview).toMatchObject({ images: 2, imagesWanted: 3, returned: 30 });
    expect(preview.warnings).toContain('Картинок получилось 2 из 3, токены за остальные вернулись.');
    expect((await customer.drafts())[0]!.html.match(/<img /gu)).toHaveLength(2);
    expect(await counted(customer)).toEqual({ text_generation: 1, image_generation: 2 });
  });

  it('E35: keeps nothing when the text failed, and gives everything back', async () => {
    const customer = await bench().aCustomer();
    // It fails when the pictures are there already.
    bench().retouch('article', async () => {
      await expect.poll(() => storedPictures(customer.userId)).toHaveLength(2);
      bench().openRouter.moods.add({ kind: 'fails', task: 'article', times: null });
      return 'no article';
    });
    await expect(customer.generate()).rejects.toMatchObject({ code: 'AI_GENERATION', refunded: 260 });
    expect(await customer.drafts()).toMatchObject([{ status: 'cancelled', html: null }]);
    expect(await storedPictures(customer.userId)).toEqual([]);
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });
});

describe('an article that is interrupted', () => {
  it('E42: gives its tokens back once when its category is deleted in the middle', async () => {
    const customer = await bench().aCustomer();
    const { userId, categoryId } = customer;
    bench().retouch('article', async (answer) => {
      expect(await makeCategories(bench().sql).remove(userId, categoryId)).toMatchObject({ refunded: 260 });
      return answer;
    });
    await expect(customer.generate()).rejects.toMatchObject({ userMessage: 'Этой категории больше нет.' });
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toEqual([]);
    expect(await storedPictures(userId)).toEqual([]);
    expect((await customer.expenses()).filter(({ type }) => type === 'refund')).toHaveLength(1);
  });

  it('X01: is given back by the cleanup when it is abandoned', async () => {
    const customer = await bench().aCustomer();
    await expect(diesWhileWriting(customer)).rejects.toThrow('stops');
    expect(await customer.drafts()).toMatchObject([{ status: 'draft', tokens: 260, html: null }]);
    await customer.expire();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 1, refunds: 260 });
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    expect(await customer.balance()).toBe(1_500);

    const late = customer.generate();
    await expect(late).rejects.toMatchObject({ code: 'DRAFT_EXPIRED', refunded: 260 });
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('is finished by the next call with its key, and paid once', async () => {
    const customer = await bench().aCustomer();
    const offer = await customer.offer();
    await expect(diesWhileWriting(customer)).rejects.toThrow('stops');
    expect(await customer.balance()).toBe(1_240);
    const { spent } = await customer.accept(offer);
    expect(bench().asked('article_outline')).toHaveLength(1);
    expect(await customer.balance()).toBe(1_500 - spent);
  });

  async function diesWhileWriting(customer: Customer) {
    const dying = new AbortController();
    bench().retouch('article', () => void dying.abort(stop()));
    return customer.generate(undefined, dying.signal);
  }
});

describe.skipIf(!databaseKinds.includes('PostgreSQL'))('on PostgreSQL, at the same moment', () => {
  const shared = workbench('PostgreSQL');

  it('E01: of two articles for the tokens of one, one is written', async () => {
    const customer = await shared().aCustomer({ balance: 300 });
    const offer = await customer.offer();
    const outcomes = await Promise.allSettled(['one', 'other'].map((name) => customer.accept(offer, name)));
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(reasons).toEqual([expect.any(OutOfTokens)]);
    expect(await customer.drafts()).toHaveLength(1);
    expect(await customer.balance()).toBeGreaterThanOrEqual(40);
    expect(await unbalanced(shared().sql)).toEqual([]);
  });

  it('is written once for two who ask under one key', async () => {
    const customer = await shared().aCustomer();
    const offer = await customer.offer();
    const [one, other] = await Promise.all([customer.accept(offer), customer.accept(offer)]);
    expect(other).toEqual(one);
    expect(shared().asked('article')).toHaveLength(1);
    expect(await customer.drafts()).toHaveLength(1);
    expect(await customer.balance()).toBe(1_500 - one.spent);
  });
});

function nthIsSpecial({ images, ...plan }: { images: { prompt: string }[] }) {
  const names = ['FIRST', 'SECOND', 'THIRD'];
  return { ...plan, images: images.map((image, i) => ({ ...image, prompt: `${names[i]} picture` })) };
}

/** What stands against the limits of this hour. */
async function counted({ userId }: Customer): Promise<Record<string, number>> {
  const rows = await bench().sql<{ action: string; value: string }[]>`
    select split_part(key, ':', 3) as action, value from key_values where key like ${`rate:${userId}:%`}`;
  return Object.fromEntries(rows.map(({ action, value }) => [action, Number(value)]));
}

async function storedPictures(userId: number): Promise<string[]> {
  const all = await bench().works.pictures.listOlderThan(new Date(Date.now() + 60_000));
  return all.filter((path) => path.startsWith(`${userId}/`));
}
