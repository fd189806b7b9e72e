import type { Json } from '../engine/json.ts';
import type { Sql } from './database.ts';
import { expenseTypes, type Ledger } from './ledger.ts';

export type AbandonedWork = { key: string; userId: number; returned: number };

type Deps = {
  sql: Sql;
  ledger: Ledger;
  sessionTtlSeconds: number;
  /** What the work had come to when it was left, by the stage `end` if there is one. */
  outcomeOf(end: string | null, charged: number): { isDone: boolean; spent: number; outcome: Json };
};

type Paid = { key: string; userId: number; charged: number; description: string; end: string | null };

const MOST_AT_ONCE = 100;

/**
 * Ends paid work that died together with the session that knew its key: a Redis was lost, a release could not read the
 * session, the bot was away for longer than sessions live. Nobody will ask for it again, so what it did not use comes
 * back here, under the keys its purse would have used. Articles need none of this: their drafts expire.
 */
export const makeEndAbandonedWork =
  ({ sql, ledger, sessionTtlSeconds, outcomeOf }: Deps) =>
  async (): Promise<AbandonedWork[]> => {
    const longAgo = sql`now() - interval '1 hour' - ${sessionTtlSeconds} * interval '1 second'`;
    const isLeft = sql`o.status = 'running' and o.updated_at < ${longAgo} and coalesce(o.lease_until <= now(), true)`;
    const due = await sql<Paid[]>`
      select o.key, o.user_id as "userId", o.stages ->> 'end' as end, -sum(e.amount)::integer as charged,
        coalesce(min(e.description), '') as description
      from operations o cross join unnest(${[...expenseTypes]}::text[]) type
      join token_expenses e on e.operation_key = o.key || ':charge:' || type
      where o.created_at < ${longAgo} and ${isLeft}
      group by o.key having sum(e.amount) < 0 limit ${MOST_AT_ONCE}`;
    const ended: AbandonedWork[] = [];
    for (const paid of due) {
      const work = await end(paid);
      if (work) ended.push(work);
    }
    return ended;

    /** Null when somebody has gone on with it after all. */
    function end({ key, userId, charged, description, end: kept }: Paid): Promise<AbandonedWork | null> {
      const { isDone, spent, outcome } = outcomeOf(kept, charged);
      const returned = charged - spent;
      return sql.begin(async (tx) => {
        const { count } = await tx`
          update operations o
          set status = 'done', result = ${JSON.stringify(outcome)}::text::json, lease_token = null, lease_until = null,
            updated_at = now()
          where o.key = ${key} and ${isLeft}`;
        if (count === 0) return null;
        const refund = {
          key: `${key}:${isDone ? 'settle' : 'refund'}`,
          userId,
          amount: returned,
          description,
        };
        if (returned > 0) await ledger.refund(refund, tx);
        return { key, userId, returned };
      });
    }
  };
