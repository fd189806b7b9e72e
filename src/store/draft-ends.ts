import type { Sql, TransactionSql } from './database.ts';
import type { AnyDetails, Draft, DraftKind } from './draft.ts';
import { isTryOf } from './draft-tries.ts';
import { type Ledger, movedUnder } from './ledger.ts';

/** What is left of a draft that was ended: files to remove, and tokens that came back. */
export type EndedDraft = Pick<Draft, 'id' | 'userId' | 'keyword'> & {
  pictures: string[];
  telegraphPath: string | null;
  returned: number;
};

const MOST_AT_ONCE = 100;

/** Drafts that are over without being published: each gives its tokens back once. */
export function makeDraftEnds(sql: Sql, ledger: Ledger, kind: DraftKind) {
  const ofKind = () => sql`content_type = ${kind}`;
  return { cancel, expire, refundDeleted };

  /** Idempotent: a second call returns the same refund. Null for a stranger's, and for one that was published. */
  async function cancel(userId: number, draftId: number): Promise<EndedDraft | null> {
    return sql.begin(async (tx) => {
      await tx`
        with cancelled as (
          update article_previews set status = 'cancelled'
          where id = ${draftId} and user_id = ${userId} and ${ofKind()} and status in ('draft', 'unknown')
          returning id, user_id, details ->> 'unknown' as unknown
        )
        update publication_logs l set status = 'cancelled' from cancelled d
        where ${isTryOf(tx)} and l.status = 'unknown'`;
      const [draft] = await ended(tx, tx`id = ${draftId} and user_id = ${userId} and status = 'cancelled'`);
      return draft ?? null;
    });
  }

  /** Ends drafts whose day is over, one by one: a bad one does not stop the others. */
  async function expire({
    only,
  }: {
    only?: number;
  } = {}): Promise<{ drafts: EndedDraft[]; failures: unknown[] }> {
    const due = await sql<{ id: number }[]>`
      select id from article_previews
      where status = 'draft' and expires_at <= now() and ${ofKind()} ${only === undefined ? sql`` : sql`and id = ${only}`}
      order by id limit ${MOST_AT_ONCE}`;
    const drafts: EndedDraft[] = [];
    const failures: unknown[] = [];
    for (const { id } of due) {
      try {
        const draft = await sql.begin(async (tx) => {
          const { count } = await tx`
            update article_previews set status = 'expired' where id = ${id} and status = 'draft'`;
          return count === 1 ? (await ended(tx, tx`id = ${id}`))[0] : undefined;
        });
        if (draft) drafts.push(draft);
      } catch (error) {
        failures.push(error);
      }
    }
    return { drafts, failures };
  }

  /** Gives the tokens of drafts back that were just claimed, once per draft. */
  async function ended(tx: TransactionSql, which: ReturnType<TransactionSql>): Promise<EndedDraft[]> {
    const rows = await tx<(Omit<EndedDraft, 'returned'> & { tokens: number })[]>`
      select id, user_id as "userId", keyword, telegraph_path as "telegraphPath",
        -- Without a refund: a post that was written and seen, and whose person left it (E27).
        case when refundable or status <> 'expired' then ${returnable(tx)} else 0 end as tokens,
        array(select jsonb_array_elements(images) ->> 'storage_path') as pictures
      from article_previews where ${which}`;
    const drafts: EndedDraft[] = [];
    for (const { tokens, ...draft } of rows) {
      const key = refundKey(draft.id);
      if (tokens > 0)
        await ledger.refund({ key, userId: draft.userId, amount: tokens, description: draft.keyword }, tx);
      drafts.push({ ...draft, returned: await movedUnder([key], tx) });
    }
    return drafts;
  }

  /** Its row went with its project while it was being published, and nothing came of that. */
  async function refundDeleted({ id, userId, tokens, keyword, details }: Draft<AnyDetails>): Promise<void> {
    const amount = tokens - (details.final ?? 0);
    if (amount > 0) await ledger.refund({ key: refundKey(id), userId, amount, description: keyword });
  }
}

/** What the end of a draft gives back: all that was charged, but for what its owner made final by taking the HTML. */
export const returnable = (sql: Sql | TransactionSql) =>
  sql`greatest(tokens_charged - coalesce((details ->> 'final')::integer, 0), 0)`;

const refundKey = (draftId: number): string => `draft:${draftId}:refund`;
