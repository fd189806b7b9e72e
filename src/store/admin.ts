import type { Json } from '../engine/json.ts';
import type { Deed, PersonFacts } from '../screens/pages/admin.ts';
import type { DayFigures } from '../services/monitor/draw-figures.ts';
import type { Sql, TransactionSql } from './database.ts';
import { one } from './payments.ts';
import { spendingRows } from './spending-rows.ts';

type Figures = {
  people: number;
  payers: number;
  projects: number;
  revenueRub: number;
  /** By the package of each payer's last payment. */
  packages: { name: string; payers: number }[];
  lastPayments: { name: string | null; rub: number; package: string; at: Date }[];
  referrals: { activations: number; bonus: number };
};

type ApiCosts = { providers: { name: string; usd: number; requests: number }[]; revenueRub: number };

type AuditEntry = {
  adminId: number;
  action:
    | 'look'
    | 'refund'
    | 'gift'
    | 'broadcast'
    | 'stop-broadcast'
    | 'resume-broadcast'
    | 'automatic-message'
    | 'error-file';
  userId?: number;
  details?: Json;
  /** Of a deed that may be begun twice: it is recorded once. */
  key?: string;
};

const REVENUE_DAYS = 30;
const LAST_PAYMENTS = 5;
/** Any midnight in Moscow, which knows no summer time. */
const MIDNIGHT = '2026-01-01 00:00:00+03';

export type AdminStore = ReturnType<typeof makeAdminStore>;

