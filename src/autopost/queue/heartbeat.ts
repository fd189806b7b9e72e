import type { ClaimedDelivery, Claims } from '../store/claims.ts';
import { byClaim, type Hand } from './hand.ts';

type Deps = { claims: Pick<Claims, 'heartbeat'>; hand: Hand; inFlight: () => ClaimedDelivery[] };

/** Says that the owner of these deliveries is alive. What went to somebody else meanwhile is let go of. */
export function makeHeartbeat({ claims, hand, inFlight }: Deps) {
  return async function heartbeat(): Promise<void> {
    for (const claim of byClaim([...hand.all(), ...inFlight()])) {
      const ours = new Set(await claims.heartbeat(claim));
      // One that is being sent stays: its result is believed as long as nobody else has sent it.
      for (const id of claim.deliveryIds) if (!ours.has(id)) hand.drop(id);
    }
  };
}
