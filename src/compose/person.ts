import type { Api } from 'grammy';
import { packageTitle } from '../catalogue.ts';
import type { Config } from '../config.ts';
import type { DashboardData } from '../menu/dashboard.ts';
import type { ProfileData } from '../menu/profile.ts';
import type { SettingsData } from '../menu/settings.ts';
import { productVersion } from '../product-version.ts';
import { type PaidBefore, termsOf } from '../screens/pages/settings.ts';
import { drawSpending } from '../services/money/draw-spending.ts';
import { makeDashboard } from '../store/dashboard.ts';
import type { Sql } from '../store/database.ts';
import { makePersonPages } from '../store/person-pages.ts';
import type { PersonalData } from '../store/personal-data.ts';
import type { makeUsers } from '../store/users.ts';
import type { composeMoney } from './money.ts';

const LAST_PAYMENTS = 5;

type Ground = {
  sql: Sql;
  users: Pick<ReturnType<typeof makeUsers>, 'remember' | 'noteConsent'>;
  personalData: PersonalData;
  money: Pick<ReturnType<typeof composeMoney>, 'payments' | 'endRenewal'>;
  cancelSchedules(userId: number): Promise<void>;
  owner: Config['owner'];
  api: Pick<Api, 'getMe'>;
};

/** What a person sees and decides about themselves. */
export function composePerson({ sql, users, personalData, money, cancelSchedules, owner, api }: Ground) {
  const pages = makePersonPages(sql);
  const dashboard = makeDashboard(sql);
  let botName: string | null = null;
  const profile: ProfileData = {
    ...pages,
    plot: async (userId) => drawSpending(await pages.spending(userId)),
    inviteLink,
  };
  const settings: SettingsData = {
    owner,
    version: productVersion,
    switches: pages.switches,
    toggle: pages.toggle,
    lastPayments,
    collect: personalData.collect,
    losses,
    forget,
  };
  const home: Pick<DashboardData, 'terms' | 'noteConsent' | 'register'> = {
    terms: termsOf(owner),
    noteConsent: async (userId) => {
      if (owner.policyUrl) await users.noteConsent(userId, owner.policyUrl);
    },
    register: async ({ userId: id, firstName, isAdmin }) =>
      void (await users.remember({ id, firstName, lastName: null, username: null, isAdmin })),
  };
  return { pages: { profile, settings }, dashboard: home };

  async function inviteLink(userId: number): Promise<string | null> {
    botName ??= (await api.getMe()).username ?? null;
    return botName && `https://t.me/${botName}?start=ref_${userId}`;
  }

  async function lastPayments(userId: number): Promise<PaidBefore[]> {
    const rows = await money.payments.latest(userId, LAST_PAYMENTS);
    return rows.map((row) => ({
      at: row.createdAt.toISOString(),
      title: packageTitle(row.package),
      rub: row.rub,
      stars: row.stars,
      isRefunded: row.status === 'refunded',
    }));
  }

  async function losses(userId: number) {
    const [home, subscription] = await Promise.all([dashboard(userId), money.payments.subscription(userId)]);
    return home && { ...home, renews: subscription?.subscriptionStatus === 'active' };
  }

  /**
   * Telegram would go on charging a person whom we no longer know, and the scheduler would go on calling: both are ended
   * before the rows that say what to end.
   */
  async function forget(userId: number): Promise<boolean> {
    if (!(await money.endRenewal(userId))) return false;
    await cancelSchedules(userId);
    await personalData.forget(userId);
    return true;
  }
}
