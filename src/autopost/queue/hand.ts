import type { ClaimedDelivery } from '../store/claims.ts';

type Held = {
  delivery: ClaimedDelivery;
  /** By the monotonic clock of this process. */
  dueAt: number;
  /** The database is being asked whether it may begin. */
  isAsked: boolean;
  /** Until another one of its channel is done. */
  isBehind: boolean;
};

export type Hand = ReturnType<typeof makeHand>;

// Who is in front may be in another process, which tells us nothing.
const ASK_AGAIN_MS = 1_000;

/** What a dispatcher has claimed and not begun, in the order of the claims, which is that of the slots. */
export function makeHand({ earlyMs }: { earlyMs: number }) {
  const held = new Map<string, Held>();
  return { add, takeDue, postpone, comeNext, drop, size: () => held.size, dueNow, nextDueAt, all };

  function add(deliveries: readonly ClaimedDelivery[]): void {
    const now = performance.now();
    for (const delivery of deliveries) {
      const dueAt = now + delivery.waitMs - earlyMs;
      held.set(delivery.deliveryId, { delivery, dueAt, isAsked: false, isBehind: false });
    }
  }

  /** The first that are due; each is to be postponed or dropped. */
  function takeDue(most: number): ClaimedDelivery[] {
    const now = performance.now();
    const due: ClaimedDelivery[] = [];
    for (const one of held.values()) {
      if (due.length >= most) break;
      if (one.isAsked || one.dueAt > now) continue;
      one.isAsked = true;
      due.push(one.delivery);
    }
    return due;
  }

  /** `waitMs` null: behind another one of its channel. */
  function postpone(deliveryId: string, waitMs: number | null): void {
    const one = held.get(deliveryId);
    if (!one) return;
    one.isAsked = false;
    one.isBehind = waitMs === null;
    one.dueAt = performance.now() + (waitMs === null ? ASK_AGAIN_MS : waitMs - earlyMs);
  }

  /** One of this channel is done: the first that is behind it may ask again. */
  function comeNext({ workspaceId, channelId }: ClaimedDelivery): void {
    for (const one of held.values()) {
      const { delivery } = one;
      if (!one.isBehind || delivery.channelId !== channelId || delivery.workspaceId !== workspaceId) continue;
      one.isBehind = false;
      one.dueAt = performance.now();
      return;
    }
  }

  function drop(deliveryId: string): void {
    held.delete(deliveryId);
  }

  function dueNow(): number {
    const now = performance.now();
    let due = 0;
    for (const one of held.values()) if (!one.isAsked && one.dueAt <= now) due++;
    return due;
  }

  function nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const one of held.values()) if (!one.isAsked && one.dueAt < next) next = one.dueAt;
    return next;
  }

  function all(): ClaimedDelivery[] {
    return [...held.values()].map(({ delivery }) => delivery);
  }
}

export function byWorkspace(deliveries: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const workspaces = new Map<string, ClaimedDelivery[]>();
  for (const delivery of deliveries) {
    const others = workspaces.get(delivery.workspaceId);
    if (others) others.push(delivery);
    else workspaces.set(delivery.workspaceId, [delivery]);
  }
  return workspaces;
}

type Claim = { workspaceId: string; claimToken: string; deliveryIds: string[] };

/** What keeps or gives back claimed deliveries speaks of one claim each. */
export function byClaim(deliveries: readonly ClaimedDelivery[]): Claim[] {
  const claims = new Map<string, Claim>();
  for (const delivery of deliveries) {
    const { workspaceId, claimToken, deliveryId } = delivery;
    const claim = claims.get(claimToken) ?? { workspaceId, claimToken, deliveryIds: [] };
    claim.deliveryIds.push(deliveryId);
    claims.set(claimToken, claim);
  }
  return [...claims.values()];
}
