import { CategoryGone } from '../errors.ts';
import type { Sql, TransactionSql } from './database.ts';
import {
  type AnyDetails,
  type Draft,
  type DraftContent,
  type DraftDetails,
  type DraftKind,
  draftColumns,
} from './draft.ts';
import { makeDraftClaims } from './draft-claims.ts';
import { makeDraftEnds } from './draft-ends.ts';
import type { Ledger } from './ledger.ts';

export type ArticleDrafts = ReturnType<typeof makeArticleDrafts>;

export const makeArticleDrafts = (sql: Sql, ledger: Ledger) =>
  makeDrafts<DraftDetails>(sql, ledger, 'article');

/**
 * A draft exists from the moment of the charge, so that a charge can always be given back. Publishing, cancelling, the
 * cleanup and a deletion each claim it by changing its status; the second one finds nothing.
 *
 *   draft → publishing → published     the site has it
 *                      → draft         the site certainly does not have it
 *                      → unknown       the answer was lost: published after 72 hours unless its owner says otherwise
 *
 * `publishing` is a claim with a lease (`claim_until`, and the lease of its operation): `leftClaims` hands out those
 * whose process died. Every kind of draft is looked after by its own: a post is not found among articles.
 */
export function makeDrafts<Details extends AnyDetails>(sql: Sql, ledger: Ledger, kind: DraftKind) {
  const ofKind = () => sql`content_type = ${kind}`;
  return {
    ...{ open, fill, replace, find, findEnded, waiting, takeHtml },
    ...makeDraftClaims<Details>(sql, kind),
    ...makeDraftEnds(sql, ledger, kind),
  };

  /**
   * One draft per key, locked until the transaction ends; without a place to go when that was disconnected meanwhile.
   * Throws CategoryGone when the category is not this person's, or no longer there.
   */
  async function open(
    tx: TransactionSql,
    draft: Pick<Draft, 'userId' | 'categoryId' | 'connectionId' | 'keyword'> & { key: string },
  ): Promise<number> {
    const { key, userId, categoryId, connectionId, keyword } = draft;
    await tx`
      insert into article_previews
        (user_id, project_id, category_id, connection_id, keyword, tokens_charged, operation_key, content_type)
      select p.user_id, p.id, c.id, (select id from platform_connections where id = ${connectionId}),
        ${keyword}, 0, ${key}, ${kind}
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}
      on conflict (operation_key) do nothing`;
    const [row] = await tx<{ id: number }[]>`
      select id from article_previews where operation_key = ${key} for update`;
    if (!row) throw new CategoryGone(categoryId);
    return row.id;
  }

  /** The first version. Null when the draft was ended meanwhile. */
  async function fill(key: string, content: DraftContent<Details>): Promise<number | null> {
    const [row] = await sql<{ id: number }[]>`
      update article_previews set ${contentColumns(content)}
      where operation_key = ${key} and status = 'draft' returning id`;
    return row?.id ?? null;
  }

  /** Another version. It counts once per key; null when the draft was ended meanwhile. */
  async function replace(
    draftId: number,
    key: string,
    content: DraftContent<Details>,
  ): Promise<{ regenerations: number } | null> {
    const [row] = await sql<{ regenerations: number }[]>`
      update article_previews set ${contentColumns({ ...content, details: { ...content.details, version: key } })}
          || jsonb_strip_nulls(jsonb_build_object('mayBeOn', details -> 'mayBeOn', 'unknown', details -> 'unknown',
            'paying', details -> 'paying', 'lost', details -> 'lost', 'kept', details -> 'kept',
            'final', details -> 'final')),
        regeneration_count = regeneration_count + case when details ->> 'version' = ${key} then 0 else 1 end
      where id = ${draftId} and status in ('draft', 'unknown') returning regeneration_count as regenerations`;
    return row ?? null;
  }

  /** Written, and its owner has yet to decide about it; null for any other, and for a stranger's. */
  async function find(userId: number, draftId: number): Promise<Draft<Details> | null> {
    const [row] = await sql<Draft<Details>[]>`
      select ${draftColumns(sql)} from article_previews
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and status in ('draft', 'unknown')
        and expires_at > now()
        and content_html is not null`;
    return row ?? null;
  }

  /** Written once, and decided about since: for work that was paid before and has to be settled. */
  async function findEnded(userId: number, draftId: number): Promise<Draft<Details> | null> {
    const [row] = await sql<Draft<Details>[]>`
      select ${draftColumns(sql)} from article_previews
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and content_html is not null`;
    return row ?? null;
  }

  /** The newest one that waits for a decision here, or for any site at all. */
  async function waiting(
    userId: number,
    categoryId: number,
    connectionId: number,
  ): Promise<{ id: number; title: string } | null> {
    const [row] = await sql<{ id: number; title: string }[]>`
      select id, title from article_previews
      where user_id = ${userId} and category_id = ${categoryId}
        and (connection_id = ${connectionId} or connection_id is null) and ${ofKind()} and refundable
        and status in ('draft', 'unknown') and expires_at > now() and content_html is not null
      order by id desc limit 1`;
    return row ?? null;
  }

  /**
   * X09: what was charged so far is final from here on, whatever ends the draft. A version that is paid for later comes
   * back until its own HTML is taken. Idempotent. Null when the draft is a stranger's, expired, or was ended by another:
   * the status is checked and the sum set in one statement, so that the cleanup and this cannot both win.
   */
  async function takeHtml(userId: number, draftId: number): Promise<{ final: number } | null> {
    const [row] = await sql<{ final: number }[]>`
      update article_previews set details = details || jsonb_build_object('final', tokens_charged)
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and content_html is not null
        and status in ('draft', 'unknown') and expires_at > now()
      returning tokens_charged as final`;
    return row ?? null;
  }

  /** The details stand last: whatever of the old ones stays is put behind them. */
  function contentColumns({ title, html, words, images, telegraph, details }: DraftContent<Details>) {
    return sql`title = ${title}, content_html = ${html}, word_count = ${words}, images_count = ${images.length},
      images = ${sql.json(images as never)}, telegraph_url = ${telegraph?.url ?? null},
      telegraph_path = ${telegraph?.path ?? null}, details = ${JSON.stringify(details)}::text::jsonb`;
  }
}
