/** About as long as the database takes to bring the next ones on record: twice, as half is used up meanwhile. */
const AHEAD_MS = 20;
const MOST_AHEAD_PER_SLOT = 4;
const WEIGHT_OF_LATEST = 0.2;

/** So many calls at once, first come, first served. */
export function makeCallSlots(concurrency: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  let usualMs = Number.POSITIVE_INFINITY;
  return { run, ahead, beCareful };

  async function run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (taken < concurrency) taken++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const startedAt = performance.now();
    try {
      return await call();
    } finally {
      note(performance.now() - startedAt);
      const next = waiting.shift();
      if (next) next();
      else taken--;
    }
  }

  function note(ms: number): void {
    usualMs = usualMs === Number.POSITIVE_INFINITY ? ms : usualMs + (ms - usualMs) * WEIGHT_OF_LATEST;
  }

  /**
   * How many attempts may be on record and wait for a slot, so that no slot waits for the database: as many as will be
   * called within moments, and none where calls take long. Whatever is on record and not called is unknown if the
   * process dies.
   */
  function ahead(): number {
    return Math.floor(Math.min(AHEAD_MS / usualMs, MOST_AHEAD_PER_SLOT) * concurrency);
  }

  /** Something failed: what is not on record yet waits until it is known what that means for it. */
  function beCareful(): void {
    usualMs = Number.POSITIVE_INFINITY;
  }
}
