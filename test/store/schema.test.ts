import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelPlatforms, platformNames } from '../../src/platforms/platforms.ts';
import type { Sql } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { catalog } from '../support/catalog.ts';
import { aUser, balanceOf, unbalanced } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql, kind) => {
  const charge = async (userId: number, amount: number, key: string, on: Sql = sql()) => {
    const [row] = await on<[{ balance: number }]>`
      select charge_balance(${userId}, ${amount}, ${key}, 'text_generation', 'статья') as balance`;
    return row.balance;
  };
  const refund = async (userId: number, amount: number, key: string) => {
    const [row] = await sql()<[{ balance: number }]>`
      select refund_balance(${userId}, ${amount}, ${key}) as balance`;
    return row.balance;
  };
  const ledgerOf = (userId: number) =>
    sql()`select amount, operation_type, description from token_expenses where user_id = ${userId} order by id`;

  describe('the schema', () => {
    it('changes nothing when it is applied again', async () => {
      const before = await catalog(sql());
      expect(before.length).toBeGreaterThan(200);
      await sql().unsafe(await readFile('schema.sql', 'utf8'));
      expect(await catalog(sql())).toEqual(before);
      await applySchema(sql());
      expect(await catalog(sql())).toEqual(before);
    });

    it('may be applied by several instances at once', async () => {
      await sql()`update applied_schemas set hash = 'of an older version'`;
      await Promise.all(Array.from({ length: 4 }, () => applySchema(sql())));
    });

    it('hides every table from everybody but its owner', async () => {
      expect(
        await sql()`
          select relname from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
      ).toEqual([]);
      await aUser(sql());
      await sql().begin(async (tx) => {
        await tx`create role visitor`;
        await tx`grant select on users to visitor`;
        await tx`set local role visitor`;
        expect(await tx`select id from users`).toHaveLength(0);
        await tx`reset role`;
        expect((await tx`select id from users`).length).toBeGreaterThan(0);
        await tx`drop owned by visitor`;
        await tx`drop role visitor`;
      });
    });

    it('knows the platforms and refuses others', async () => {
      const userId = await aUser(sql());
      const connect = (platform: string) => sql()`
        with project as (insert into projects (user_id, name, company_name, specialization)
          values (${userId}, 'a', 'b', 'c') returning id)
        insert into platform_connections (project_id, platform_type, credentials, identifier)
        select id, ${platform}, '', '' from project`;
      for (const platform of platformNames) await connect(platform);
      await expect(connect('myspace')).rejects.toThrow('connections_platform_known');
    });

    it('has every list of platforms from the table', async () => {
      const lists = await sql()<{ name: string; words: string[] }[]>`
        select conname as name, array(
          select quoted[1] from regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g') as quoted) as words
        from pg_constraint where conname like '%_platform_known'`;
      const wanted = (name: string) =>
        /^(?:channels|bindings|limits)_/u.test(name) ? channelPlatforms : platformNames;
      expect(lists.length).toBeGreaterThan(5);
      for (const { name, words } of lists) expect({ name, words }).toEqual({ name, words: wanted(name) });
    });
  });

  describe('a balance', () => {
    it('starts with the welcome bonus and returns the new balance at every move', async () => {
      const userId = await aUser(sql());
      expect(await charge(userId, 320, randomUUID())).toBe(1180);
      expect(await refund(userId, 20, randomUUID())).toBe(1200);
      const [row] =
        await sql()`select credit_balance(${userId}, 1000, ${randomUUID()}, 'purchase') as balance`;
      expect(row?.balance).toBe(2200);
      expect(await ledgerOf(userId)).toEqual([
        { amount: -320, operation_type: 'text_generation', description: 'статья' },
        { amount: 20, operation_type: 'refund', description: null },
        { amount: 1000, operation_type: 'purchase', description: null },
      ]);
    });

    it('notes what an AI call cost', async () => {
      const userId = await aUser(sql());
      await sql()`select charge_balance(${userId}, 10, ${randomUUID()}, 'text_generation', null,
        'anthropic/claude', 100, 200, 0.0125)`;
      const [row] =
        await sql()`select ai_model, input_tokens, output_tokens, cost_usd::text from token_expenses
        where user_id = ${userId}`;
      expect(row).toEqual({
        ai_model: 'anthropic/claude',
        input_tokens: 100,
        output_tokens: 200,
        cost_usd: '0.012500',
      });
    });

    it('moves once per key', async () => {
      const userId = await aUser(sql());
      const [paid, returned] = [randomUUID(), randomUUID()];
      expect(await charge(userId, 100, paid)).toBe(1400);
      expect(await charge(userId, 100, paid)).toBe(1400);
      expect(await refund(userId, 100, returned)).toBe(1500);
      expect(await refund(userId, 100, returned)).toBe(1500);
      expect(await charge(userId, 100, paid)).toBe(1500);
      expect(await ledgerOf(userId)).toHaveLength(2);
    });

    it('moves once when the same key comes many times at once', async () => {
      const userId = await aUser(sql());
      const key = randomUUID();
      const balances = await Promise.all(Array.from({ length: 20 }, () => charge(userId, 100, key)));
      expect(new Set(balances)).toEqual(new Set([1400]));
    });

    it('refuses a key that stood for another amount, direction or person', async () => {
      const [userId, other] = [await aUser(sql()), await aUser(sql())];
      const key = randomUUID();
      await charge(userId, 100, key);
      await expect(charge(userId, 101, key)).rejects.toThrow('operation_key_reused');
      await expect(refund(userId, 100, key)).rejects.toThrow('operation_key_reused');
      await expect(charge(other, 100, key)).rejects.toThrow('operation_key_reused');
      expect(await balanceOf(sql(), other)).toBe(1500);
    });

    it('refuses all but one person when several come with one key at once', async () => {
      const people = await Promise.all(Array.from({ length: 8 }, () => aUser(sql())));
      const key = randomUUID();
      const outcomes = await Promise.allSettled(people.map((userId) => charge(userId, 100, key)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('refuses a charge that exceeds it, and says what there is', async () => {
      const userId = await aUser(sql());
      await expect(charge(userId, 1501, randomUUID())).rejects.toMatchObject({
        message: 'insufficient_balance',
        detail: '1500',
      });
      expect(await charge(userId, 1500, randomUUID())).toBe(0);
      expect(await ledgerOf(userId)).toHaveLength(1);
    });

    it('is never overdrawn by charges at the same time', async () => {
      const userId = await aUser(sql());
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => charge(userId, 400, randomUUID())),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(await balanceOf(sql(), userId)).toBe(300);
    });

    it('goes below zero only when a provider takes its money back', async () => {
      const userId = await aUser(sql());
      await charge(userId, 1500, randomUUID());
      const key = randomUUID();
      for (let i = 0; i < 2; i++) {
        const [row] = await sql()`select force_debit_balance(${userId}, 1000, ${key}) as balance`;
        expect(row?.balance).toBe(-1000);
      }
      await expect(charge(userId, 1, randomUUID())).rejects.toThrow('insufficient_balance');
    });

    it('of an admin stays as it is, and the ledger tells what would have been paid', async () => {
      const userId = await aUser(sql(), { isAdmin: true });
      const paid = randomUUID();
      expect(await charge(userId, 9000, paid)).toBe(1500);
      expect(await charge(userId, 9000, paid)).toBe(1500);
      expect(await ledgerOf(userId)).toEqual([
        { amount: 0, operation_type: 'text_generation', description: 'статья · GOD_MODE: 9000' },
      ]);
      await expect(charge(userId, 8999, paid)).rejects.toThrow('operation_key_reused');
      const [row] = await sql()`select credit_balance(${userId}, 10, ${randomUUID()}, 'purchase') as balance`;
      expect(row?.balance).toBe(1510);
    });

    it('refuses an amount that is not positive, a missing key and an unknown person', async () => {
      const userId = await aUser(sql());
      await expect(charge(userId, 0, randomUUID())).rejects.toThrow('amount_not_positive');
      await expect(charge(userId, -5, randomUUID())).rejects.toThrow('amount_not_positive');
      await expect(charge(userId, 5, '')).rejects.toThrow('operation_key_missing');
      await expect(charge(404, 5, randomUUID())).rejects.toThrow('user_not_found');
    });

    it('takes part in the transaction around it', async () => {
      const userId = await aUser(sql());
      const key = randomUUID();
      const failing = sql().begin(async (tx) => {
        await tx`select charge_balance(${userId}, 100, ${key}, 'audit')`;
        throw new Error('the draft could not be written');
      });
      await expect(failing).rejects.toThrow('the draft could not be written');
      expect(await balanceOf(sql(), userId)).toBe(1500);
      expect(await charge(userId, 100, key)).toBe(1400);
    });

    it('equals the bonus and the ledger after any moves in any order, at once', async () => {
      const move = fc.record({
        name: fc.constantFrom('charge_balance', 'refund_balance', 'credit_balance', 'force_debit_balance'),
        amount: fc.integer({ min: 1, max: 2000 }),
        key: fc.integer({ min: 1, max: 6 }),
        person: fc.integer({ min: 0, max: 1 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 25 }), async (moves) => {
          const people = [await aUser(sql()), await aUser(sql(), { isAdmin: true })];
          const run = randomUUID();
          await Promise.allSettled(
            moves.map(({ name, amount, key, person }) =>
              sql().unsafe(`select ${name}($1, $2, $3, 'test')`, [
                people[person] ?? 0,
                amount,
                `${run}:${key}`,
              ]),
            ),
          );
          expect(await unbalanced(sql())).toEqual([]);
        }),
        { numRuns: kind === 'PGlite' ? 10 : 40 },
      );
    });
  });
});
