import type { AdminData } from '../../src/menu/admin.ts';
import type { PaidBy, PersonFacts } from '../../src/screens/pages/admin.ts';
import { playedBroadcasts } from './played-broadcasts.ts';

const longName = '<&Ж>'.repeat(60);
const at = new Date('2026-11-18T09:00:00Z');
const aPerson: PersonFacts = {
  id: 8_000_000_001,
  username: 'a'.repeat(32),
  name: longName,
  balance: 1_500,
  isAdmin: false,
  isBlocked: true,
  projects: 2,
  publications: 7,
  spent: 320,
  since: at,
  lastSeen: at,
};
const aPayment: PaidBy = {
  id: 1,
  userId: aPerson.id,
  package: 'starter',
  tokens: 3_500,
  rub: 3_000,
  stars: null,
  status: 'completed',
  refundedTokens: 0,
  createdAt: at,
};

/** One admin looks at one person with one payment; deeds are kept in the order in which they were done. */
export function playedAdmin(deeds: string[] = []): AdminData {
  return {
    ...playedBroadcasts(deeds),
    monitor: async () => ({
      services: [{ name: 'redis', isUp: true, latencyMs: 1 }],
      processes: [true, false].map((isAlive) => ({
        ...{ id: 'a:1', role: 'bot', version: '2.0.0', memoryMb: 180, busy: 3, isAlive },
        ...{ startedAt: at, seenAt: at },
      })),
      ...{ schedules: { on: 12, waiting: 1, lateSeconds: 400, silent: 2 }, jobs: 3, unknown: 1 },
      errors: { errors: 2, warnings: 21 },
    }),
    errorFile: async () => [
      {
        ...{ at, level: 'error', message: longName, code: 'E', userId: 7, correlation: 'c', process: 'a:1' },
        stack: 'Error: x\n    at y',
      },
    ],
    isAdmin: async () => true,
    panel: async () => ({
      services: [
        { name: 'database', isUp: true, latencyMs: 3 },
        { name: 'openrouter', isUp: false, latencyMs: 3_000 },
      ],
      ...{ people: 12_345, payers: 678, projects: 9_000, revenueRub: 1_234_567.5 },
      packages: [{ name: 'pro', payers: 600 }],
      lastPayments: Array.from({ length: 5 }, () => ({ name: longName, rub: 6_000, package: 'pro', at })),
      referrals: { activations: 21, bonus: 12_600 },
    }),
    costs: async (days) => ({
      ...{ days, usdRate: 92.5, revenueRub: 10_000 },
      providers: [{ name: 'openrouter', usd: 12.345, requests: 1_021 }],
    }),
    plot: async () => new Uint8Array([1]),
    audit: async () => [
      {
        ...{ at, adminId: 1, admin: longName, action: 'broadcast', userId: aPerson.id, person: longName },
        details: { text: longName.repeat(9) },
      },
      ...Array.from({ length: 19 }, () => ({
        ...{
          at,
          adminId: 1,
          admin: null,
          action: 'gift',
          userId: aPerson.id,
          person: null,
          details: { count: 5 },
        },
      })),
    ],
    find: async (text) => (text === '@anna' ? aPerson.id : null),
    look: async () => ({ person: aPerson, payments: [aPayment, { ...aPayment, id: 2, status: 'refunded' }] }),
    person: async () => aPerson,
    payment: async (id) => ({ ...aPayment, id }),
    refund: async (_, id) => {
      deeds.push(`refund ${id}`);
      return 'refunded';
    },
    gift: async (_, userId, count) => void deeds.push(`gift ${userId} ${count}`),
    automaticMessages: async () => [{ title: 'Итоги недели', isOn: true }],
    setAutomaticMessage: async (_, index, isOn) => void deeds.push(`message ${index} ${isOn}`),
  };
}
