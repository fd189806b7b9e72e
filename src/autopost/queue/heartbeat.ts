import type { ClaimedDelivery, Claims } from '../store/claims.ts';
import { byClaim, type Hand } from './hand.ts';

type Deps = { claims: Pick<Claims, 'heartbeat'>; hand: Hand; inFlight: () => ClaimedDelivery[] };

/** Renews the leases of these deliveries. What another claim owns by now is dropped. */
export function makeHeartbeat({ claims, hand, inFlight }: Deps) {
  return async function heartbeat(): Promise<void> {
    for (const claim of byClaim([...hand.all(), ...inFlight()])) {
      const ours = new Set(await claims.heartbeat(claim));
      // One that is being sent stays: its late result is still accepted while it is unknown.
      for (const id of claim.deliveryIds) if (!ours.has(id)) hand.drop(id);
    }
  };
}
