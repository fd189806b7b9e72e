import { articlePlatforms } from '../platforms/platforms.ts';
import type { Sql } from './database.ts';

/** Phrases that owners have chosen for slots to come. Ownership is checked where the schedule is read. */
export function makePlannedTopics(sql: Sql) {
  return { of, phraseAt, heldAfter, choose, forget };

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

  /** Chosen for later slots of all schedules of the project that run and publish the same kind of text. */
  async function heldAfter(scheduleId: number, at: number): Promise<{ keyword: string; at: Date }[]> {
    return sql<{ keyword: string; at: Date }[]>`
      select t.phrase as keyword, t.slot_at as at
      from platform_schedules own
        join categories mine on mine.id = own.category_id
        join categories c on c.project_id = mine.project_id
        join platform_schedules s on s.category_id = c.id and s.enabled
          and (s.platform_type = any(${articlePlatforms})) = (own.platform_type = any(${articlePlatforms}))
        join planned_topics t on t.schedule_id = s.id and t.slot_at > ${new Date(at)}
      where own.id = ${scheduleId}`;
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
export const momentOf = (slot: string): number => Number(slot.slice(slot.indexOf('@') + 1));
