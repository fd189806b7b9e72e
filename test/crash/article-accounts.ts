import type { Sql } from '../../src/store/database.ts';

export type Account = {
  userId: number;
  /** Kinds of charges, each as often as it was made. */
  charges: string[];
  /** What is gone after refunds. */
  spent: number;
  publications: number;
  /** Noted as sent without a word from the site. */
  doubts: number;
  /** What the publications say they cost. */
  told: number;
};

/** What the books say about each of these people. */
export async function accountsOf(sql: Sql, userIds: readonly number[]): Promise<Account[]> {
  return sql<Account[]>`
    select u.id as "userId",
      array(select operation_type from token_expenses e
        where e.user_id = u.id and amount < 0 order by operation_type) as charges,
      (select coalesce(-sum(amount), 0)::integer from token_expenses e where e.user_id = u.id) as spent,
      p.publications, p.doubts, p.told
    from users u cross join lateral (
      select count(*) filter (where status in ('success', 'draft'))::integer as publications,
        count(*) filter (where status = 'unknown')::integer as doubts,
        coalesce(sum(tokens_spent) filter (where status in ('success', 'draft')), 0)::integer as told
      from publication_logs l where l.user_id = u.id) p
    where u.id = any(${userIds as number[]}) order by u.id`;
}
