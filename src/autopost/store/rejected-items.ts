import type { TransactionSql } from '../../store/database.ts';
import { asJson } from './delivery.ts';
import type { HeldSource, PullError } from './pull-sources.ts';

type Rejected = { source: HeldSource; itemId: string; runId: string; error: PullError };

/** An item of a source that can never be posted. The watchman tells it; kept together with the place behind the item. */
export async function noteRejectedItem(
  tx: TransactionSql,
  { source: { workspaceId, sourceId }, itemId, runId, error }: Rejected,
): Promise<void> {
  const meta = { source_id: sourceId, item: itemId.slice(0, 200).toWellFormed(), ingest_run_id: runId };
  await tx`
    insert into events (workspace_id, id, action, result, error, meta)
    values (${workspaceId}, ordered_uuid(), 'pull_rejected', 'error', short_error(${asJson(error)}::text::jsonb),
      masked_json(${asJson(meta)}::text::jsonb))`;
}
