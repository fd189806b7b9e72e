/** Waited for too long: try again later. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

type Waiting = { userId: number; enter(): void; turnAway(): void };

export type FairGate = ReturnType<typeof createFairGate>;

/**
 * Limits concurrency. The person with the fewest running goes first, then in order of arrival: a person with a hundred
 * schedules does not hold up one with a single one.
 */
export function createFairGate({ most }: { most: number }) {
  const inside = new Map<number, number>();
  let waiting: Waiting[] = [];
  let count = 0;
  let isClosed = false;
  let emptied = () => {};
  return { within, busy: () => count, close };

  async function within<Result>(
    userId: number,
    patienceMs: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await enter(userId, patienceMs);
    try {
      return await work();
    } finally {
      leave(userId);
    }
  }

  function enter(userId: number, patienceMs: number): Promise<void> {
    if (isClosed) return Promise.reject(new NoRoom('closed'));
    return new Promise((resolve, reject) => {
      const me: Waiting = { userId, enter: () => {}, turnAway: () => {} };
      const late = setTimeout(() => me.turnAway(), patienceMs);
      me.turnAway = () => {
        clearTimeout(late);
        waiting = waiting.filter((each) => each !== me);
        reject(new NoRoom(`no room in ${patienceMs} ms`));
      };
      me.enter = () => {
        clearTimeout(late);
        count += 1;
        inside.set(userId, (inside.get(userId) ?? 0) + 1);
        resolve();
      };
      waiting.push(me);
      letIn();
    });
  }

  function leave(userId: number): void {
    count -= 1;
    const left = (inside.get(userId) ?? 1) - 1;
    if (left === 0) inside.delete(userId);
    else inside.set(userId, left);
    letIn();
    if (count === 0) emptied();
  }

  /** Closes the gate; resolves when the last one has left, or when the grace is over. */
  async function close(graceMs: number): Promise<void> {
    isClosed = true;
    for (const each of [...waiting]) each.turnAway();
    if (count === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, graceMs);
      emptied = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  function letIn(): void {
    while (count < most && waiting.length > 0) {
      const next = waiting.reduce((first, each) => (insideOf(each) < insideOf(first) ? each : first));
      waiting = waiting.filter((each) => each !== next);
      next.enter();
    }
  }

  function insideOf({ userId }: Waiting): number {
    return inside.get(userId) ?? 0;
  }
}
