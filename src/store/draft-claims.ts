import type { Sql } from './database.ts';
import { type AnyDetails, type Draft, type DraftKind, draftColumns } from './draft.ts';
import { isTryOf } from './draft-tries.ts';

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

/** Drafts on their way to a site or a channel: who may send one, and what is known of where it is. */
export function makeDraftClaims<Details extends AnyDetails>(sql: Sql, kind: DraftKind) {
  const ofKind = () => sql`content_type = ${kind}`;
  return { claimForPublishing, aim, settle, release, leftClaims, confirm, settleUnknown };

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
      returning ${draftColumns(sql)}`;
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
        where ${claimedBy(draftId, key)} returning id, user_id, details ->> 'unknown' as unknown
      )
      update publication_logs l set status = 'failed' from settled d
      where ${isTryOf(sql)} and l.operation_key <> ${key} and l.status = 'unknown'`;
  }

  /**
   * Not published, as far as is known: a draft again, with an hour at least to decide. `notOn`: that site certainly does
   * not have it. While another may have it, its state is unknown. `isLost`: this try's answer was, which is counted.
   * Earlier tries there are over: their owner did not find them and sent it again, so at most this one is in doubt.
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
      with before as (
        select id, user_id, connection_id, details ->> 'unknown' as unknown from article_previews
        where ${claimedBy(draftId, key)}
      ), released as (
        update article_previews
        set status = case when ${isUnknown} then 'unknown' else 'draft' end, claim_until = null,
          details = details - 'publishing' - 'publishingTo' - 'asDraft' - case when ${isUnknown} then '' else 'unknown' end
            || jsonb_build_object('mayBeOn', ${left}) ${counted} ${kept}
            || case when ${isUnknown} and (${isLost} or not details ? 'unknown')
               then jsonb_build_object('unknown', ${key}::text) else '{}' end,
          expires_at = case when ${isUnknown} then now() + ${UNKNOWN_HOURS} * interval '1 hour'
            else greatest(expires_at, now() + interval '1 hour') end
        where ${claimedBy(draftId, key)} returning status, coalesce((details ->> 'lost')::integer, 0) as lost
      ), noted as (
        update publication_logs l set status = 'failed' from before d, released r
        where (l.operation_key = ${key} or ${isTryOf(sql)}) and l.status = 'unknown' and (r.status = 'draft'
          or ${isLost} and l.operation_key <> ${key} and l.connection_id is not distinct from d.connection_id)
      )
      select lost from released`;
    return row ?? null;
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

  function claimedBy(draftId: number, key: string) {
    return sql`id = ${draftId} and status = 'publishing' and details ->> 'publishing' = ${key}`;
  }

  function claimEnd() {
    return sql`now() + ${CLAIM_SECONDS} * interval '1 second'`;
  }

  function elsewhere(site: string | null) {
    return sql`(coalesce(details -> 'mayBeOn', '[]') - ${site}::text)`;
  }
}
