import type { FlowEvent } from './flows.ts';

export type Progress = ReturnType<typeof createProgress>;

// Telegram takes about one edit a second in a chat; a person reads slower than that.
const GAP_MS = 3_000;
// Longer than any work of ours usually takes: from then on silence would look like a fault.
const LATE_MS = 120_000;

type Known = {
  /** The newest of each kind that was not shown yet. A new stage must not push out the notice that it takes long. */
  untold: FlowEvent[];
  toldAt: number;
  timer?: NodeJS.Timeout;
  late?: NodeJS.Timeout;
};

/** How far a person's work has come: the newest word of it, and not too often. What it says is lost with the process. */
export function createProgress(
  tell: (userId: number, run: string, event: FlowEvent) => void,
  { gapMs = GAP_MS, lateMs = LATE_MS, now = Date.now } = {},
) {
  const runs = new Map<string, Known>();
  return { begun, made, ended };

  /** From here on the person waits. */
  function begun(userId: number, run: string): void {
    const known = knownOf(run);
    known.late ??= setTimeout(() => made(userId, run, { type: 'work.delayed' }), lateMs).unref();
  }

  function made(userId: number, run: string, event: FlowEvent): void {
    const known = knownOf(run);
    const isWaiting = known.untold.length > 0;
    known.untold = [...known.untold.filter(({ type }) => type !== event.type), event];
    if (isWaiting) return;
    const wait = Math.max(0, known.toldAt + gapMs - now());
    known.timer = setTimeout(() => {
      const { untold } = known;
      known.untold = [];
      known.toldAt = now();
      for (const each of untold) tell(userId, run, each);
    }, wait).unref();
  }

  function knownOf(run: string): Known {
    const known = runs.get(run) ?? { untold: [], toldAt: Number.NEGATIVE_INFINITY };
    runs.set(run, known);
    return known;
  }

  function ended(run: string): void {
    clearTimeout(runs.get(run)?.timer);
    clearTimeout(runs.get(run)?.late);
    runs.delete(run);
  }
}
