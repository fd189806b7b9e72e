import { setTimeout as delay } from 'node:timers/promises';
import { fromPromise } from 'xstate';
import { registry } from '../../machines/registry.ts';
import type { Actors } from '../engine/flows.ts';

/** What a machine invokes. Long work reports the stage it has come to. */
export type Service = (
  input: never,
  signal: AbortSignal,
  report: (stage: string) => void,
) => Promise<unknown>;

/** Every port of every machine has a service, or the start fails. */
export function fillPorts(services: Record<string, Service>) {
  const needed = Object.values(registry).flatMap(({ machine }) =>
    Object.keys(machine.implementations.actors),
  );
  const missing = needed.filter((name) => !Object.hasOwn(services, name));
  if (missing.length > 0) throw new Error(`no service fills the ports ${missing.join(', ')}`);

  const serving = new Set<Promise<unknown>>();
  const actors: Actors = Object.fromEntries(
    Object.entries(services).map(([name, serve]) => [
      name,
      fromPromise(({ input, signal, emit }) =>
        noted(serve(input as never, signal, (stage) => emit({ type: 'progress.made', stage }))),
      ),
    ]),
  );
  return { actors, settled };

  function noted(work: Promise<unknown>): Promise<unknown> {
    serving.add(work);
    const forget = () => serving.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Work that was told to stop gives its leases back, so that the next process need not wait for them. */
  async function settled(mostMs: number): Promise<void> {
    await Promise.race([Promise.allSettled([...serving]), delay(mostMs, undefined, { ref: false })]);
  }
}
