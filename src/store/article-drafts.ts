import { CategoryGone } from '../errors.ts';
import type { Price } from '../prices.ts';
import type { ArticleAnswer } from '../services/ai/answers.ts';
import type { SearchSnapshot } from '../services/article/search-snapshot.ts';
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

/** What publishing and another version need beside the text, whatever kind of text it is. */
export type AnyDetails = {
  contentHash: string | null;
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
  /** What the first version came to: every further one costs the same. */
  price: Price;
  /** For the preview: what the person should know, and how many pictures were wanted. */
  notes: string[];
  imagesWanted: number;
  /** How many of the pictures are the person's own photos; they come first. */
  ownPhotos?: number;
  /** The operation that wrote this version, unless it is the first. */
  version?: string;
  /** The operation of a version that was charged and is not settled. */
  paying?: string;
  /** Places that were given the text and did not say what became of it. */
  mayBeOn?: string[];
  /** How often an answer was lost. */
  lost?: number;
  /** Of what was charged, the tokens that do not come back: its owner has taken the HTML (X09). */
  final?: number;
  /** Shown again to a person who has left; and what it cost comes back at its end. An article always is. */
  kept?: true;
};

/** Of an article. */
type DraftDetails = AnyDetails & {
  /** What search showed when it was written. */
  results?: SearchSnapshot;
  seoTitle: string;
  metaDescription: string;
  sections: number;
  /** The text as the model gave it, for a change by words. */
  answer?: ArticleAnswer;
  /** What such a change did, in words for the person. */
  changes?: string;
  /** What the score means, in words for the person. */
  verdict?: { score: number; strengths: string[]; weaknesses: string[] };
};

type DraftKind = 'article' | 'social_post';

export type DraftContent<Details extends AnyDetails = DraftDetails> = {
  title: string;
  html: string;
  words: number;
  images: readonly DraftImage[];
  telegraph: { url: string; path: string } | null;
  details: Details;
};

export type Draft<Details extends AnyDetails = DraftDetails> = DraftContent<Details> & {
  id: number;
  userId: number;
  projectId: number;
  categoryId: number;
  connectionId: number | null;
  keyword: string;
  tokens: number;
  regenerations: number;
  /** `unknown`: it may be on a site, whose answer was lost. */
  status: 'draft' | 'publishing' | 'unknown' | 'published';
};

/** A publication whose process died: what it takes to go on with it. */
export type LeftClaim = {
  draftId: number;
  userId: number;
  key: string;
  site: string;
  keyword: string;
  /** It was to become a draft on the site. */
  asDraft: boolean;
};

/** What is left of a draft that was ended: files to remove, and tokens that came back. */
export type EndedDraft = Pick<Draft, 'id' | 'userId' | 'keyword'> & {
  pictures: string[];
  telegraphPath: string | null;
  returned: number;
};

/** A draft whose answer was lost and that its owner never settled: taken for published after 72 hours. */
export type SettledDraft = Pick<Draft, 'id' | 'userId' | 'keyword'> & {
  pictures: string[];
  telegraphPath: string | null;
};

const MOST_AT_ONCE = 100;
/**
 * How long a claim is left to its owner beyond the lease of its operation. A session that still knows of the work takes
 * it over within a minute; what is left after this has no session.
 */
