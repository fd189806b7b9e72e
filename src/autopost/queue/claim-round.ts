import type { Log } from '../../log.ts';
import type { ClaimedDelivery, Claims } from '../store/claims.ts';
import type { Turns } from './channel-turns.ts';
import type { Hand } from './hand.ts';
import { isOurMistake } from './keep-trying.ts';

type Deps = {
  claims: Pick<Claims, 'nextWorkspaces' | 'claim'>;
  hand: Hand;
  turns: Turns;
  /** Dispatchers under one name share one round over the workspaces. */
  name: string;
  runId: string;
  log: Log;
};

const MOST_WORKSPACES = 200;
/** Asked at once; the next ones have their turn in the next round. */
const AT_ONCE = 4;

/** Takes up to `room` deliveries from the workspaces whose turn it is. Returns how many came. */
export function makeClaimRound({ claims, hand, turns, name, runId, log }: Deps) {
  return async function claimRound(room: number): Promise<number> {
    const waiting = await claims.nextWorkspaces(name, MOST_WORKSPACES);
    const asked = turns.worthAsking(waiting);
    let taken = 0;
    for (let at = 0; at < asked.length && taken < room; at += AT_ONCE) {
      const some = asked.slice(at, at + AT_ONCE);
      const share = Math.ceil((room - taken) / some.length);
      const amounts = await Promise.all(some.map((workspaceId) => claimFrom(workspaceId, share)));
      taken += amounts.reduce((sum, amount) => sum + amount, 0);
    }
    return taken;
  };

  async function claimFrom(workspaceId: string, limit: number): Promise<number> {
    const claimed = await claims.claim(workspaceId, runId, { limit }).catch(nothingOf(workspaceId));
    hand.add(claimed);
    if (claimed.length > 0) turns.gave(workspaceId);
    else turns.gaveNothing(workspaceId);
    return claimed.length;
  }

  /** An error of one workspace does not stop the others; a database that is away does. */
  function nothingOf(workspaceId: string) {
    return (error: unknown): ClaimedDelivery[] => {
      if (!isOurMistake(error)) throw error;
      log.error({ err: error, workspace: workspaceId }, 'nothing of this workspace can be claimed');
      return [];
    };
  }
}
