// As long as the window in which updates are counted.
const WINDOW_MS = 60_000;

/** Who was told that they write too fast: once per window, however much more they send. */
export function createThrottleNotices(now: () => number) {
  const toldUntil = new Map<number, number>();
  return { isDue };

  function isDue(userId: number): boolean {
    if ((toldUntil.get(userId) ?? 0) > now()) return false;
    for (const [other, until] of toldUntil) if (until <= now()) toldUntil.delete(other);
    toldUntil.set(userId, now() + WINDOW_MS);
    return true;
  }
}
