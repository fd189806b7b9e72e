import type { Purse } from '../services/paid-work.ts';
import type { Sql } from './database.ts';
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
  (sql: Sql, ledger: Ledger) =>
  ({ key, userId, parts, description }: Payment): Purse => {
    const charges = Object.entries(parts).filter(([, amount]) => amount > 0) as [ExpenseType, number][];
    const total = charges.reduce((sum, [, amount]) => sum + amount, 0);
    return {
      charge: () =>
        ledger.chargeParts({ userId, amount: total }, () =>
          sql.begin(async (tx) => {
            for (const [type, amount] of charges)
              await ledger.charge({ key: `${key}:charge:${type}`, userId, amount, type, description }, tx);
          }),
        ),
      async settle(spent) {
        const surplus = total - spent;
        if (surplus > 0) await ledger.refund({ key: `${key}:settle`, userId, amount: surplus, description });
      },
      async refund() {
        if (total > 0) await ledger.refund({ key: `${key}:refund`, userId, amount: total, description });
        return movedUnder([`${key}:refund`], sql);
      },
    };
  };
