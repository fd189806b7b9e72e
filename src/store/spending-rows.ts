import type { Sql } from './database.ts';

/** Of `token_expenses e`: what work cost and what came back of it. Purchases and their refunds are no spending. */
export const spendingRows = (sql: Sql) =>
  sql`e.operation_type not in ('purchase', 'referral_bonus', 'gift', 'welcome_bonus', 'earlier_debt')
    and not (e.operation_type = 'refund' and e.amount < 0)`;
