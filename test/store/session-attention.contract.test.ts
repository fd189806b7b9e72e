import { describe, expect, it } from 'vitest';
import { forEachSessionStore } from '../support/stores.ts';
import { dueAt, FUTURE, hold, lease, read, saved, somebody } from './session-steps.ts';

forEachSessionStore((store) => {
  // One after the other: whom one test's sweep was given, another's would not find.
  describe.sequential('attention', () => {
    it('finds the sessions that want attention, the longest due first', async () => {
      const [late, later, notYet, never] = [somebody(), somebody(), somebody(), somebody()];
      await saved(store(), await hold(store(), later), { attention: [lease(2_000_000)] });
      await saved(store(), await hold(store(), late), { attention: [lease(1_000_000)] });
      await saved(store(), await hold(store(), notYet), { attention: [lease(3_000_001)] });
      await saved(store(), await hold(store(), never));
      const ours = (ids: number[]) => ids.filter((id) => [late, later, notYet, never].includes(id));
      expect(ours(await dueAt(store(), 3_000_000))).toEqual([late, later]);
      expect(await store().due({ until: 3_000_001, limit: 2, claimUntil: 0 })).toHaveLength(2);
    });

    it('stops wanting attention when a save says so', async () => {
      const userId = somebody();
      const held = await saved(store(), await hold(store(), userId), { attention: [lease(5)] });
      expect(await saved(store(), held)).toMatchObject({ attention: [] });
      expect(await dueAt(store(), FUTURE)).not.toContain(userId);
    });

    it('changes the attention at a release only of the revision that was held', async () => {
      const userId = somebody();
      const attention = [lease(5)];
      const first = await saved(store(), await hold(store(), userId), { attention });
      await store().release(first, {});
      expect(await read(store(), userId)).toMatchObject({ attention });
      await store().release({ ...first, revision: 0 }, { attention: [] });
      expect(await read(store(), userId)).toMatchObject({ attention });
      await store().release(first, { attention: [lease(6, 'you')] });
      expect(await read(store(), userId)).toMatchObject({ attention: [lease(6, 'you')] });
      expect(await dueAt(store(), 6)).toContain(userId);
      await store().release(first, { attention: [] });
      expect(await read(store(), userId)).toMatchObject({ attention: [] });
      expect(await dueAt(store(), FUTURE)).not.toContain(userId);
    });

    it('lets only the owner of running work postpone the attention', async () => {
      const userId = somebody();
      await saved(store(), await hold(store(), userId), { attention: [lease(5)] });
      expect(await store().postpone(userId, lease(FUTURE, 'you'))).toBe(false);
      expect(await dueAt(store(), 5)).toContain(userId);
      expect(await store().postpone(userId, lease(FUTURE, 'me'))).toBe(true);
      expect(await dueAt(store(), FUTURE - 1)).not.toContain(userId);
      expect(await dueAt(store(), FUTURE)).toContain(userId);
      expect(await store().postpone(somebody(), lease(FUTURE, 'me'))).toBe(false);
    });

    it('is wanted when the first of several parts wants it', async () => {
      const userId = somebody();
      const attention = [lease(50, 'dead', 'run-1'), lease(900, 'alive', 'run-2')];
      await saved(store(), await hold(store(), userId), { attention });
      expect(await dueAt(store(), 49)).not.toContain(userId);
      expect(await dueAt(store(), 50)).toContain(userId);
    });

    it('is not hidden by the life of another part', async () => {
      const userId = somebody();
      const attention = [lease(50, 'dead', 'run-1'), lease(60, 'alive', 'run-2')];
      await saved(store(), await hold(store(), userId), { attention });
      expect(await store().postpone(userId, lease(FUTURE, 'alive', 'run-2'))).toBe(true);
      expect(await store().postpone(userId, lease(FUTURE, 'alive', 'run-1'))).toBe(false);
      expect(await dueAt(store(), 50)).toContain(userId);
    });

    it('of one person is given to one sweep only, until the claim ends', async () => {
      const people = Array.from({ length: 20 }, somebody);
      for (const userId of people)
        await saved(store(), await hold(store(), userId), { attention: [lease(10)] });
      const sweeps = await Promise.all(
        Array.from({ length: 8 }, () => store().due({ until: 10, limit: 1_000, claimUntil: 500 })),
      );
      const given = sweeps.flat().filter((userId) => people.includes(userId));
      expect(given.toSorted((a, b) => a - b)).toEqual(people);
      expect(await dueAt(store(), 499)).not.toContain(people[0]);
      expect(await dueAt(store(), 500)).toEqual(expect.arrayContaining(people));
    });
  });
});
