/** Quicker than the database brings the next ones on record. */
const QUICK_MS = 50;
const WEIGHT_OF_LATEST = 0.2;
/** Half of them are used up while the next ones are asked for. */
const AHEAD_PER_SLOT = 2;

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
   * How many attempts may be on record and wait for a slot, so that no slot waits for the database. None where calls
   * take long: whatever is on record and not called is unknown if the process dies.
   */
  function ahead(): number {
    return usualMs < QUICK_MS ? AHEAD_PER_SLOT * concurrency : 0;
  }

  /** Something failed: what is not on record yet waits until it is known what that means for it. */
  function beCareful(): void {
    usualMs = Number.POSITIVE_INFINITY;
  }
}
