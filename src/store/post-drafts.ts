import type { PostPlatform } from '../platforms/platforms.ts';
import { makeDrafts } from './article-drafts.ts';
import type { Sql } from './database.ts';
import type { AnyDetails, Draft, DraftContent } from './draft.ts';
import type { Ledger } from './ledger.ts';

/** What publishing a post and another version of it need beside the text. */
type PostDetails = AnyDetails & {
  platform: PostPlatform;
  /** The connection by what its platform calls it: connected anew, it is still the same. */
  place: string;
  link: string | null;
  /** The draft that went out before, of which this one tells elsewhere. */
  crossOf?: number;
};

export type StoredPost = Draft<PostDetails>;
export type PostContent = DraftContent<PostDetails>;

/** Posts between the charge and the channel: they wait, are claimed and end as articles do. */
export function makePostDrafts(sql: Sql, ledger: Ledger) {
  const drafts = makeDrafts<PostDetails>(sql, ledger, 'social_post');
  return { ...drafts, reword, keep, move, original, servedBy };

  /** A post that went out, as it was sent. Null: a stranger's, no post, or its text is gone. */
  async function original(userId: number, publicationId: number): Promise<StoredPost | null> {
    const [row] = await sql<{ id: number }[]>`
      select a.id from publication_logs l
      join article_previews a on a.user_id = l.user_id and a.project_id = l.project_id
        and l.operation_key in (a.details ->> 'publishing', a.details ->> 'unknown')
      where l.id = ${publicationId} and l.user_id = ${userId} and l.status = 'success'
        and a.content_type = 'social_post' and not a.details ? 'crossOf'`;
    return row ? drafts.findEnded(userId, row.id) : null;
  }

  /** Connections that have, or may have, what is told elsewhere of this post. */
  async function servedBy(draftId: number): Promise<number[]> {
    const rows = await sql<{ id: number }[]>`
      select distinct connection_id as id from article_previews
      where details ->> 'crossOf' = ${String(draftId)} and connection_id is not null
        and user_id = (select user_id from article_previews where id = ${draftId})
        and status in ('publishing', 'unknown', 'published')`;
    return rows.map(({ id }) => id);
  }

  /** The person's own words take the place of the text: no version, and free. Null when it was ended meanwhile. */
  async function reword(
    userId: number,
    draftId: number,
    { html, words, contentHash }: { html: string; words: number; contentHash: string },
  ): Promise<StoredPost | null> {
    const { count } = await sql`
      update article_previews set content_html = ${html}, word_count = ${words},
        details = details || jsonb_build_object('contentHash', ${contentHash}::text, 'notes', '[]'::jsonb)
      where id = ${draftId} and user_id = ${userId} and content_type = 'social_post' and status = 'draft'`;
    return count === 0 ? null : drafts.find(userId, draftId);
  }

  /** It waits for its owner like an article: a day, and its tokens come back then. */
  async function keep(userId: number, draftId: number): Promise<void> {
    await sql`
      update article_previews set details = details || '{"kept": true}'
      where id = ${draftId} and user_id = ${userId} and content_type = 'social_post' and status = 'draft'`;
  }

  /** Another place of the same platform is to take it. False when it was ended or went out meanwhile. */
  async function move(
    userId: number,
    draftId: number,
    { id, identifier }: { id: number; identifier: string },
  ): Promise<boolean> {
    const { count } = await sql`
      update article_previews
      set connection_id = ${id}, details = details || jsonb_build_object('place', ${identifier}::text)
      where id = ${draftId} and user_id = ${userId} and content_type = 'social_post' and status = 'draft'`;
    return count > 0;
  }
}
