import type { Json } from '../engine/json.ts';
import type { ArticleDrafts } from './article-drafts.ts';
import type { Sql, TransactionSql } from './database.ts';
import { makeDraftPurses } from './draft-purses.ts';
import { expenseTypes, type Ledger, movedUnder } from './ledger.ts';
import { makePurse } from './purse.ts';

type AbandonedWork = { key: string; userId: number; description: string; returned: number };

type Deps = {
  sql: Sql;
  ledger: Ledger;
  drafts: Pick<ArticleDrafts, 'open'>;
  /** What the work had come to when it was left, by the stage `end` if there is one. */
  outcomeOf(end: string | null, charged: number): { isDone: boolean; spent: number; outcome: Json };
};

/** A piece of paid work, and how its purse is found again: by its own charges, or by its draft. */
type Paid = { key: string; userId: number; description: string } & (
  | { kind: 'plain'; parts: Record<string, number> }
  | { kind: 'first'; draftId: number; parts: Record<string, number> }
  | { kind: 'another'; draftId: number; parts: Record<string, number> }
);

const MOST_AT_ONCE = 100;
/**
 * A session that still knows of the work takes it over within a minute of its lease. If one comes later all the same,
 * it is given the outcome that is written here.
 */
const LEFT_FOR_MINUTES = 60;

/**
 * Ends paid work that died together with the session that knew its key: a Redis was lost, a release could not read the
 * session, the bot was away for longer than sessions live. No session asks for it again, so what it did not use comes
 * back here, under the keys its purse would have used.
 */
export const makeEndAbandonedWork =
  ({ sql, ledger, drafts, outcomeOf }: Deps) =>
  async (): Promise<AbandonedWork[]> => {
    const longAgo = sql`now() - ${LEFT_FOR_MINUTES} * interval '1 minute'`;
    const isLeft = sql`o.status = 'running' and o.updated_at < ${longAgo} and coalesce(o.lease_until <= now(), true)`;
    const ended: AbandonedWork[] = [];
    for (const paid of [...(await plain()), ...(await versions())]) {
      const work = await end(paid);
      if (work) ended.push(work);
    }
    return ended;

    /** Work that keeps no draft. */
    function plain() {
      return sql<Paid[]>`
        select 'plain' as kind, o.key, o.user_id as "userId", coalesce(min(e.description), '') as description,
          jsonb_object_agg(type, -e.amount) as parts
        from operations o cross join unnest(${[...expenseTypes]}::text[]) type
        join token_expenses e on e.operation_key = o.key || ':charge:' || type
        where o.created_at < ${longAgo} and ${isLeft}
        group by o.key having sum(e.amount) < 0 limit ${MOST_AT_ONCE}`;
    }

    /** Versions of articles, whose draft knows what was charged for them. */
    function versions() {
      return sql<Paid[]>`
        select 'first' as kind, o.key, o.user_id as "userId", coalesce(a.keyword, '') as description, a.id as "draftId",
          jsonb_object_agg(e.operation_type, -e.amount) as parts
        from operations o join article_previews a on a.operation_key = o.key
        join token_expenses e on e.operation_key in
          ('draft:' || a.id || ':charge:text_generation', 'draft:' || a.id || ':charge:image_generation')
        where o.created_at < ${longAgo} and ${isLeft}
        group by o.key, a.id having sum(e.amount) < 0
        union all
        select 'another', o.key, o.user_id, coalesce(a.keyword, ''), a.id,
          jsonb_build_object('text_generation', -e.amount)
        from article_previews a join operations o on o.key = a.details ->> 'paying'
        join token_expenses e on e.operation_key = o.key || ':charge'
        where a.details ? 'paying' and o.created_at < ${longAgo} and ${isLeft} and e.amount < 0
        limit ${MOST_AT_ONCE}`;
    }

    /** Null when a process has gone on with it after all. */
    function end(paid: Paid): Promise<AbandonedWork | null> {
      const { key, userId, description, parts } = paid;
      return sql.begin(async (tx) => {
        const [held] = await tx<{ end: string | null }[]>`
          select o.stages ->> 'end' as end from operations o where o.key = ${key} and ${isLeft} for update`;
        if (!held) return null;
        const charged = Object.values(parts).reduce((sum, amount) => sum + amount, 0);
        const { isDone, spent, outcome } = outcomeOf(held.end, charged);
        const keys = movements(paid);
        const before = await movedUnder(keys, tx);
        const purse = purseOf(paid, tx);
        if (isDone) await purse.settle(spent);
        else await purse.refund();
        await tx`
          update operations
          set status = 'done', result = ${JSON.stringify(outcome)}::text::json, lease_token = null, lease_until = null,
            updated_at = now()
          where key = ${key}`;
        return { key, userId, description, returned: (await movedUnder(keys, tx)) - before };
      });
    }

    function purseOf(paid: Paid, tx: TransactionSql) {
      const { key, userId, description, parts } = paid;
      if (paid.kind === 'plain') return makePurse(tx, ledger)({ key, userId, parts, description });
      const purses = makeDraftPurses(tx, ledger, drafts);
      const { text_generation, cross_post = 0, image_generation: images = 0 } = parts;
      const text = text_generation ?? cross_post;
      return paid.kind === 'first'
        ? purses.first({
            key,
            userId,
            keyword: description,
            categoryId: 0,
            connectionId: null,
            price: { text, images },
          })
        : purses.another({ key, userId, keyword: description, draftId: paid.draftId, price: text });
    }
  };

function movements(paid: Paid): string[] {
  const stem = paid.kind === 'first' ? `draft:${paid.draftId}` : paid.key;
  return [`${stem}:settle`, `${stem}:refund`];
}
