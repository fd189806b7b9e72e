// A slot, a retry or a window comes due without a notification.
const FIRST_REST_MS = 50;

export type Turns = ReturnType<typeof makeTurns>;

/**
 * Which workspaces are worth asking. One that had nothing to give rests, longer each time, until a notification names
 * it: what waits there for hours (a paused channel, a closed window) must not cost a statement in every round.
 */
export function makeTurns({ mostRestMs }: { mostRestMs: number }) {
  const resting = new Map<string, { ms: number; until: number }>();
  const spoken = new Set<string>();
  return { worthAsking, gave, gaveNothing, spokenOf, nextAt };

  /** Those in turn first: a workspace with many notifications must not starve the others. */
  function worthAsking(inTurn: readonly string[]): string[] {
    const now = performance.now();
    const waiting = [...new Set([...inTurn, ...spoken])];
    spoken.clear();
    for (const [workspaceId, { until }] of resting)
      if (until <= now && !waiting.includes(workspaceId)) resting.delete(workspaceId); // nothing waits there any more
    return waiting.filter((workspaceId) => (resting.get(workspaceId)?.until ?? 0) <= now);
  }

  /** It may have more: what was held back by the one that is done. */
  function gave(workspaceId: string): void {
    resting.delete(workspaceId);
  }

  function gaveNothing(workspaceId: string): void {
    const before = resting.get(workspaceId);
    const ms = Math.min(before ? before.ms * 2 : FIRST_REST_MS, mostRestMs);
    resting.set(workspaceId, { ms, until: performance.now() + ms });
  }

  /** Without a name: any of them. */
  function spokenOf(workspaceId?: string): void {
    if (workspaceId === undefined) resting.clear();
    else {
      resting.delete(workspaceId);
      spoken.add(workspaceId);
    }
  }

  function nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of resting.values()) if (until < next) next = until;
    return next;
  }
}
