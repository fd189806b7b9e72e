import { randomUUID } from 'node:crypto';
import type { Sql } from '../../store/database.ts';
import { asJson } from './delivery.ts';

type PullStats = Readonly<Record<string, number | string | boolean>>;

export type IngestRuns = ReturnType<typeof makeIngestRuns>;

/** What came in, and what became of it. Pushes are counted by the hour, pulls run by run. */
export function makeIngestRuns(sql: Sql) {
  return { countPush, begin, finish };

  /** The database counts what it decides itself; this is for what is found out behind its gate. */
  async function countPush(
    workspaceId: string,
    endpointId: string,
    what: 'media_unavailable',
  ): Promise<void> {
    await sql`select count_ingress(${workspaceId}, ${endpointId}, ${what}, clock_timestamp())`;
  }

  async function begin(workspaceId: string, sourceId: string): Promise<string> {
    const runId = `pull:${sourceId}:${randomUUID()}`;
    await sql`
      insert into ingest_runs (workspace_id, run_id, kind, started_at, stats_json)
      values (${workspaceId}, ${runId}, 'pull', clock_timestamp(), ${asJson({ source_id: sourceId })}::text::jsonb)`;
    return runId;
  }

  async function finish(workspaceId: string, runId: string, stats: PullStats): Promise<void> {
    await sql`
      update ingest_runs set finished_at = clock_timestamp(), stats_json = stats_json || ${asJson(stats)}::text::jsonb
      where workspace_id = ${workspaceId} and run_id = ${runId}`;
  }
}
