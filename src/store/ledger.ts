import postgres from 'postgres';
import { InDebt, OperationKeyReused, OutOfTokens } from '../errors.ts';
import type { Sql, TransactionSql } from './database.ts';

export const expenseTypes = [
  'text_generation',
  'image_generation',
  'keyword_generation',
  'audit',
  'review',
  'description',
  'cross_post',
  'competitor_analysis',
] as const;
export type ExpenseType = (typeof expenseTypes)[number];

/** One movement of tokens. The key names it for ever: a second call with it does nothing. */
export type Movement = { key: string; userId: number; amount: number; description?: string };

export type Ledger = ReturnType<typeof makeLedger>;

/**
 * The only door to a balance: the keyed functions of schema.sql, each of which writes balance and ledger at once.
 * All return the balance after the movement. Inside a transaction, pass the transaction.
 */
export function makeLedger(sql: Sql) {
  return { charge, chargeParts, refuseDebtor, refund, credit, forceDebit, balance };

  /** Throws `OutOfTokens` and moves nothing when the balance is too low. An admin is charged nothing. */
  function charge(
    movement: Movement & { type: ExpenseType },
    on: Sql | TransactionSql = sql,
  ): Promise<number> {
    const { userId, amount, key, type, description = null } = movement;
    return balanceAfter(
      movement,
      on<Moved>`select charge_balance(${userId}, ${amount}, ${key}, ${type}, ${description}) as balance`,
    );
  }

  /** Charges a price of several parts, in one transaction. When a part is too much, the whole is named (E01). */
  async function chargeParts(
    { userId, amount }: Pick<Movement, 'userId' | 'amount'>,
    inTransaction: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await inTransaction();
    } catch (error) {
      if (!(error instanceof OutOfTokens)) throw error;
      throw new OutOfTokens(amount, (await balance(userId)) ?? 0);
    }
  }

  /** In the place of a charge where the work is free. */
  async function refuseDebtor(userId: number, on: Sql | TransactionSql = sql): Promise<void> {
    const [row] = await on<Moved>`
      select balance from users where id = ${userId} and balance < 0 and role <> 'admin'`;
    if (row) throw new InDebt(row.balance);
  }

  /** For what was really charged: what an admin was not charged for is not theirs to get back. */
  function refund(movement: Movement, on: Sql | TransactionSql = sql): Promise<number> {
    const { userId, amount, key, description = null } = movement;
    return balanceAfter(
      movement,
      on<Moved>`select refund_balance(${userId}, ${amount}, ${key}, 'refund', ${description}) as balance`,
    );
  }

  function credit(
    movement: Movement & { type: 'purchase' | 'referral_bonus' | 'gift' },
    on: Sql | TransactionSql = sql,
  ): Promise<number> {
    const { userId, amount, key, type, description = null } = movement;
    return balanceAfter(
      movement,
      on<Moved>`select credit_balance(${userId}, ${amount}, ${key}, ${type}, ${description}) as balance`,
    );
  }

  /** A provider took its money back: the tokens go, spent or not, and the balance may fall below zero. */
  function forceDebit(movement: Movement, on: Sql | TransactionSql = sql): Promise<number> {
    const { userId, amount, key, description = null } = movement;
    return balanceAfter(
      movement,
      on<Moved>`select force_debit_balance(${userId}, ${amount}, ${key}, 'refund', ${description}) as balance`,
    );
  }

  /** Null for a person who was never registered. */
  async function balance(userId: number): Promise<number | null> {
    const [row] = await sql<Moved>`select balance from users where id = ${userId}`;
    return row?.balance ?? null;
  }
}

/** What really moved under these keys: nothing for an admin, nothing for keys that were never used. */
export async function movedUnder(keys: readonly string[], on: Sql | TransactionSql): Promise<number> {
  const [row] = await on<[{ amount: number }]>`
    select coalesce(sum(amount), 0)::integer as amount from token_expenses
    where operation_key = any(${[...keys]})`;
  return row.amount;
}

type Moved = { balance: number }[];

async function balanceAfter({ key, amount }: Movement, movement: Promise<Moved>): Promise<number> {
  try {
    const [row] = await movement;
    return row!.balance;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    if (error.message === 'insufficient_balance') throw new OutOfTokens(amount, Number(error.detail));
    if (error.message === 'operation_key_reused') throw new OperationKeyReused(key);
    throw error;
  }
}
