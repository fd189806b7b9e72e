import { z } from 'zod';
import type { Flows } from './flows.ts';
import type { KeyValueStore } from './key-value-store.ts';
import type { LiveFlow } from './live-flow.ts';
import type { FlowRun } from './session.ts';
import { UnusableFlow } from './unusable-flow.ts';

/** A flow that was left while it waited for the person, to be gone on with from where it stood. */
export type Parked = { key: string; run: FlowRun; parkedAt: number };

export type Parking = ReturnType<typeof createParking>;

const A_DAY_SECONDS = 24 * 60 * 60;

const parkedSchema = z.array(
  z.object({
    key: z.string(),
    parkedAt: z.number(),
    run: z.object({
      flow: z.string(),
      version: z.number(),
      release: z.number(),
      run: z.string(),
      snapshot: z.record(z.string(), z.unknown()),
    }),
  }),
);

/**
 * Checkpoints of flows, a day each, under keys of the caller's choice (one per kind of flow, say). A person's are kept
 * as one value, which is read and written under the person's lock.
 */
export function createParking(
  store: KeyValueStore,
  flows: Pick<Flows, 'restore'>,
  now: () => number = Date.now,
) {
  return { park, list, resume, forget };

  /** A later one under the same key takes the place of the earlier. Work is not parked: it ends by itself. */
  async function park(userId: number, key: string, flow: LiveFlow): Promise<void> {
    if (flow.busy || flow.finished)
      throw new TypeError(`Expected a flow that waits for the person, got ${flow.state}`);
    const others = (await list(userId)).filter((each) => each.key !== key);
    await write(userId, [...others, { key, run: flow.run, parkedAt: now() }]);
  }

  /** Oldest first. */
  async function list(userId: number): Promise<Parked[]> {
    const stored = await store.get(slot(userId));
    if (stored === null) return [];
    const parsed = parkedSchema.safeParse(JSON.parse(stored));
    const isAlive = ({ parkedAt }: Parked) => now() - parkedAt < A_DAY_SECONDS * 1000;
    return parsed.success ? parsed.data.filter(isAlive) : [];
  }

  /**
   * The flow as it stood, checked again: null when it is gone, or can no longer be continued. A machine that takes
   * `resumed` gets it, because prices, balances and what it chose from may have changed meanwhile.
   */
  async function resume(userId: number, key: string): Promise<LiveFlow | null> {
    const parked = (await list(userId)).find((each) => each.key === key);
    if (!parked) return null;
    try {
      const flow = flows.restore(parked.run);
      const resumed = { type: 'resumed' };
      return flow.can(resumed) ? flow.send(resumed) : flow;
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      await forget(userId, key);
      return null;
    }
  }

  async function forget(userId: number, key: string): Promise<void> {
    const parked = await list(userId);
    const rest = parked.filter((each) => each.key !== key);
    if (rest.length < parked.length) await write(userId, rest);
  }

  async function write(userId: number, parked: Parked[]): Promise<void> {
    if (parked.length === 0) await store.delete(slot(userId));
    else await store.set(slot(userId), JSON.stringify(parked), A_DAY_SECONDS);
  }
}

const slot = (userId: number): string => `parked:${userId}`;
