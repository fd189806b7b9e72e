import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OperationKeyReused, OutOfTokens } from '../../src/errors.ts';
import { type Movement, makeLedger } from '../../src/store/ledger.ts';
import { aUser, unbalanced } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

type Step = {
  door: 'charge' | 'refund' | 'credit' | 'forceDebit';
  amount: number;
  key: number;
  /** The process dies between the movement and its commit. */
  dies: boolean;
};

const steps = fc.array(
  fc.record<Step>({
    door: fc.constantFrom('charge', 'charge', 'refund', 'credit', 'forceDebit'),
    amount: fc.integer({ min: 1, max: 900 }),
    key: fc.integer({ min: 0, max: 7 }),
    dies: fc.boolean(),
  }),
  { minLength: 1, maxLength: 24 },
);

class Died extends Error {}

let runs = 0;

forEachDatabase((sql, kind) => {
  const ledger = () => makeLedger(sql());

  it('charges, and gives back what the work did not cost', async () => {
    const userId = await aUser(sql());
    expect(await ledger().charge({ userId, key: `${userId}:a`, amount: 320, type: 'text_generation' })).toBe(
      1_180,
    );
    expect(await ledger().refund({ userId, key: `${userId}:b`, amount: 120 })).toBe(1_300);
    expect(await ledger().balance(userId)).toBe(1_300);
  });

  it('says what is needed and what is there when it is too little, and takes nothing', async () => {
    const userId = await aUser(sql());
    const charge = ledger().charge({ userId, key: `${userId}:a`, amount: 1_501, type: 'text_generation' });
    await expect(charge).rejects.toThrow(OutOfTokens);
    await expect(charge).rejects.toMatchObject({
      userMessage: 'Недостаточно токенов. Нужно 1\u2009501, у вас 1\u2009500.',
    });
    expect(await ledger().balance(userId)).toBe(1_500);
  });

  it('refuses another movement under a key that is taken', async () => {
    const userId = await aUser(sql());
    await ledger().credit({ userId, key: `${userId}:a`, amount: 100, type: 'purchase' });
    await expect(
      ledger().credit({ userId, key: `${userId}:a`, amount: 200, type: 'purchase' }),
    ).rejects.toThrow(OperationKeyReused);
  });

  it('lets a payment that was taken back leave a debt', async () => {
    const userId = await aUser(sql());
    expect(await ledger().forceDebit({ userId, key: `${userId}:a`, amount: 2_000 })).toBe(-500);
    const charge = ledger().charge({ userId, key: `${userId}:b`, amount: 1, type: 'text_generation' });
    await expect(charge).rejects.toThrow(OutOfTokens);
  });

  it('charges an admin nothing, and the ledger tells what it would have been (GOD mode)', async () => {
    const userId = await aUser(sql(), { isAdmin: true });
    const charge = { userId, key: `${userId}:a`, amount: 9_000, type: 'text_generation' } as const;
    expect(await ledger().charge({ ...charge, description: 'article' })).toBe(1_500);
    expect(await ledger().charge({ ...charge, description: 'article' })).toBe(1_500);

    const rows = await sql()`
      select amount, operation_type, description from token_expenses where user_id = ${userId} order by id`;
    expect(rows).toEqual([
      { amount: 0, operation_type: 'text_generation', description: 'article · GOD_MODE: 9000' },
    ]);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('gives back to an admin what was charged before they became one', async () => {
    const userId = await aUser(sql());
    await ledger().charge({ userId, key: `${userId}:a`, amount: 300, type: 'text_generation' });
    await sql()`update users set role = 'admin' where id = ${userId}`;
    expect(await ledger().refund({ userId, key: `${userId}:b`, amount: 300 })).toBe(1_500);
  });

  it('credits an admin who pays like anybody else', async () => {
    const userId = await aUser(sql(), { isAdmin: true });
    expect(await ledger().credit({ userId, key: `${userId}:a`, amount: 500, type: 'purchase' })).toBe(2_000);
  });

  it('conserves every token, whatever happens at once, again, or to a process in the middle', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const userId = await aUser(sql());
        runs += 1;
        const prefix = `${kind}:${userId}:${runs}`;
        const outcomes = await Promise.all(plan.map((step) => attempt(step, prefix, userId)));

        const rows = await sql()<{ key: string; amount: number }[]>`
          select operation_key as key, amount from token_expenses where user_id = ${userId}`;
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        const sum = rows.reduce((so, { amount }) => so + amount, 0);
        const balance = await ledger().balance(userId);
        expect(balance).toBe(1_500 + sum);
        if (!plan.some(({ door }) => door === 'forceDebit')) expect(balance).toBeGreaterThanOrEqual(0);

        // A caller that was told that it was done finds it done.
        plan.forEach(({ door, amount, key }, index) => {
          if (outcomes[index] !== 'done') return;
          const sign = door === 'charge' || door === 'forceDebit' ? -1 : 1;
          expect(rows).toContainEqual({ key: `${prefix}:${key}`, amount: sign * amount });
        });
      }),
      { numRuns: kind === 'PGlite' ? 15 : 60 },
    );
    expect(await unbalanced(sql())).toEqual([]);
  });

  async function attempt({ door, amount, key, dies }: Step, prefix: string, userId: number) {
    const movement: Movement = { userId, key: `${prefix}:${key}`, amount };
    try {
      await sql().begin(async (tx) => {
        if (door === 'charge') await ledger().charge({ ...movement, type: 'text_generation' }, tx);
        else if (door === 'credit') await ledger().credit({ ...movement, type: 'purchase' }, tx);
        else await ledger()[door](movement, tx);
        if (dies) throw new Died();
      });
      return 'done';
    } catch (error) {
      if (error instanceof Died) return 'died';
      if (error instanceof OutOfTokens || error instanceof OperationKeyReused) return 'refused';
      throw error;
    }
  }
});
