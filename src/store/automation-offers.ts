import type { Sql } from './database.ts';

/** Where a schedule is offered, behind which publication of its kind. */
type AutomationMoment = { categoryId: number; connectionId: number; nth: number };

/** Behind the first text of a kind, and once more behind the fifth. */
const MOMENTS = [1, 5];

/**
 * When a person is offered a schedule. Read off their publications, so that a result page that is drawn again offers
 * the same; only «Позже» is stored.
 */
export function makeAutomationOffers(sql: Sql) {
  return { due, putOff };

  /** Null: not now. A person who has a schedule that runs has found it by themselves. */
  async function due(userId: number, publicationId: number): Promise<AutomationMoment | null> {
    const [row] = await sql<AutomationMoment[]>`
      with this as (
        select id, content_type, category_id as "categoryId", connection_id as "connectionId" from publication_logs
        where id = ${publicationId} and user_id = ${userId} and status = 'success'
          and category_id is not null and connection_id is not null
      ), counted as (
        select count(*)::integer as nth from publication_logs l join this on l.content_type = this.content_type
        where l.user_id = ${userId} and l.status = 'success' and l.id <= this.id
      )
      select "categoryId", "connectionId", nth from this, counted
      where nth = any(${MOMENTS})
        and not exists (select from notices n where n.user_id = ${userId} and n.kind = 'automation:' || nth)
        and not exists (
          select from platform_schedules s join categories c on c.id = s.category_id
          join projects p on p.id = c.project_id where p.user_id = ${userId} and s.enabled)`;
    return row ?? null;
  }

  /** Quiet until the next of the moments. */
  async function putOff(userId: number, { nth }: Pick<AutomationMoment, 'nth'>): Promise<void> {
    await sql`
      insert into notices (user_id, kind) values (${userId}, ${`automation:${nth}`})
      on conflict (user_id, kind) do nothing`;
  }
}
