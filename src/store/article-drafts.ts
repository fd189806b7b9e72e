import { CategoryGone } from '../errors.ts';
import type { Price } from '../prices.ts';
import type { Sql, TransactionSql } from './database.ts';
import { type Ledger, movedUnder } from './ledger.ts';

export type DraftImage = {
  url: string;
  storage_path: string;
  width: number;
  height: number;
  alt: string;
  filename: string;
  caption: string;
};

/** What publishing and another version need beside the text. */
export type DraftDetails = {
  seoTitle: string;
  metaDescription: string;
  contentHash: string | null;
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
  /** What the first version came to: every further one costs the same. */
  price: Price;
  /** For the preview: what the person should know, how many pictures were wanted, how many sections there are. */
  notes: string[];
  imagesWanted: number;
  sections: number;
  /** The operation that wrote this version, unless it is the first. */
  version?: string;
  /** Sites that were given the article and did not say what became of it. */
  mayBeOn?: string[];
};

export type DraftContent = {
  title: string;
  html: string;
  words: number;
  images: readonly DraftImage[];
  telegraph: { url: string; path: string } | null;
  details: DraftDetails;
};

export type Draft = DraftContent & {
  id: number;
  userId: number;
  projectId: number;
  categoryId: number;
  connectionId: number | null;
  keyword: string;
  tokens: number;
  regenerations: number;
};

/** What is left of a draft that was ended: files to remove, and tokens that came back. */
export type EndedDraft = Pick<Draft, 'id' | 'userId' | 'keyword'> & {
  pictures: string[];
  telegraphPath: string | null;
  returned: number;
};

const MOST_AT_ONCE = 100;

export type ArticleDrafts = ReturnType<typeof makeArticleDrafts>;

/**
 * A draft exists from the moment of the charge, so that a charge can always be given back. Whoever ends it (publishing,
 * cancelling, the cleanup, a deletion) claims it by changing its status from `draft`; the second one finds nothing.
 */
