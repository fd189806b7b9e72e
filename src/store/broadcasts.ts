import { randomUUID } from 'node:crypto';
import type { Audience, Broadcast, BroadcastContent } from '../screens/pages/broadcast.ts';
import type { Sql } from './database.ts';
import { one } from './payments.ts';

export type Outcome = 'sent' | 'blocked' | 'failed' | 'unknown';

export type Batch = {
  broadcastId: number;
  content: BroadcastContent;
  /** Names this batch: what another process took over meanwhile is no longer of it. */
  claim: string;
  /** Until the first of them may leave; the others follow at this distance. */
  waitMs: number;
  gapMs: number;
  userIds: number[];
};

/** `gapMs`: between two messages of all processes: 20 a second. `leaseMs`: longer than a send may last, with its repetitions. */
const usual = { gapMs: 50, leaseMs: 60_000 };
// A batch is claimed when its time is near, so that a lease is not spent waiting.
const CLAIM_AHEAD_SECONDS = 2;
const PROGRESS_EVERY = 100;
const RESUMABLE_DAYS = 7;

export type Broadcasts = ReturnType<typeof makeBroadcasts>;

/** One message to many people, from any number of processes: each person is sent to at most once. */
export function makeBroadcasts(sql: Sql, { gapMs, leaseMs } = usual) {
  return {
    ...{ sizes, reach, draft, byId, latest, setImportant, begin, stop, resume },
    ...{ claim, startSending, settle, giveBack, rest, releaseLost, finish },
    ...{ takeProgress, keepProgressMessage, takeReport, noteReported, purge },
  };

  /** How many people each audience has: those who can be reached and want news. */
  async function sizes(): Promise<Record<Audience, number>> {
    // Each by itself and by the index: in one they read everybody's row, 32 ms instead of 16 with 100,000 people.
    const [row] = await sql<[Record<Audience, number>]>`
      select ${reachOf('all', false)} as all, ${reachOf('active_7d', false)} as active_7d,
        ${reachOf('active_30d', false)} as active_30d, ${reachOf('paid', false)} as paid`;
    return row;
  }

  async function reach(audience: Audience, isImportant: boolean): Promise<number> {
    const [row] = await sql<[{ people: number }]>`select ${reachOf(audience, isImportant)} as people`;
    return row.people;
  }

  function reachOf(audience: Audience, isImportant: boolean) {
    return sql`(select count(*)::int from users u where ${reachable(audience, isImportant)})`;
  }

  function reachable(audience: Audience, isImportant: boolean) {
    const among = {
      all: sql`true`,
      active_7d: sql`u.last_activity >= now() - interval '7 days'`,
      active_30d: sql`u.last_activity >= now() - interval '30 days'`,
      paid: sql`u.id in (select p.user_id from payments p where p.status = 'completed')`,
    }[audience];
    // Not as a parameter: the index of those who want news must be known to fit.
    const wanted = isImportant ? sql`true` : sql`u.notify_news`;
    return sql`u.blocked_at is null and u.id > 0 and ${wanted} and ${among}`;
  }

  async function draft(adminId: number, audience: Audience, content: BroadcastContent): Promise<number> {
    const [row] = await sql<[{ id: number }]>`
      insert into broadcasts (admin_id, audience, content)
      values (${adminId}, ${audience}, ${JSON.stringify(content)}::text::jsonb) returning id`;
    return row.id;
  }

  async function byId(id: number): Promise<Broadcast | null> {
    return one(await sql<Broadcast[]>`select ${columns()} from broadcasts where id = ${id}`);
  }

  async function latest(limit: number): Promise<Broadcast[]> {
    return sql<Broadcast[]>`
      select ${columns()} from broadcasts where status <> 'draft' order by id desc limit ${limit}`;
  }

  function columns() {
    return sql`id, admin_id as "adminId", audience, content, is_important as "isImportant", status, recipients, sent,
      blocked, failed, unknown, unwanted, created_at as "createdAt", started_at as "startedAt",
      ended_at as "endedAt", progress_message as "progressMessage"`;
  }

  async function setImportant(id: number, isImportant: boolean): Promise<void> {
    await sql`update broadcasts set is_important = ${isImportant} where id = ${id} and status = 'draft'`;
  }

  /** From now on its recipients are fixed. False: it had begun, or is not what the owner confirmed. */
  async function begin({ id, audience }: Broadcast, isImportant: boolean): Promise<boolean> {
    return sql.begin(async (tx) => {
      const { count } = await tx`
        update broadcasts set status = 'sending', started_at = now()
        where id = ${id} and status = 'draft' and is_important = ${isImportant}`;
      if (count === 0) return false;
      const added = await tx`
        insert into broadcast_recipients (broadcast_id, user_id)
        select ${id}, u.id from users u where ${reachable(audience, isImportant)}`;
      await tx`update broadcasts set recipients = ${added.count} where id = ${id}`;
      return true;
    });
  }

  /** What is being sent this moment arrives, nothing after it. */
  async function stop(id: number): Promise<boolean> {
    const { count } = await sql`
      update broadcasts set status = 'stopped', ended_at = now() where id = ${id} and status = 'sending'`;
    return count === 1;
  }

  async function resume(id: number): Promise<boolean> {
    const { count } = await sql`
      update broadcasts set status = 'sending', ended_at = null, is_reported = false
      where id = ${id} and status = 'stopped' and ended_at > now() - ${RESUMABLE_DAYS} * interval '1 day'`;
    return count === 1;
  }

  /** The next people, with the time at which they may be sent to; null: nothing to do now. */
  async function claim(limit: number): Promise<Batch | null> {
    const name = randomUUID();
    return sql.begin(async (tx) => {
      // The row of the pace is the queue for all processes: one claims at a time.
      const [pace] = await tx<[{ waitMs: number }]>`
        select greatest(extract(epoch from next_at - clock_timestamp()) * 1000, 0)::float8 as "waitMs"
        from broadcast_pace for update`;
      if (pace.waitMs > CLAIM_AHEAD_SECONDS * 1000) return null;
      const picked = await tx<{ broadcastId: number; userId: number; fate: string }[]>`
        with picked as (
          select r.broadcast_id, r.user_id, b.is_important from broadcast_recipients r
          join broadcasts b on b.id = r.broadcast_id
          where r.status = 'waiting' and r.broadcast_id = (
            select b.id from broadcasts b where b.status = 'sending' and exists (
              select from broadcast_recipients w where w.broadcast_id = b.id and w.status = 'waiting')
            order by b.id limit 1)
          order by r.user_id limit ${limit} for update of r skip locked
        ), fates as (
          select p.broadcast_id, p.user_id, case
            when u.id is null or u.blocked_at is not null then 'blocked'
            when not p.is_important and not u.notify_news then 'unwanted' else 'claimed' end as fate
          from picked p left join users u on u.id = p.user_id
        ), moved as (
          update broadcast_recipients r set status = f.fate, claim = ${name},
            lease_until = now() + ${leaseMs} * interval '1 millisecond'
          from fates f where r.broadcast_id = f.broadcast_id and r.user_id = f.user_id
          returning r.broadcast_id, r.user_id, f.fate
        ), counted as (
          update broadcasts b set blocked = b.blocked + c.blocked, unwanted = b.unwanted + c.unwanted
          from (select broadcast_id, count(*) filter (where fate = 'blocked') as blocked,
              count(*) filter (where fate = 'unwanted') as unwanted from moved group by 1) c
          where b.id = c.broadcast_id
        )
        select broadcast_id as "broadcastId", user_id as "userId", fate from moved order by user_id`;
      const [first] = picked;
      if (!first) return null;
      const userIds = picked.filter(({ fate }) => fate === 'claimed').map(({ userId }) => userId);
      await tx`
        update broadcast_pace set next_at = greatest(next_at, clock_timestamp())
          + ${userIds.length * gapMs} * interval '1 millisecond'`;
      const [row] = await tx<[{ content: BroadcastContent }]>`
        select content from broadcasts where id = ${first.broadcastId}`;
      return {
        broadcastId: first.broadcastId,
        content: row.content,
        claim: name,
        waitMs: pace.waitMs,
        gapMs,
        userIds,
      };
    });
  }

  /** The last look before the call. False: it was stopped, or another process has this person now. */
  async function startSending({ broadcastId, claim }: Batch, userId: number): Promise<boolean> {
    const { count } = await sql`
      update broadcast_recipients r set status = 'sending', lease_until = now() + ${leaseMs} * interval '1 millisecond'
      from broadcasts b
      where b.id = r.broadcast_id and b.status = 'sending' and r.broadcast_id = ${broadcastId}
        and r.user_id = ${userId} and r.claim = ${claim} and r.status = 'claimed'`;
    return count === 1;
  }

  /** An outcome that comes after the lease had ended replaces the `unknown` it became. */
  async function settle({ broadcastId, claim }: Batch, userId: number, outcome: Outcome): Promise<void> {
    await sql`
      with before as (
        select status from broadcast_recipients
        where broadcast_id = ${broadcastId} and user_id = ${userId} and claim = ${claim}
          and status in ('sending', 'unknown') for update
      ), moved as (
        update broadcast_recipients r set status = ${outcome} from before
        where r.broadcast_id = ${broadcastId} and r.user_id = ${userId}
        returning before.status as was
      )
      update broadcasts b set
        sent = sent + ${Number(outcome === 'sent')}, blocked = blocked + ${Number(outcome === 'blocked')},
        failed = failed + ${Number(outcome === 'failed')},
        unknown = unknown + ${Number(outcome === 'unknown')} - (moved.was = 'unknown')::int
      from moved where b.id = ${broadcastId}`;
  }

  /** Certainly not sent: they wait again. Without a person, all of the batch that were not begun. */
  async function giveBack({ broadcastId, claim }: Batch, userId?: number): Promise<void> {
    const which =
      userId === undefined ? sql`status = 'claimed'` : sql`status = 'sending' and user_id = ${userId}`;
    await sql`
      update broadcast_recipients set status = 'waiting', claim = null, lease_until = null
      where broadcast_id = ${broadcastId} and claim = ${claim} and ${which}`;
  }

  /** No process sends anything for so long. */
  async function rest(ms: number): Promise<void> {
    await sql`
      update broadcast_pace set next_at = greatest(next_at, clock_timestamp() + ${ms} * interval '1 millisecond')`;
  }

  /** Of processes that died. `all`: where no other process can be alive. */
  async function releaseLost({ all = false } = {}): Promise<void> {
    await sql`
      with lost as (
        update broadcast_recipients set
          status = case status when 'claimed' then 'waiting' else 'unknown' end, lease_until = null
        where (broadcast_id, user_id) in (
          select broadcast_id, user_id from broadcast_recipients
          where status in ('claimed', 'sending') and (${all} or lease_until <= now()) for update skip locked)
        returning broadcast_id, status
      )
      update broadcasts b set unknown = b.unknown + l.people
      from (select broadcast_id, count(*) as people from lost where status = 'unknown' group by 1) l
      where b.id = l.broadcast_id`;
  }

  async function finish(): Promise<void> {
    await sql`
      update broadcasts set status = 'done', ended_at = now()
      where status = 'sending' and recipients = sent + blocked + failed + unknown + unwanted`;
  }

  /** The progress is to be shown, by the caller alone; null: it was shown a moment ago, or is over. */
  async function takeProgress(id: number): Promise<Broadcast | null> {
    return one(
      await sql<Broadcast[]>`
        update broadcasts set progress_shown = sent + blocked + failed + unknown + unwanted
        where id = ${id} and status = 'sending' and (progress_shown is null
          or sent + blocked + failed + unknown + unwanted - progress_shown >= ${PROGRESS_EVERY})
        returning ${columns()}`,
    );
  }

  async function keepProgressMessage(id: number, messageId: string): Promise<void> {
    await sql`update broadcasts set progress_message = ${messageId} where id = ${id}`;
  }

  /** One that ended and whose owner was not told. A stopped one is told when nothing of it is under way. */
  async function takeReport(): Promise<Broadcast | null> {
    return one(
      await sql<Broadcast[]>`
        update broadcasts set report_until = now() + interval '1 minute'
        where id = (
          select b.id from broadcasts b
          where status in ('done', 'stopped') and not is_reported and coalesce(report_until <= now(), true)
            and not exists (select from broadcast_recipients r
              where r.broadcast_id = b.id and r.status in ('claimed', 'sending'))
          order by id limit 1 for update skip locked)
        returning ${columns()}`,
    );
  }

  async function noteReported(id: number): Promise<void> {
    await sql`update broadcasts set is_reported = true, report_until = null where id = ${id}`;
  }

  /** Recipients are forgotten after a month; their number stays. */
  async function purge(): Promise<void> {
    await sql`
      delete from broadcast_recipients where broadcast_id in (
        select id from broadcasts where status in ('done', 'stopped') and ended_at < now() - interval '30 days')`;
    await sql`delete from broadcasts where status = 'draft' and created_at < now() - interval '7 days'`;
  }
}
