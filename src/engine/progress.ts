import type { FlowEvent } from './flows.ts';

export type Progress = ReturnType<typeof createProgress>;

// Telegram takes about one edit a second in a chat; a person reads slower than that.
const GAP_MS = 3_000;
// Longer than any work of ours usually takes: from then on silence would look like a fault.
const LATE_MS = 120_000;

/** How far a person's work has come: the newest word of it, and not too often. What it says is lost with the process. */
export function createProgress(
  tell: (userId: number, run: string, event: FlowEvent) => void,
  { gapMs = GAP_MS, lateMs = LATE_MS, now = Date.now } = {},
) {
  const runs = new Map<
    string,
    { newest: FlowEvent | null; toldAt: number; timer?: NodeJS.Timeout; late: NodeJS.Timeout }
  >();
  return { begun, made, ended };

  function begun(userId: number, run: string): void {
    if (runs.has(run)) return;
    const late = setTimeout(() => made(userId, run, { type: 'work.delayed' }), lateMs).unref();
    runs.set(run, { newest: null, toldAt: Number.NEGATIVE_INFINITY, late });
  }

  function made(userId: number, run: string, event: FlowEvent): void {
    const known = runs.get(run);
    if (!known) return;
    const isWaiting = known.newest !== null;
    known.newest = event;
    if (isWaiting) return;
    const wait = Math.max(0, known.toldAt + gapMs - now());
    known.timer = setTimeout(() => {
      const { newest } = known;
      known.newest = null;
      known.toldAt = now();
      if (newest) tell(userId, run, newest);
    }, wait).unref();
  }

  function ended(run: string): void {
    clearTimeout(runs.get(run)?.timer);
    clearTimeout(runs.get(run)?.late);
    runs.delete(run);
  }
}
