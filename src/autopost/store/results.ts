import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';
import { asJson, type NormalizedError } from './delivery.ts';

type Held = { workspaceId: string; deliveryId: string; claimToken: string };
type At = { now?: Date };

export type Sent = Held & { providerMessageId: string | null; sentAt?: Date; meta?: Json };

/** `late`: another claim owns the delivery by now. Nothing was changed; that it may have arrived is noted. */
type Late = 'late';

export type ChannelPenalty = { pauseMs?: number; disableAfter?: number; cooldownMs?: number };

export type Results = ReturnType<typeof makeResults>;

/** The results that a worker reports for its deliveries. Each is checked against the token of its claim. */
export function makeResults(sql: Sql) {
  return { markSent, scheduleRetry, failPermanent, markUnknown, saveSeriesProgress };

  /** A batch of any workspaces and claims. Idempotent: a second report returns `sent` again and changes nothing. */
  function markSent(
    sent: readonly Sent[],
    { now }: At = {},
  ): Promise<{ workspaceId: string; deliveryId: string; outcome: 'sent' | Late }[]> {
    const results = sent.map((one) => ({
      workspace_id: one.workspaceId,
      delivery_id: one.deliveryId,
      claim_token: one.claimToken,
      provider_message_id: one.providerMessageId,
      sent_at: one.sentAt,
      meta: one.meta,
    }));
    return sql`
      select workspace_id as "workspaceId", delivery_id as "deliveryId", outcome
      from mark_sent_batch(${asJson(results)}::text::jsonb, ${now ?? null})`;
  }

  /** Without `nextRetryAt` the database backs off by itself, or as long as the error's `retry_after_ms` says. */
  async function scheduleRetry(
    { workspaceId, deliveryId, claimToken }: Held,
    error: NormalizedError,
    { nextRetryAt, now }: At & { nextRetryAt?: Date } = {},
  ): Promise<{ outcome: 'retry' | 'dead' | Late; nextRetryAt: Date | null }> {
    const [row] = await sql<[{ outcome: 'retry' | 'dead' | Late; nextRetryAt: Date | null }]>`
      select outcome, next_retry_at as "nextRetryAt"
      from schedule_retry(${workspaceId}, ${deliveryId}, ${claimToken}, ${nextRetryAt ?? null},
        ${asJson(error)}::text::jsonb, ${now ?? null})`;
    return row;
  }

  /** By the error's scope: nothing more, a penalty for the channel, or a pause for its whole group. */
  async function failPermanent(
    { workspaceId, deliveryId, claimToken }: Omit<Held, 'claimToken'> & { claimToken: string | null },
    error: NormalizedError,
    { pauseMs = 3_600_000, disableAfter = 3, cooldownMs = 60_000, now }: At & ChannelPenalty = {},
  ): Promise<'failed_permanent' | Late> {
    const [row] = await sql<[{ outcome: 'failed_permanent' | Late }]>`
      select fail_permanent(${workspaceId}, ${deliveryId}, ${claimToken}, ${asJson(error)}::text::jsonb,
        ${pauseMs} * interval '1 ms', ${disableAfter}, ${cooldownMs} * interval '1 ms', ${now ?? null}) as outcome`;
    return row.outcome;
  }

  /** The provider may have it. `retry` and `dead` only where the channel allows duplicates. */
  async function markUnknown(
    { workspaceId, deliveryId, claimToken }: Held,
    error: NormalizedError,
    { now }: At = {},
  ): Promise<'unknown' | 'retry' | 'dead' | Late> {
    const [row] = await sql<[{ outcome: 'unknown' | 'retry' | 'dead' | Late }]>`
      select mark_unknown(${workspaceId}, ${deliveryId}, ${claimToken}, ${asJson(error)}::text::jsonb,
        ${now ?? null}) as outcome`;
    return row.outcome;
  }

  /** False: not ours any more, so no further item of the series may be sent. */
  async function saveSeriesProgress(
    { workspaceId, deliveryId, claimToken }: Held,
    progress: { sent_items: readonly number[]; provider_message_ids: readonly string[] },
    { now }: At = {},
  ): Promise<boolean> {
    const [row] = await sql<[{ kept: boolean }]>`
      select save_series_progress(${workspaceId}, ${deliveryId}, ${claimToken},
        ${asJson(progress)}::text::jsonb, ${now ?? null}) as kept`;
    return row.kept;
  }
}
