import type { Sql } from './database.ts';

type RankedArticle = { id: number; userId: number; projectId: number; keyword: string; url: string };
/** Positions of one article week by week, the oldest first; null: not among those looked at. */
type RankHistory = {
  id: number;
  categoryId: number | null;
  connectionId: number | null;
  keyword: string;
  url: string;
  weeks: { week: string; position: number | null }[];
};
export type FallingArticle = { id: number; userId: number; keyword: string; positions: number[] };

export type Ranks = ReturnType<typeof makeRanks>;

const OLDEST_DAYS = 90;
const MOST_PER_PROJECT = 50;
/** What is not found stands behind everything that is. */
export const NOT_FOUND = 101;

/** Positions of published articles in search. `week` is the Monday of a check: it is made once a week. */
export function makeRanks(sql: Sql) {
  return { due, note, history, ofPublication, takeFalling };

  /** Articles of the last 90 days that were not looked up this week; of each project the newest fifty. */
  async function due(week: string, limit: number): Promise<RankedArticle[]> {
    return sql<RankedArticle[]>`
      select id, "userId", "projectId", keyword, url from (
        select l.id, l.user_id as "userId", l.project_id as "projectId", l.keyword, l.post_url as url,
          row_number() over (partition by l.project_id order by l.created_at desc, l.id desc) as nth
        from publication_logs l
        where l.content_type = 'article' and l.status = 'success' and l.keyword is not null
          and l.post_url is not null and l.created_at > now() - ${OLDEST_DAYS} * interval '1 day'
      ) newest
      where nth <= ${MOST_PER_PROJECT}
        and not exists (select from rank_checks r where r.publication_id = newest.id and r.week = ${week})
      order by id limit ${limit}`;
  }

  /** The first look of a week counts. An article that was deleted meanwhile is passed over. */
  async function note(publicationId: number, week: string, position: number | null): Promise<void> {
    await sql`
      with noted as (
        insert into rank_checks (publication_id, week, position)
        select id, ${week}, ${position} from publication_logs where id = ${publicationId}
        on conflict (publication_id, week) do nothing returning publication_id
      )
      update publication_logs set rank_position = ${position}, rank_checked_at = now()
      where id in (select publication_id from noted)`;
  }

  async function history(userId: number, projectId: number): Promise<RankHistory[]> {
    return sql<RankHistory[]>`
      select l.id, l.category_id as "categoryId", l.connection_id as "connectionId", l.keyword, l.post_url as url,
        json_agg(json_build_object('week', r.week, 'position', r.position) order by r.week) as weeks
      from publication_logs l join rank_checks r on r.publication_id = l.id
      where l.project_id = ${projectId} and l.user_id = ${userId}
      group by l.id order by l.rank_position nulls last, l.id desc`;
  }

  async function ofPublication(userId: number, publicationId: number) {
    const [row] = await sql<
      { categoryId: number | null; connectionId: number | null; keyword: string | null }[]
    >`
      select category_id as "categoryId", connection_id as "connectionId", keyword from publication_logs
      where id = ${publicationId} and user_id = ${userId}`;
    return row ?? null;
  }

  /**
   * Articles that fell two weeks running. Handed out once a week: selecting and noting is one statement, so that of two
   * calls each article comes to one.
   */
  async function takeFalling(week: string): Promise<FallingArticle[]> {
    return sql<FallingArticle[]>`
      with last3 as (
        select publication_id, week, coalesce(position, ${NOT_FOUND}) as place,
          row_number() over (partition by publication_id order by week desc) as nth
        from rank_checks where week <= ${week}
      ), falling as (
        select publication_id, array_agg(place order by week) as positions from last3 where nth <= 3
        group by publication_id having count(*) = 3 and max(week) = ${week}
          and max(place) filter (where nth = 1) > max(place) filter (where nth = 2)
          and max(place) filter (where nth = 2) > max(place) filter (where nth = 3)
      ), told as (
        update rank_checks r set is_told = true from falling f
        where r.publication_id = f.publication_id and r.week = ${week} and not r.is_told
        returning r.publication_id
      )
      select l.id, l.user_id as "userId", l.keyword, f.positions from told
      join falling f using (publication_id) join publication_logs l on l.id = told.publication_id
      order by l.id`;
  }
}
