import type { Purse } from '../services/money/paid-work.ts';
import { inTransaction, type Sql, type TransactionSql } from './database.ts';
import { type ExpenseType, type Ledger, movedUnder } from './ledger.ts';

export type Payment = {
  /** The operation's: each movement adds its own ending. */
  key: string;
  userId: number;
  /** Charged together or not at all; a part of 0 is no movement. */
  parts: Partial<Record<ExpenseType, number>>;
  description: string;
};

/** A person's balance, for work that keeps no draft. */
export const makePurse =
  (on: Sql | TransactionSql, ledger: Ledger) =>
  ({ key, userId, parts, description }: Payment): Purse => {
    const charges = Object.entries(parts).filter(([, amount]) => amount > 0) as [ExpenseType, number][];
    const total = charges.reduce((sum, [, amount]) => sum + amount, 0);
    const chargeKey = (type: ExpenseType) => `${key}:charge:${type}`;
    return {
      charge: () =>
        total === 0
          ? ledger.refuseDebtor(userId, on)
          : ledger.chargeParts({ userId, amount: total }, () =>
              inTransaction(on, async (tx) => {
                for (const [type, amount] of charges)
                  await ledger.charge({ key: chargeKey(type), userId, amount, type, description }, tx);
              }),
            ),
      settle: (spent) => inTransaction(on, (tx) => giveBack(`${key}:settle`, total - spent, tx)),
      refund: () =>
        inTransaction(on, async (tx) => {
          await giveBack(`${key}:refund`, total, tx);
          return movedUnder([`${key}:refund`], tx);
        }),
    };

    /** Where nothing was charged, as from an admin, nothing comes back. */
    async function giveBack(refundKey: string, amount: number, tx: TransactionSql): Promise<void> {
      if (amount <= 0) return;
      const moved = await movedUnder(
        charges.map(([type]) => chargeKey(type)),
        tx,
      );
      if (moved !== 0) await ledger.refund({ key: refundKey, userId, amount, description }, tx);
    }
  };
