import type { Sql } from './database.ts';

/** Similarity, hints and positions look back over a year. */
const LOGS_DAYS = 365;
const ENDED_DRAFT_DAYS = 7;
/** In small bites, so that no statement holds its locks for long. */
const MOST_ROWS = 5_000;

/** How long what was published, and what was not, is kept. */
export function makeRetention(sql: Sql) {
  return { removeOldLogs, picturesOfDrafts };

  /** Old publications go, and the texts of drafts a week after they ended. How many publications went. */
  async function removeOldLogs(): Promise<number> {
    await sql`
      update article_previews set content_html = '', images = '[]' where id in (
        select id from article_previews
        where status in ('published', 'cancelled', 'expired') and content_html <> ''
          and coalesce(expires_at, created_at) < now() - ${ENDED_DRAFT_DAYS} * interval '1 day'
        order by id limit ${MOST_ROWS} for update skip locked)`;
    const { count } = await sql`
      delete from publication_logs where id in (
        select id from publication_logs where created_at < now() - ${LOGS_DAYS} * interval '1 day'
        order by id limit ${MOST_ROWS} for update skip locked)`;
    return count;
  }

  async function picturesOfDrafts(): Promise<string[]> {
    const rows = await sql<{ path: string }[]>`
      select image ->> 'storage_path' as path from article_previews, jsonb_array_elements(images) as image
      where status in ('draft', 'publishing', 'unknown')`;
    return rows.map(({ path }) => path);
  }
}
