import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeAdminStore } from '../../src/store/admin.ts';
import { makeBroadcasts } from '../../src/store/broadcasts.ts';
import { makeWorkload } from '../../src/store/workload.ts';
import { watchQueries } from '../support/explained.ts';
import { seedBusiness } from '../support/seeded-business.ts';
import { freshPostgresUrl } from '../support/stores.ts';

/** `npm run bench -- owner-figures` measures the same pages with 100,000 people and a million rows. */
const PEOPLE = 10_000;
const LEDGER = 40_000;

describe.runIf(inject('postgresUrl'))('the owner’s figures of a large business', () => {
  let watched: ReturnType<typeof watchQueries>;
  beforeAll(async () => {
    watched = watchQueries(await freshPostgresUrl());
    await seedBusiness(watched.sql, { people: PEOPLE, ledger: LEDGER });
  }, 60_000);
  afterAll(() => watched.close());
  const store = () => makeAdminStore(watched.sql);

  const plain = async (query: string) => Number((await watched.sql.unsafe(query))[0]!.n ?? 0);

  it('are what plain counts of the tables say', async () => {
    const figures = await store().figures();
    expect(figures).toMatchObject({
      people: PEOPLE,
      payers: await plain(`select count(distinct user_id) as n from payments where status = 'completed'`),
      projects: await plain('select count(*) as n from projects'),
      revenueRub: await plain(
        `select sum(amount_rub) as n from payments where status = 'completed' and created_at > now() - interval '30 days'`,
      ),
      referrals: {
        activations: await plain(
          `select count(distinct user_id) as n from payments where status = 'completed' and referral_bonus_credited`,
        ),
        bonus: await plain(
          `select sum(amount) as n from token_expenses where operation_type = 'referral_bonus'`,
        ),
      },
    });
    expect(figures.payers).toBeGreaterThan(500);
    expect(figures.packages.reduce((sum, { payers }) => sum + payers, 0)).toBe(figures.payers);

    for (const days of [7, 30, 90]) {
      const { providers } = await store().apiCosts(days);
      const [usd, requests] = [
        providers.reduce((sum, each) => sum + each.usd, 0),
        providers.reduce((sum, each) => sum + each.requests, 0),
      ];
      const of = `from token_expenses where operation_type like 'api%' and created_at > now() - interval '${days} days'`;
      expect(requests, `${days} days`).toBe(await plain(`select count(*) as n ${of}`));
      expect(usd, `${days} days`).toBeCloseTo(await plain(`select sum(cost_usd) as n ${of}`), 6);
    }
  });

  it('of audiences are what plain counts say, for those who want news and for all', async () => {
    const broadcasts = makeBroadcasts(watched.sql);
    const among = {
      all: 'true',
      active_7d: `last_activity >= now() - interval '7 days'`,
      active_30d: `last_activity >= now() - interval '30 days'`,
      paid: `exists (select from payments p where p.user_id = users.id and p.status = 'completed')`,
    };
    const sizes = await broadcasts.sizes();
    for (const [name, condition] of Object.entries(among)) {
      const audience = name as keyof typeof among;
      const reachable = `select count(*) as n from users where blocked_at is null and id > 0 and ${condition}`;
      const wanted = await plain(`${reachable} and notify_news`);
      expect(wanted).toBeGreaterThan(0);
      expect([sizes[audience], await broadcasts.reach(audience, false)], name).toEqual([wanted, wanted]);
      expect(await broadcasts.reach(audience, true), name).toBe(await plain(reachable));
    }
  });

  it('by day add up to those of the period, today last', async () => {
    const days = await store().daily(30);
    expect(days).toHaveLength(30);
    const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((all, day) => all + of(day), 0);
    const since = `((now() at time zone 'Europe/Moscow')::date - 29)::timestamp at time zone 'Europe/Moscow'`;
    expect(sum(({ people }) => people)).toBe(
      await plain(`select count(*) as n from users where created_at >= ${since}`),
    );
    expect(sum(({ revenueRub }) => revenueRub)).toBe(
      await plain(
        `select sum(amount_rub) as n from payments where status = 'completed' and created_at >= ${since}`,
      ),
    );
    expect(sum(({ costUsd }) => costUsd)).toBeCloseTo(
      await plain(`select sum(cost_usd) as n from token_expenses where created_at >= ${since}`),
      6,
    );
    const [today] = await watched.sql`select (now() at time zone 'Europe/Moscow')::date::text as day`;
    expect(days.at(-1)!.day).toBe(today!.day);
  });

  it('are found by indexes: no page reads the ledger, the payments or the publications as a whole', async () => {
    const { figures, apiCosts, daily, person, find } = store();
    const plans = await watched.explain(async () => {
      await figures();
      await apiCosts(30);
      await daily(30);
      await person(42);
      await find('@name_42');
      await find('@nobody_at_all');
      await makeWorkload(watched.sql)();
    });
    const audiences = await watched.explain(makeBroadcasts(watched.sql).sizes);
    const asked = audiences.flatMap(({ indexes }) => indexes).filter((index) => index === 'idx_users_news');
    expect(asked.length, 'for those of the week and of the month at least').toBeGreaterThanOrEqual(2);
    expect(plans.length).toBeGreaterThan(10);
    const large = ['token_expenses', 'payments', 'publication_logs'];
    const whole = plans.filter(({ seqScans }) => seqScans.some((table) => large.includes(table)));
    expect(whole).toEqual([]);
    expect(plans.flatMap(({ indexes }) => indexes)).toEqual(
      expect.arrayContaining([
        ...['idx_expenses_api', 'idx_expenses_referral', 'idx_payments_completed'],
        ...['idx_payments_completed_at', 'idx_users_username', 'idx_pub_logs_unknown'],
      ]),
    );
  });
});
