import type { Inbox, OpenLetter } from '../engine/inbox.ts';
import { inOrder } from './inbox-postgres.ts';

type Kept = OpenLetter & { dueAt: number; claimedUntil: number; settled: boolean };

/** For tests of the engine: lost with the process. */
export function createMemoryInbox(now: () => number = Date.now): Inbox {
  const letters = new Map<string, Kept>();
  const isOpen = (letter: Kept, at: number) => !letter.settled && letter.dueAt <= at;
  return {
    async put(letter, dueAt = 0) {
      if (letters.has(letter.id)) return false;
      const since = Math.max(now(), dueAt);
      letters.set(letter.id, { ...letter, parts: [], since, dueAt, claimedUntil: 0, settled: false });
      return true;
    },
    async collect(letter, part, dueAt) {
      const known = letters.get(letter.id);
      const before = known?.parts ?? [];
      const isKnown = before.some(({ place }) => place === part.place);
      if (known?.settled) return isKnown ? 'repeat' : 'late';
      const parts = isKnown ? before : inOrder([...before, part]);
      const fresh = { ...letter, since: now(), claimedUntil: 0, settled: false, dueAt };
      letters.set(letter.id, { ...(known ?? fresh), parts, dueAt: Math.max(known?.dueAt ?? 0, dueAt) });
      return 'collected';
    },
    async due(at, limit, claimMs) {
      const due = [...letters.values()].filter((letter) => isOpen(letter, at) && letter.claimedUntil <= at);
      const chosen = due.slice(0, limit);
      for (const letter of chosen) letter.claimedUntil = at + claimMs;
      return [...new Set(chosen.map(({ userId }) => userId))];
    },
    async open(userId, at) {
      return [...letters.values()].filter((letter) => letter.userId === userId && isOpen(letter, at));
    },
    async settle(id) {
      const letter = letters.get(id);
      if (letter) letter.settled = true;
    },
  };
}
