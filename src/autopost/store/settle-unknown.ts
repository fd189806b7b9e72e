import type { Sql } from '../../store/database.ts';
import { type By, makeOperators } from './operators.ts';

export type Verdict = 'sent' | 'retry' | 'abandoned';

/** Of one channel or all; by the time at which the call was made. */
type UnknownChoice = {
  channelId?: string | null;
  since?: Date | null;
  until?: Date | null;
  limit?: number;
};

/** An operator looked into a channel and decides for all deliveries whose answer was lost in a span of time. */
export function makeSettleUnknown(sql: Sql) {
  const operators = makeOperators(sql);
  return async (
    workspaceId: string,
    choice: UnknownChoice,
    verdict: Verdict,
    by: By,
  ): Promise<{ found: number; settled: string[] }> => {
    const ids = await chosen(workspaceId, choice);
    return { found: ids.length, settled: await settle(workspaceId, ids, verdict, by) };
  };

  async function settle(workspaceId: string, ids: string[], verdict: Verdict, by: By): Promise<string[]> {
    switch (verdict) {
      case 'sent': {
        const rows = await sql<{ id: string }[]>`
          select id from unnest(${ids}::uuid[]) as id
          where confirm_sent(${workspaceId}, id, ${by.operator}, null, ${by.reason})`;
        return rows.map(({ id }) => id);
      }
      case 'retry': {
        const outcomes = await operators.requeue(workspaceId, ids, by);
        return outcomes.filter(({ outcome }) => outcome === 'retry').map(({ deliveryId }) => deliveryId);
      }
      case 'abandoned':
        return operators.abandon(workspaceId, ids, by);
      default: {
        const never: never = verdict;
        throw new TypeError(`Unknown verdict ${JSON.stringify(never)}`);
      }
    }
  }

  async function chosen(
    workspaceId: string,
    { channelId = null, since = null, until = null, limit = 10_000 }: UnknownChoice,
  ): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select delivery_id as id from deliveries
      where workspace_id = ${workspaceId} and status = 'unknown'
        and (${channelId}::text is null or channel_id = ${channelId})
        and (${since}::timestamptz is null or sending_started_at >= ${since})
        and (${until}::timestamptz is null or sending_started_at <= ${until})
      order by seq limit ${limit}`;
    return rows.map(({ id }) => id);
  }
}
