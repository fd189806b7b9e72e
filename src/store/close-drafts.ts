import type { TransactionSql } from './database.ts';
import { returnable } from './draft-ends.ts';
import { movedUnder } from './ledger.ts';

/**
 * Closes the open article drafts of a project or category that is about to go, and returns what was charged
 * for them. A draft is claimed by changing its status, as publishing and the cleanup claim it: the second
 * claimant finds no draft. The key makes the refund happen once, whatever happens around it.
 *
 * Gives the tokens that really came back.
 */
export async function closeDrafts(
  tx: TransactionSql,
  userId: number,
  of: { projectId: number } | { categoryId: number },
) {
  const owner = 'projectId' in of ? tx`project_id = ${of.projectId}` : tx`category_id = ${of.categoryId}`;
  const refunds = await tx<{ key: string }[]>`
    with closed as (
      update article_previews set status = 'cancelled'
      where ${owner} and user_id = ${userId} and status = 'draft' and refundable
      returning id, keyword, ${returnable(tx)} as tokens
    )
    select 'draft:' || id || ':refund' as key,
      refund_balance(${userId}, tokens, 'draft:' || id || ':refund', 'refund', keyword)
    from closed where tokens > 0`;
  return movedUnder(
    refunds.map(({ key }) => key),
    tx,
  );
}
