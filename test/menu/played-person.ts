import type { ProfileData } from '../../src/menu/profile.ts';
import type { SettingsData } from '../../src/menu/settings.ts';

const types = ['text_generation', 'image_generation', 'purchase', 'refund', 'referral_bonus'];

/** A person who has used the bot for a while. */
export const playedProfile = (): ProfileData => ({
  profile: async () => ({
    name: '<Анна & Ко>',
    balance: 1_500,
    averageArticleCost: 320,
    projects: 2,
    categories: 5,
    publications: 40,
    activeSchedules: 2,
    publicationsPerWeek: 3,
    spentPerWeek: 960,
    since: '2026-01-02T09:00:00.000Z',
  }),
  plot: async () => null,
  history: async (_, scope, page) => ({
    scope,
    items: Array.from({ length: 20 }, (_, i) => ({
      at: '2026-11-18T09:00:00.000Z',
      type: types[i % types.length]!,
      amount: i % 2 === 0 ? -1_230 : 7_200,
      about: 'доставка цветов в день заказа '.repeat(4),
    })),
    since: '2026-11-01T09:00:00.000Z',
    page: Math.min(page, 3),
    pages: 3,
    count: 55,
    spentLastWeek: 960,
  }),
  referrals: async () => ({ invited: 3, earned: 900 }),
  inviteLink: async (userId) => `https://t.me/seo_master_bot?start=ref_${userId}`,
});

export const playedSettings = (): SettingsData => ({
  owner: { support: '@seo_master_support', policyUrl: 'https://x.ru/p', offerUrl: 'https://x.ru/o' },
  version: '2.0.0',
  switches: async () => ({ publications: true, balance: false, news: true }),
  toggle: async () => undefined,
  lastPayments: async () => [
    { at: '2026-11-18T09:00:00.000Z', title: 'Starter', rub: null, stars: 780, isRefunded: true },
  ],
  collect: async () => ({}),
  losses: async () => ({ balance: 1_500, projects: 2, renews: true }),
  forget: async () => true,
});
