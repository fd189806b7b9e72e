import type { Sql } from './database.ts';

/** Phrases that owners have chosen for slots to come. Ownership is checked where the schedule is read. */
export function makePlannedTopics(sql: Sql) {
  return { of, phraseAt, choose, forget };

  /** By the moment of the slot, in unix ms. */
  async function of(scheduleIds: readonly number[]): Promise<Map<string, string>> {
    const rows = await sql<{ scheduleId: number; at: Date; phrase: string }[]>`
      select schedule_id as "scheduleId", slot_at as at, phrase from planned_topics
      where schedule_id = any(${[...scheduleIds]}) and slot_at > now() - interval '1 day'`;
    return new Map(rows.map(({ scheduleId, at, phrase }) => [slotKey(scheduleId, at.getTime()), phrase]));
  }

  async function phraseAt(scheduleId: number, at: number): Promise<string | null> {
    const [row] = await sql<{ phrase: string }[]>`
      select phrase from planned_topics where schedule_id = ${scheduleId} and slot_at = ${new Date(at)}`;
    return row?.phrase ?? null;
  }

  async function choose(
    scheduleId: number,
    topics: readonly { at: number; phrase: string }[],
  ): Promise<void> {
    await sql.begin(async (tx) => {
      for (const { at, phrase } of topics)
        await tx`
          insert into planned_topics (schedule_id, slot_at, phrase) values (${scheduleId}, ${new Date(at)}, ${phrase})
          on conflict (schedule_id, slot_at) do update set phrase = excluded.phrase`;
    });
  }

  async function forget(scheduleId: number, at: number): Promise<void> {
    await sql`delete from planned_topics where schedule_id = ${scheduleId} and slot_at = ${new Date(at)}`;
  }
}

export const slotKey = (scheduleId: number, at: number): string => `${scheduleId}@${at}`;
