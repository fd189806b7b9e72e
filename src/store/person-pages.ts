import type {
  HistoryPage,
  HistoryScope,
  Profile,
  Referrals,
  Spending,
  Switches,
} from '../screens/pages/profile.ts';
import { makeDashboard } from './dashboard.ts';
import type { Sql } from './database.ts';
import { spendingRows } from './spending-rows.ts';

const PER_PAGE = 20;
/** Weeks of the plot, and of the pace at which the balance goes. */
const WEEKS = 8;
const PACE_WEEKS = 4;

/** What a person sees of themselves: figures, movements of tokens, whom they invited, what they hear of. */
export function makePersonPages(sql: Sql) {
  const dashboard = makeDashboard(sql);
  return { profile, spending, history, referrals, switches, toggle };

  async function profile(userId: number): Promise<Profile | null> {
    const home = await dashboard(userId);
    if (!home) return null;
    const [row] = await sql<
      [
        {
          name: string | null;
          categories: number;
          publications: number;
          lastWeeks: number;
          spent: number;
          since: Date;
          weeks: number;
        },
      ]
    >`
      select u.first_name as name, u.created_at as since,
        ${weeksHere()} as weeks,
        (select count(*) from categories c join projects p on p.id = c.project_id where p.user_id = u.id) as categories,
        (select count(*) from publication_logs l where l.user_id = u.id and l.status = 'success') as publications,
        (select count(*) from publication_logs l where l.user_id = u.id and l.status = 'success'
          and l.created_at > now() - ${PACE_WEEKS} * interval '7 days') as "lastWeeks",
        (select coalesce(-sum(e.amount), 0)::integer from token_expenses e where e.user_id = u.id and ${spendingRows(sql)}
          and e.created_at > now() - ${PACE_WEEKS} * interval '7 days') as spent
      from users u where u.id = ${userId}`;
    const { projects, activeSchedules, balance, averageArticleCost } = home;
    return {
      ...{ balance, averageArticleCost, projects, activeSchedules },
      name: row.name,
      categories: row.categories,
      publications: row.publications,
      publicationsPerWeek: row.lastWeeks / row.weeks,
      spentPerWeek: Math.max(0, row.spent) / row.weeks,
      since: row.since.toISOString(),
    };
  }

  /** A newcomer has no four weeks behind them: theirs count from the day they came, and one at least. */
  function weeksHere() {
    return sql`greatest(1, least(${PACE_WEEKS}, extract(epoch from now() - u.created_at) / 604800))::float8`;
  }

  /** Tokens by week and kind, the oldest week first; what came back is taken off the week in which it did. */
  async function spending(userId: number): Promise<Spending[]> {
    const weeks = await sql<(Spending & { back: number })[]>`
      with weeks as (
        select generate_series(date_trunc('week', now()) - ${WEEKS - 1} * interval '7 days', date_trunc('week', now()),
          interval '7 days') as week)
      select to_char(w.week, 'DD.MM') as week,
        coalesce(-sum(e.amount) filter (where e.operation_type = 'text_generation'), 0)::integer as texts,
        coalesce(-sum(e.amount) filter (where e.operation_type = 'image_generation'), 0)::integer as pictures,
        coalesce(-sum(e.amount) filter (where e.operation_type = 'keyword_generation'), 0)::integer as phrases,
        coalesce(-sum(e.amount) filter (where e.operation_type not in
          ('text_generation', 'image_generation', 'keyword_generation', 'refund')), 0)::integer as other,
        coalesce(sum(e.amount) filter (where e.operation_type = 'refund'), 0)::integer as back
      from weeks w left join token_expenses e on e.user_id = ${userId} and date_trunc('week', e.created_at) = w.week
        and ${spendingRows(sql)}
      group by w.week order by w.week`;
    return weeks.map(({ back, ...week }) => lessBy(back, week));
  }

  async function history(userId: number, scope: HistoryScope, wanted: number): Promise<HistoryPage> {
    const [totals] = await sql<[{ count: number; week: number; since: Date }]>`
      select (select created_at from users where id = ${userId}) as since, count(*) filter (where ${inScope(scope)}) as count,
        coalesce(-sum(e.amount) filter (where ${spendingRows(sql)} and e.created_at > now() - interval '7 days'), 0)::integer as week
      from token_expenses e where e.user_id = ${userId} and e.amount <> 0`;
    const pages = Math.max(1, Math.ceil(totals.count / PER_PAGE));
    const page = Math.min(Math.max(1, wanted), pages);
    const rows = await sql<{ at: Date; type: string; amount: number; about: string | null }[]>`
      select e.created_at as at, e.operation_type as type, e.amount, e.description as about from token_expenses e
      where e.user_id = ${userId} and e.amount <> 0 and ${inScope(scope)}
      order by e.created_at desc, e.id desc limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`;
    const items = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
    const since = totals.since.toISOString();
    return { scope, items, page, pages, count: totals.count, spentLastWeek: Math.max(0, totals.week), since };
  }

  function inScope(scope: HistoryScope) {
    switch (scope) {
      case 'out':
        return sql`e.amount < 0 and e.operation_type not in ('refund', 'referral_bonus', 'welcome_bonus', 'earlier_debt')`;
      case 'in':
        return sql`e.operation_type in ('purchase', 'referral_bonus', 'gift')`;
      case 'refund':
        return sql`e.operation_type = 'refund'`;
      default:
        return sql`true`;
    }
  }

  async function referrals(userId: number): Promise<Referrals> {
    const [row] = await sql<[Referrals]>`
      select (select count(*) from users where referrer_id = ${userId}) as invited,
        (select coalesce(sum(amount), 0)::integer from token_expenses
          where user_id = ${userId} and operation_type = 'referral_bonus') as earned`;
    return row;
  }

  async function switches(userId: number): Promise<Switches> {
    const [row] = await sql<[Switches]>`
      select notify_publications as publications, notify_balance as balance, notify_news as news
      from users where id = ${userId}`;
    return row;
  }

  async function toggle(userId: number, which: keyof Switches): Promise<void> {
    const column = sql(`notify_${which}`);
    await sql`update users set ${column} = not coalesce(${column}, true) where id = ${userId}`;
  }
}

/** A refund does not say of what it is: every kind becomes less in the same measure, and their sum is exact. */
function lessBy(back: number, { week, ...kinds }: Spending): Spending {
  const spent = Object.values(kinds).reduce((sum, tokens) => sum + tokens, 0);
  const share = spent === 0 ? 0 : Math.max(0, spent - back) / spent;
  let before = 0;
  const less = (tokens: number): number => {
    const part = Math.round((before + tokens) * share) - Math.round(before * share);
    before += tokens;
    return part;
  };
  const { texts, pictures, phrases, other } = kinds;
  return { week, texts: less(texts), pictures: less(pictures), phrases: less(phrases), other: less(other) };
}