export function makeArticleDrafts(sql: Sql, ledger: Ledger) {
  return { open, fill, replace, find, waiting, claimForPublishing, aim, release, cancel, expire };

  /** One draft per key, which nobody else changes until the transaction ends. Throws CategoryGone when the category is not this person's, or no longer there. */
  async function open(
    tx: TransactionSql,
    draft: Pick<Draft, 'userId' | 'categoryId' | 'connectionId' | 'keyword'> & { key: string },
  ): Promise<number> {
    const { key, userId, categoryId, connectionId, keyword } = draft;
    await tx`
      insert into article_previews
        (user_id, project_id, category_id, connection_id, keyword, tokens_charged, operation_key)
      select p.user_id, p.id, c.id, ${connectionId}, ${keyword}, 0, ${key}
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}
      on conflict (operation_key) do nothing`;
    const [row] = await tx<{ id: number }[]>`
      select id from article_previews where operation_key = ${key} for update`;
    if (!row) throw new CategoryGone(categoryId);
    return row.id;
  }

  /** The first version. Null when the draft was ended meanwhile. */
  async function fill(key: string, content: DraftContent): Promise<number | null> {
    const [row] = await sql<{ id: number }[]>`
      update article_previews set ${contentColumns(content)}
      where operation_key = ${key} and status = 'draft' returning id`;
    return row?.id ?? null;
  }

  /** Another version. It counts once per key; null when the draft was ended meanwhile. */
  async function replace(
    draftId: number,
    key: string,
    content: DraftContent,
  ): Promise<{ regenerations: number } | null> {
    const [row] = await sql<{ regenerations: number }[]>`
      update article_previews set ${contentColumns({ ...content, details: { ...content.details, version: key } })}
          || jsonb_strip_nulls(jsonb_build_object('mayBeOn', details -> 'mayBeOn')),
        regeneration_count = regeneration_count + case when details ->> 'version' = ${key} then 0 else 1 end
      where id = ${draftId} and status = 'draft' returning regeneration_count as regenerations`;
    return row ?? null;
  }

  /** Open and written; null for any other, and for somebody else's. */
  async function find(userId: number, draftId: number): Promise<Draft | null> {
    const [row] = await sql<Draft[]>`
      select ${draftColumns()} from article_previews
      where id = ${draftId} and user_id = ${userId} and status = 'draft' and expires_at > now()
        and content_html is not null`;
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
        and (connection_id = ${connectionId} or connection_id is null)
        and status = 'draft' and expires_at > now() and content_html is not null
      order by id desc limit 1`;
    return row ?? null;
  }

  /**
   * From here on neither the cleanup nor a deletion gives its tokens back. The same key may claim again, after a
   * restart; null when the draft is somebody else's, expired, or ended by somebody faster (X02, E18).
   */
  async function claimForPublishing(userId: number, draftId: number, key: string): Promise<Draft | null> {
    const [row] = await sql<Draft[]>`
      update article_previews
      set status = 'published', details = details || jsonb_build_object('publishing', ${key}::text)
      where id = ${draftId} and user_id = ${userId} and content_html is not null
        and (status = 'draft' and expires_at > now() or status = 'published' and details ->> 'publishing' = ${key})
      returning ${draftColumns()}`;
    return row ?? null;
  }

  /** Whoever has claimed it says where it goes before it goes: from then on it may be there. */
  async function aim(draftId: number, key: string, site: { id: number; identifier: string }): Promise<void> {
    await sql`
      update article_previews
      set connection_id = (select id from platform_connections where id = ${site.id}),
        details = details || jsonb_build_object('mayBeOn',
          ${elsewhere(site.identifier)} || to_jsonb(${site.identifier}::text))
      where id = ${draftId} and status = 'published' and details ->> 'publishing' = ${key}`;
  }

  /** Not published after all: a draft again, with an hour at least to decide. `notOn`: that site does not have it. */
  async function release(draftId: number, key: string, notOn: string | null): Promise<void> {
    await sql`
      update article_previews
      set status = 'draft',
        details = details - 'publishing'
          || case when ${notOn}::text is null then '{}'::jsonb
             else jsonb_build_object('mayBeOn', ${elsewhere(notOn)}) end,
        expires_at = greatest(expires_at, now() + interval '1 hour')
      where id = ${draftId} and status = 'published' and details ->> 'publishing' = ${key}`;
  }

  /** Told twice, it tells the same: what came back. Null for somebody else's, and for one that was published. */
  async function cancel(userId: number, draftId: number): Promise<EndedDraft | null> {
    return sql.begin(async (tx) => {
      await tx`
        update article_previews set status = 'cancelled'
        where id = ${draftId} and user_id = ${userId} and status = 'draft'`;
      const [draft] = await ended(tx, tx`id = ${draftId} and user_id = ${userId} and status = 'cancelled'`);
      return draft ?? null;
    });
  }

  /** Ends drafts whose day is over, one by one: a bad one keeps nobody waiting. */
  async function expire({
    only,
  }: {
    only?: number;
  } = {}): Promise<{ drafts: EndedDraft[]; failures: unknown[] }> {
    const due = await sql<{ id: number }[]>`
      select id from article_previews
      where status = 'draft' and expires_at <= now() ${only === undefined ? sql`` : sql`and id = ${only}`}
      order by id limit ${MOST_AT_ONCE}`;
    const drafts: EndedDraft[] = [];
    const failures: unknown[] = [];
    for (const { id } of due) {
      try {
        const draft = await sql.begin(async (tx) => {
          const { count } = await tx`
            update article_previews set status = 'expired' where id = ${id} and status = 'draft'`;
          return count === 1 ? (await ended(tx, tx`id = ${id}`))[0] : undefined;
        });
        if (draft) drafts.push(draft);
      } catch (error) {
        failures.push(error);
      }
    }
    return { drafts, failures };
  }

  /** Gives the tokens of drafts back that were just claimed, once per draft. */
  async function ended(tx: TransactionSql, which: ReturnType<TransactionSql>): Promise<EndedDraft[]> {
    const rows = await tx<(Omit<EndedDraft, 'returned'> & { tokens: number })[]>`
      select id, user_id as "userId", keyword, tokens_charged as tokens, telegraph_path as "telegraphPath",
        array(select jsonb_array_elements(images) ->> 'storage_path') as pictures
      from article_previews where ${which}`;
    const drafts: EndedDraft[] = [];
    for (const { tokens, ...draft } of rows) {
      const key = `draft:${draft.id}:refund`;
      if (tokens > 0)
        await ledger.refund({ key, userId: draft.userId, amount: tokens, description: draft.keyword }, tx);
      drafts.push({ ...draft, returned: await movedUnder([key], tx) });
    }
    return drafts;
  }

  /** The details stand last: whatever of the old ones stays is put behind them. */
  function contentColumns({ title, html, words, images, telegraph, details }: DraftContent) {
    return sql`title = ${title}, content_html = ${html}, word_count = ${words}, images_count = ${images.length},
      images = ${sql.json(images as never)}, telegraph_url = ${telegraph?.url ?? null},
      telegraph_path = ${telegraph?.path ?? null}, details = ${JSON.stringify(details)}::text::jsonb`;
  }

  function elsewhere(site: string | null) {
    return sql`(coalesce(details -> 'mayBeOn', '[]') - ${site}::text)`;
  }

  function draftColumns() {
    return sql`id, user_id as "userId", project_id as "projectId", category_id as "categoryId",
      connection_id as "connectionId", keyword, title, content_html as html, word_count as words, images,
      case when telegraph_url is null then null
        else json_build_object('url', telegraph_url, 'path', telegraph_path) end as telegraph,
      details, tokens_charged as tokens, regeneration_count as regenerations`;
  }
}
