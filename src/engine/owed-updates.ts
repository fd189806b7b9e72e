// Renewed by every failure. Longer than the pause before an update is brought again; after that another process has it.
const OWED_FOR_MS = 30_000;

/**
 * Updates that this process could not apply and that will be brought again. A person's later ones stay behind them:
 * what needs only one of the stores would otherwise overtake what waits for the other.
 */
export function createOwedUpdates(
  hasSeen: (userId: number, updateId: number) => Promise<boolean>,
  now: () => number,
) {
  const owed = new Map<number, Map<number, number>>();
  return { owe, settled, isBehind };

  function owe(userId: number, updateId: number): void {
    const its = owed.get(userId) ?? new Map<number, number>();
    owed.set(userId, its.set(updateId, now() + OWED_FOR_MS));
  }

  function settled(userId: number, updateId: number): void {
    const its = owed.get(userId);
    its?.delete(updateId);
    if (its?.size === 0) owed.delete(userId);
  }

  /** Asks the store about each earlier one: another process may have applied it meanwhile. */
  async function isBehind(userId: number, updateId: number): Promise<boolean> {
    for (const [earlier, until] of owed.get(userId) ?? []) {
      if (earlier >= updateId) continue;
      if (until > now() && !(await hasSeen(userId, earlier))) return true;
      settled(userId, earlier);
    }
    return false;
  }
}
