import type { ProcessFacts } from '../screens/pages/monitor.ts';
import type { Sql } from './database.ts';

type Beat = {
  id: string;
  role: string;
  version: string;
  memoryMb: number;
  busy: number;
  startedAt: Date;
};

/** One that has said nothing for so long is gone. */
const SILENT_SECONDS = 45;
const FORGOTTEN_AFTER = '1 day';

/** Which processes run. Each says so every few seconds. */
export function makeProcesses(sql: Sql) {
  return { beat, leave, list };

  async function beat({ id, role, version, memoryMb, busy, startedAt }: Beat): Promise<void> {
    await sql`
      insert into processes (id, role, version, memory_mb, busy, started_at)
      values (${id}, ${role}, ${version}, ${memoryMb}, ${busy}, ${startedAt})
      on conflict (id) do update set memory_mb = excluded.memory_mb, busy = excluded.busy, seen_at = now()`;
    await sql`delete from processes where seen_at < now() - ${FORGOTTEN_AFTER}::interval`;
  }

  async function leave(id: string): Promise<void> {
    await sql`delete from processes where id = ${id}`;
  }

  async function list(): Promise<ProcessFacts[]> {
    return sql<ProcessFacts[]>`
      select id, role, version, memory_mb as "memoryMb", busy, started_at as "startedAt", seen_at as "seenAt",
        seen_at > now() - ${SILENT_SECONDS} * interval '1 second' as "isAlive"
      from processes order by started_at`;
  }
}
