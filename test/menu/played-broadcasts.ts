import type { BroadcastData } from '../../src/menu/broadcast.ts';
import type { Broadcast } from '../../src/screens/pages/broadcast.ts';

const at = new Date('2026-11-18T09:00:00Z');

export const aBroadcast: Broadcast = {
  id: 1,
  adminId: 7,
  audience: 'active_7d',
  content: { text: '<&Ж>'.repeat(256), marks: [{ kind: 'bold', offset: 0, length: 4 }], photo: null },
  ...{ isImportant: false, status: 'draft', recipients: 10_000 },
  ...{ sent: 9_000, blocked: 7, failed: 1, unknown: 2, unwanted: 3 },
  ...{ createdAt: at, startedAt: at, endedAt: at, progressMessage: null },
};

export const playedBroadcasts = (deeds: string[], more: Partial<Broadcast> = {}): BroadcastData => ({
  sizes: async () => ({ all: 12_345, active_7d: 678, active_30d: 2_000, paid: 0 }),
  reach: async () => 678,
  latest: async () => (['sending', 'stopped', 'done'] as const).map((status) => ({ ...aBroadcast, status })),
  broadcast: async (id) => ({ ...aBroadcast, ...more, id }),
  draftBroadcast: async (_, audience, { text }) => {
    deeds.push(`draft ${audience} ${text}`);
    return 2;
  },
  markImportant: async (id, isImportant) => void deeds.push(`important ${id} ${isImportant}`),
  beginBroadcast: async (_, id) => {
    deeds.push(`broadcast ${id}`);
    return true;
  },
  stopBroadcast: async (_, id) => {
    deeds.push(`stop ${id}`);
    return true;
  },
  resumeBroadcast: async (_, id) => {
    deeds.push(`resume ${id}`);
    return true;
  },
});