/** What the owner sees; money of people who have left counts, they themselves (below zero) do not. Every figure has an index of its own (schema.sql, "The owner's figures"). */
export function makeAdminStore(sql: Sql) {
  return {
    ...{ figures, apiCosts, daily, find, person, note, audit },
    ...{ automaticMessages, setAutomaticMessage, isAutomaticOn },
  };

  async function figures(): Promise<Figures> {
    const [[counts], [payers], packages, lastPayments, [referral]] = await Promise.all([
      sql<[{ people: number; projects: number }]>`
        select (select count(*)::int from users where id > 0) as people, (select count(*)::int from projects) as projects`,
      sql<[{ payers: number; activations: number }]>`
        select count(distinct user_id)::int as payers,
          count(distinct user_id) filter (where referral_bonus_credited)::int as activations
        from payments where status = 'completed' and user_id > 0`,
      sql<Figures['packages']>`
        select name, count(*)::int as payers from (
          select distinct on (user_id) package_name as name from payments
          where status = 'completed' and user_id > 0 order by user_id, created_at desc) last
        group by name order by payers desc, name`,
      sql<Figures['lastPayments']>`
        select u.first_name as name, coalesce(p.amount_rub, 0)::float8 as rub, p.package_name as package,
          p.created_at as at
        from payments p join users u on u.id = p.user_id
        where p.status = 'completed' order by p.created_at desc limit ${LAST_PAYMENTS}`,
      sql<[{ bonus: number }]>`
        select coalesce(sum(amount), 0)::int as bonus from token_expenses where operation_type = 'referral_bonus'`,
    ]);
    return {
      ...counts,
      payers: payers.payers,
      revenueRub: await revenue(REVENUE_DAYS),
      packages,
      lastPayments,
      referrals: { activations: payers.activations, bonus: referral.bonus },
    };
  }

  async function apiCosts(days: number): Promise<ApiCosts> {
    const [providers, revenueRub] = await Promise.all([
      sql<ApiCosts['providers']>`
        select substr(operation_type, 5) as name, coalesce(sum(cost_usd), 0)::float8 as usd, count(*)::int as requests
        from token_expenses
        where operation_type like 'api\\_%' and created_at >= now() - ${days} * interval '1 day'
        group by operation_type order by usd desc, name`,
      revenue(days),
    ]);
    return { providers, revenueRub };
  }

  /** Day by day, by the calendar of Moscow, today last. */
  async function daily(days: number): Promise<DayFigures[]> {
    // Bins of a day that begin at midnight in Moscow: five times faster than a conversion of every row.
    const dayOf = sql`date_bin('1 day', created_at, ${MIDNIGHT}::timestamptz)`;
    const today = sql`date_bin('1 day', now(), ${MIDNIGHT}::timestamptz)`;
    const from = sql`(${today} - ${days - 1} * interval '1 day')`;
    return sql<DayFigures[]>`
      with paid as (
        select ${dayOf} as day, sum(amount_rub)::float8 as rub from payments
        where status = 'completed' and created_at >= ${from} group by 1
      ), came as (
        select ${dayOf} as day, count(*)::int as people from users where id > 0 and created_at >= ${from} group by 1
      ), cost as (
        select ${dayOf} as day, sum(cost_usd)::float8 as usd from token_expenses
        where operation_type like 'api\\_%' and created_at >= ${from} group by 1
      )
      select (day at time zone 'Europe/Moscow')::date::text as day, coalesce(rub, 0) as "revenueRub", coalesce(people, 0) as people,
        coalesce(usd, 0) as "costUsd"
      from generate_series(${from}, ${today}, interval '24 hours') as each(day)
      left join paid using (day) left join came using (day) left join cost using (day)
      order by day`;
  }

  async function revenue(days: number): Promise<number> {
    const [row] = await sql<[{ rub: number }]>`
      select coalesce(sum(amount_rub), 0)::float8 as rub from payments
      where status = 'completed' and created_at >= now() - ${days} * interval '1 day'`;
    return row.rub;
  }

  /** By id, or by the name in Telegram with or without "@". Null when there is no such person. */
  async function find(text: string): Promise<number | null> {
    const wanted = text.trim().replace(/^@/u, '');
    const row = /^\d{1,15}$/u.test(wanted)
      ? one(await sql<{ id: number }[]>`select id from users where id = ${Number(wanted)}`)
      : one(
          // Materialised: asked in one, the planner walks through everybody by their last activity.
          await sql<{ id: number }[]>`
            with found as materialized (
              select id, last_activity from users
              where lower(username) = ${wanted.toLowerCase()} and username is not null
            )
            select id from found order by last_activity desc limit 1`,
        );
    return row?.id ?? null;
  }

  async function person(id: number): Promise<PersonFacts | null> {
    return one(
      await sql<PersonFacts[]>`
        select id, username, first_name as name, balance, role = 'admin' as "isAdmin",
          blocked_at is not null as "isBlocked", created_at as since, last_activity as "lastSeen",
          (select count(*)::int from projects p where p.user_id = u.id) as projects,
          (select count(*)::int from publication_logs l where l.user_id = u.id and l.status = 'success') as publications,
          greatest(0, (select coalesce(-sum(e.amount), 0) from token_expenses e
            where e.user_id = u.id and ${spendingRows(sql)}))::int as spent
        from users u where id = ${id}`,
    );
  }

  async function note(
    { adminId, action, userId, details = {}, key }: AuditEntry,
    on: Sql | TransactionSql = sql,
  ) {
    await on`
      insert into admin_audit (admin_id, action, user_id, details, operation_key)
      values (${adminId}, ${action}, ${userId ?? null}, ${JSON.stringify(details)}::text::jsonb, ${key ?? null})
      on conflict (operation_key) do nothing`;
  }

  /** The newest first. */
  async function audit(limit: number): Promise<Deed[]> {
    return sql<Deed[]>`
      select a.created_at as at, a.admin_id as "adminId", admins.first_name as admin, a.action, a.user_id as "userId",
        people.first_name as person, a.details
      from admin_audit a left join users admins on admins.id = a.admin_id left join users people on people.id = a.user_id
      order by a.id desc limit ${limit}`;
  }

  /** Names that are switched off; all others are on. */
  async function automaticMessages(): Promise<ReadonlySet<string>> {
    const rows = await sql<{ name: string }[]>`select name from automatic_messages where not is_on`;
    return new Set(rows.map(({ name }) => name));
  }

  async function setAutomaticMessage(name: string, isOn: boolean): Promise<void> {
    await sql`
      insert into automatic_messages (name, is_on) values (${name}, ${isOn})
      on conflict (name) do update set is_on = excluded.is_on`;
  }

  async function isAutomaticOn(name: string): Promise<boolean> {
    return !(await automaticMessages()).has(name);
  }
}