const CLAIM_SECONDS = 5 * 60;
const UNKNOWN_HOURS = 72;

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
    ...{ open, fill, replace, find, findEnded, waiting, cancel, expire },
    takeHtml,
    ...{ claimForPublishing, aim, settle, release, leftClaims, confirm, settleUnknown, refundDeleted },
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
      select ${draftColumns()} from article_previews
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and status in ('draft', 'unknown')
        and expires_at > now()
        and content_html is not null`;
    return row ?? null;
  }

  /** Written once, and decided about since: for work that was paid before and has to be settled. */
  async function findEnded(userId: number, draftId: number): Promise<Draft<Details> | null> {
    const [row] = await sql<Draft<Details>[]>`
      select ${draftColumns()} from article_previews
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

  /**
   * From here on neither the cleanup nor a deletion gives its tokens back. The same key may claim again, after a
   * restart; null when the draft is a stranger's, expired, or was ended by another (X02, E18).
   */
  async function claimForPublishing(
    userId: number,
    draftId: number,
    key: string,
    site: string,
    asDraft = false,
  ): Promise<Draft<Details> | null> {
    const [row] = await sql<Draft<Details>[]>`
      update article_previews
      set status = case status when 'published' then status else 'publishing' end,
        claim_until = ${claimEnd()},
        details = details - 'asDraft' || jsonb_build_object('publishing', ${key}::text, 'publishingTo', ${site}::text)
          || ${asDraft ? sql`'{"asDraft": true}'` : sql`'{}'`}::jsonb
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and content_html is not null
        and (status in ('draft', 'unknown') and expires_at > now()
          or status in ('publishing', 'published') and details ->> 'publishing' = ${key})
      returning ${draftColumns()}`;
    return row ?? null;
  }

  /** The owner of the claim says where it goes before it goes: from then on it may be there. */
  async function aim(draftId: number, key: string, site: { id: number; identifier: string }): Promise<void> {
    await sql`
      update article_previews
      set connection_id = (select id from platform_connections where id = ${site.id}),
        details = details || jsonb_build_object('mayBeOn',
          ${elsewhere(site.identifier)} || to_jsonb(${site.identifier}::text))
      where ${claimedBy(draftId, key)}`;
  }

  /** It is on the site. An earlier try whose answer was lost is settled with it. */
  async function settle(draftId: number, key: string): Promise<void> {
    await sql`
      with settled as (
        update article_previews set status = 'published', claim_until = null
        where ${claimedBy(draftId, key)} returning details ->> 'unknown' as unknown
      )
      update publication_logs set status = 'failed'
      where operation_key in (select unknown from settled) and operation_key <> ${key} and status = 'unknown'`;
  }

  /**
   * Not published, as far as is known: a draft again, with an hour at least to decide. `notOn`: that site certainly does
   * not have it. While another may have it, its state is unknown. `isLost`: this try's answer was, which is counted.
   * Null when the draft is gone, deleted with its project.
   */
  async function release(
    draftId: number,
    key: string,
    notOn: string | null,
    isLost = false,
  ): Promise<{ lost: number } | null> {
    const left = sql`coalesce(details -> 'mayBeOn', '[]') - ${notOn ?? ''}::text`;
    const isUnknown = sql`jsonb_array_length(${left}) > 0`;
    const counted = isLost
      ? sql`|| jsonb_build_object('lost', coalesce((details ->> 'lost')::integer, 0) + 1)`
      : sql``;
    const kept = kind === 'social_post' ? sql`|| '{"kept": true}'` : sql``;
    const [row] = await sql<{ lost: number }[]>`
      with released as (
        update article_previews
        set status = case when ${isUnknown} then 'unknown' else 'draft' end, claim_until = null,
          details = details - 'publishing' - 'publishingTo' - 'asDraft' - case when ${isUnknown} then '' else 'unknown' end
            || jsonb_build_object('mayBeOn', ${left}) ${counted} ${kept}
            || case when ${isUnknown} and not details ? 'unknown'
               then jsonb_build_object('unknown', ${key}::text) else '{}' end,
          expires_at = case when ${isUnknown} then now() + ${UNKNOWN_HOURS} * interval '1 hour'
            else greatest(expires_at, now() + interval '1 hour') end
        where ${claimedBy(draftId, key)} returning id, status, coalesce((details ->> 'lost')::integer, 0) as lost
      ), noted as (
        update publication_logs set status = 'failed'
        where operation_key = ${key} and status = 'unknown' and exists (select from released where status = 'draft')
      )
      select lost from released`;
    return row ?? null;
  }

  /** Its row went with its project while it was being published, and nothing came of that. */
  async function refundDeleted({ id, userId, tokens, keyword, details }: Draft<Details>): Promise<void> {
    const amount = tokens - (details.final ?? 0);
    if (amount > 0) await ledger.refund({ key: refundKey(id), userId, amount, description: keyword });
  }

  /** Claims whose process died and whose session is gone: handed out once per lease, to one process. */
  async function leftClaims(): Promise<LeftClaim[]> {
    return sql<LeftClaim[]>`
      update article_previews set claim_until = ${claimEnd()}
      where id in (
        select a.id from article_previews a left join operations o on o.key = a.details ->> 'publishing'
        where a.status = 'publishing' and a.claim_until <= now() and ${ofKind()}
          and coalesce(o.lease_until <= clock_timestamp(), true)
          -- The run of a schedule is taken over as a whole, and tells of its publication itself.
          and not exists (
            select from operations run where run.key = regexp_replace(a.details ->> 'publishing', ':publish$', '')
              and run.kind is not null and run.status = 'running')
        order by a.id limit ${MOST_AT_ONCE} for update of a skip locked)
      returning id as "draftId", user_id as "userId", keyword, details ->> 'publishing' as key,
        details ->> 'publishingTo' as site, details ? 'asDraft' as "asDraft"`;
  }

  /** The owner has seen it on the site. Idempotent; null when there was nothing to confirm. */
  async function confirm(
    userId: number,
    draftId: number,
  ): Promise<(SettledDraft & { publicationId: number | null }) | null> {
    const [draft] = await endUnknown(sql`id = ${draftId} and user_id = ${userId} and ${ofKind()}`);
    return draft ?? knownSince(userId, draftId);
  }

  /** Its answer was lost once, and now it is known to be there. */
  async function knownSince(userId: number, draftId: number) {
    const [draft] = await sql<(SettledDraft & { publicationId: number | null })[]>`
      select ${settledColumns()},
        (select max(l.id) from publication_logs l where l.status in ('success', 'draft')
          and l.operation_key in (e.details ->> 'unknown', e.details ->> 'publishing')) as "publicationId"
      from article_previews e
      where id = ${draftId} and user_id = ${userId} and ${ofKind()} and status = 'published' and details ? 'unknown'`;
    return draft ?? null;
  }

  /** No answer from the person for 72 hours: counted as published. */
  async function settleUnknown(): Promise<SettledDraft[]> {
    return endUnknown(sql`expires_at <= now() and ${ofKind()}`);
  }

  async function endUnknown(which: ReturnType<Sql>) {
    return sql<(SettledDraft & { publicationId: number | null })[]>`
      with ended as (
        update article_previews set status = 'published' where status = 'unknown' and ${which} returning *
      ), noted as (
        update publication_logs l set status = case when l.as_draft then 'draft' else 'success' end from ended
        where l.operation_key = ended.details ->> 'unknown' and l.status = 'unknown' returning l.id, l.operation_key
      )
      select ${settledColumns()},
        (select n.id from noted n where n.operation_key = e.details ->> 'unknown') as "publicationId"
      from ended e`;
  }

  function settledColumns() {
    return sql`e.id, e.user_id as "userId", e.keyword, e.telegraph_path as "telegraphPath",
      array(select jsonb_array_elements(e.images) ->> 'storage_path') as pictures`;
  }

  /** Idempotent: a second call returns the same refund. Null for a stranger's, and for one that was published. */
  async function cancel(userId: number, draftId: number): Promise<EndedDraft | null> {
    return sql.begin(async (tx) => {
      await tx`
        with cancelled as (
          update article_previews set status = 'cancelled'
          where id = ${draftId} and user_id = ${userId} and ${ofKind()} and status in ('draft', 'unknown')
          returning details ->> 'unknown' as unknown
        )
        update publication_logs set status = 'cancelled'
        where operation_key in (select unknown from cancelled) and status = 'unknown'`;
      const [draft] = await ended(tx, tx`id = ${draftId} and user_id = ${userId} and status = 'cancelled'`);
      return draft ?? null;
    });
  }

  /** Ends drafts whose day is over, one by one: a bad one does not stop the others. */
  async function expire({
    only,
  }: {
    only?: number;
  } = {}): Promise<{ drafts: EndedDraft[]; failures: unknown[] }> {
    const due = await sql<{ id: number }[]>`
      select id from article_previews
      where status = 'draft' and expires_at <= now() and ${ofKind()} ${only === undefined ? sql`` : sql`and id = ${only}`}
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
      select id, user_id as "userId", keyword, telegraph_path as "telegraphPath",
        -- Without a refund: a post that was written and seen, and whose person left it (E27).
        case when refundable or status <> 'expired' then ${returnable(tx)} else 0 end as tokens,
        array(select jsonb_array_elements(images) ->> 'storage_path') as pictures
      from article_previews where ${which}`;
    const drafts: EndedDraft[] = [];
    for (const { tokens, ...draft } of rows) {
      const key = refundKey(draft.id);
      if (tokens > 0)
        await ledger.refund({ key, userId: draft.userId, amount: tokens, description: draft.keyword }, tx);
      drafts.push({ ...draft, returned: await movedUnder([key], tx) });
    }
    return drafts;
  }

  /** The details stand last: whatever of the old ones stays is put behind them. */
  function contentColumns({ title, html, words, images, telegraph, details }: DraftContent<Details>) {
    return sql`title = ${title}, content_html = ${html}, word_count = ${words}, images_count = ${images.length},
      images = ${sql.json(images as never)}, telegraph_url = ${telegraph?.url ?? null},
      telegraph_path = ${telegraph?.path ?? null}, details = ${JSON.stringify(details)}::text::jsonb`;
  }

  function claimedBy(draftId: number, key: string) {
    return sql`id = ${draftId} and status = 'publishing' and details ->> 'publishing' = ${key}`;
  }

  function claimEnd() {
    return sql`now() + ${CLAIM_SECONDS} * interval '1 second'`;
  }

  function elsewhere(site: string | null) {
    return sql`(coalesce(details -> 'mayBeOn', '[]') - ${site}::text)`;
  }

  function draftColumns() {
    return sql`id, user_id as "userId", project_id as "projectId", category_id as "categoryId",
      connection_id as "connectionId", keyword, title, content_html as html, word_count as words, images,
      case when telegraph_url is null then null
        else json_build_object('url', telegraph_url, 'path', telegraph_path) end as telegraph,
      details, tokens_charged as tokens, regeneration_count as regenerations, status`;
  }
}

/** What the end of a draft gives back: all that was charged, but for what its owner made final by taking the HTML. */
export const returnable = (sql: Sql | TransactionSql) =>
  sql`greatest(tokens_charged - coalesce((details ->> 'final')::integer, 0), 0)`;

const refundKey = (draftId: number): string => `draft:${draftId}:refund`;
