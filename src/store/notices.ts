import type { Sql } from './database.ts';

export type LowBalance = { userId: number; balance: number; averageArticle: number | null };
export type Digest = {
  userId: number;
  publications: number;
  tokens: number;
  /** Of what was published, the address of the latest; null: none has one. */
  bestUrl: string | null;
  /** Of all their articles, the one that climbed highest this week; null: none got into the first ten. */
  climbed: { keyword: string; place: number } | null;
};
export type Away = { userId: number; balance: number; days: number };

export type Notices = ReturnType<typeof makeNotices>;

/** Balances below this buy little. */
const LOW_BALANCE = 100;
const FIRST_PAGE = 10;
const AWAY_DAYS = [14, 45] as const;

/**
 * Who is due an unprompted notice. Selecting a person and noting them as told is one statement: of two runs at once,
 * or one that was repeated, each person is picked by one.
 */
export function makeNotices(sql: Sql) {
  return { lowBalances, digests, away };

  /** When the balance has fallen below the mark, and weekly while it stays there. */
  async function lowBalances(limit: number): Promise<LowBalance[]> {
    await sql`
      delete from notices n using users u
      where n.user_id = u.id and n.kind = 'low-balance' and u.balance >= ${LOW_BALANCE}`;
    return sql<LowBalance[]>`
      with due as (
        select u.id, u.balance from users u
        where u.balance < ${LOW_BALANCE} and u.notify_balance and u.blocked_at is null and u.role <> 'admin'
          and not exists (select from notices n where n.user_id = u.id and n.kind = 'low-balance'
            and n.told_at > now() - interval '7 days')
        order by u.id limit ${limit}
      ), told as (
        insert into notices (user_id, kind) select id, 'low-balance' from due
        on conflict (user_id, kind) do update set told_at = now()
        where notices.told_at <= now() - interval '7 days'
        returning user_id
      )
      select due.id as "userId", due.balance, (
        select round(avg(tokens_spent))::integer from publication_logs l
        where l.user_id = due.id and l.content_type = 'article' and l.status = 'success') as "averageArticle"
      from due join told on told.user_id = due.id`;
  }

  /** The last seven days of everyone who published something in them. `week` names the digest. */
  async function digests(week: string, limit: number): Promise<Digest[]> {
    const kind = `digest:${week}`;
    const weekBefore = new Date(Date.parse(week) - 7 * 86_400_000).toISOString().slice(0, 10);
    return sql<Digest[]>`
      with due as (
        select u.id from users u
        where u.notify_news and u.blocked_at is null and u.last_activity > now() - interval '30 days'
          and exists (select from publication_logs l where l.user_id = u.id and l.status = 'success'
            and l.created_at > now() - interval '7 days')
          and not exists (select from notices n where n.user_id = u.id and n.kind = ${kind})
        order by u.id limit ${limit}
      ), told as (
        insert into notices (user_id, kind) select id, ${kind} from due on conflict do nothing returning user_id
      )
      select told.user_id as "userId", count(*) as publications, coalesce(sum(l.tokens_spent), 0) as tokens,
        (array_agg(l.post_url order by l.rank_position nulls last, l.created_at desc)
          filter (where l.post_url is not null))[1] as "bestUrl", (
          select json_build_object('keyword', a.keyword, 'place', r.position)
          from publication_logs a join rank_checks r on r.publication_id = a.id
          left join rank_checks earlier on earlier.publication_id = a.id and earlier.week = ${weekBefore}
          where a.user_id = told.user_id and a.keyword is not null and r.week = ${week}
            and r.position <= ${FIRST_PAGE} and (earlier.position is null or earlier.position > r.position)
          order by r.position, a.id desc limit 1) as climbed
      from told join publication_logs l on l.user_id = told.user_id and l.status = 'success'
        and l.created_at > now() - interval '7 days'
      group by told.user_id`;
  }

  /** After two weeks of silence and once more after six; then nothing until they come back. */
  async function away(limit: number): Promise<Away[]> {
    const [first, second] = AWAY_DAYS;
    return sql<Away[]>`
      with due as (
        select u.id, u.balance, d.days from users u
        cross join lateral (select case
          when u.last_activity < now() - ${second} * interval '1 day' then ${second}::integer
          when u.last_activity < now() - ${first} * interval '1 day' then ${first}::integer end as days) d
        where d.days is not null and u.notify_news and u.blocked_at is null and u.role <> 'admin'
          and not exists (select from notices n where n.user_id = u.id and n.kind = 'away:' || d.days
            and n.told_at > u.last_activity)
        order by u.id limit ${limit}
      ), told as (
        insert into notices (user_id, kind) select id, 'away:' || days from due
        on conflict (user_id, kind) do update set told_at = now()
        returning user_id
      )
      select due.id as "userId", due.balance, due.days from due join told on told.user_id = due.id`;
  }
}
