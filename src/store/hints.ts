import type { Hint } from '../screens/fragments/hint.ts';
import type { Sql } from './database.ts';

/**
 * What a person could still add to a category, said once each behind a text of theirs: the description behind the
 * first, the prices behind the third. Read off their publications, so that a result page that is drawn again hints at
 * the same; only «Позже» is stored. The schedule has an offer of its own (`automation-offers.ts`).
 */
export function makeHints(sql: Sql) {
  return { due, putOff };

  /** Null: nothing to hint at behind this text, or it is there already. */
  async function due(userId: number, publicationId: number): Promise<Hint | null> {
    const [row] = await sql<Hint[]>`
      with this as (
        select id, category_id from publication_logs
        where id = ${publicationId} and user_id = ${userId} and status = 'success' and ${counts()}
      ), counted as (
        select count(*)::integer as nth from publication_logs l, this
        where l.user_id = ${userId} and l.status = 'success' and l.id <= this.id and ${counts()}
      )
      select ${publicationId}::integer as "publicationId", c.id as "categoryId", hint.kind as about
      from this join categories c on c.id = this.category_id, counted,
        (values (1, 'description'), (3, 'prices')) as hint(nth, kind)
      where hint.nth = counted.nth
        and coalesce(trim(case hint.kind when 'description' then c.description else c.prices end), '') = ''
        and not exists (select from notices n where n.user_id = ${userId} and n.kind = 'hint:' || hint.kind)`;
    return row ?? null;
  }

  async function putOff(userId: number, publicationId: number): Promise<void> {
    const hint = await due(userId, publicationId);
    if (!hint) return;
    await sql`
      insert into notices (user_id, kind) values (${userId}, ${`hint:${hint.about}`})
      on conflict (user_id, kind) do nothing`;
  }

  /** A cross-post tells what another text told. */
  function counts() {
    return sql`content_type in ('article', 'social_post')`;
  }
}
