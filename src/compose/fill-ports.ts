import { setTimeout as delay } from 'node:timers/promises';
import { fromPromise } from 'xstate';
import type { FlowRegistry } from '../../machines/flow-entry.ts';
import type { Actors } from '../engine/flows.ts';
import type { PortsOf, Service } from '../engine/ports.ts';
import { WorkTookTooLong } from '../errors.ts';
import { LONGEST_WORK_MS, workBounds } from './work-bounds.ts';

// A service that was told to stop gives back what it holds; one that does not listen is left alone after that.
const LAST_GRACE_MS = 20_000;

/** Every port of every machine has a service of its type, or nothing compiles; and one by its name, or the start fails. */
export function fillPorts<Registry extends FlowRegistry>(
  registry: Registry,
  services: PortsOf<Registry>,
  { bounds = workBounds, graceMs = LAST_GRACE_MS } = {},
) {
  const needed = portsIn(registry);
  const missing = needed.filter((name) => !Object.hasOwn(services, name));
  if (missing.length > 0) throw new Error(`no service fills the ports ${missing.join(', ')}`);

  const serving = new Set<Promise<unknown>>();
  const actors: Actors = Object.fromEntries(
    Object.entries(services as Record<string, Service>).map(([name, serve]) => [
      name,
      fromPromise(({ input, signal, emit }) =>
        inBounds(name, signal, (told) =>
          noted(serve(input as never, told, (stage) => emit({ type: 'progress.made', stage }))),
        ),
      ),
    ]),
  );
  return { actors, settled };

  /** Tells the service to stop when its time is over, and does not wait for one that does not. */
  function inBounds<Result>(
    name: string,
    signal: AbortSignal,
    serve: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const mostMs = bounds[name] ?? LONGEST_WORK_MS;
    const told = new AbortController();
    const passOn = () => told.abort(signal.reason);
    if (signal.aborted) passOn();
    else signal.addEventListener('abort', passOn, { once: true });
    return new Promise<Result>((resolve, reject) => {
      let bound = setTimeout(overdue, mostMs);
      serve(told.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(bound);
          signal.removeEventListener('abort', passOn);
        });

      function overdue(): void {
        const tooLong = new WorkTookTooLong(name, mostMs);
        bound = setTimeout(reject, graceMs, tooLong);
        told.abort(tooLong);
      }
    });
  }

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

/** Flows share a port by sharing its declaration: two declarations of one name are two things. */
function portsIn(registry: FlowRegistry): string[] {
  const ports = new Map<string, unknown>();
  for (const [id, { machine }] of Object.entries(registry)) {
    for (const [name, port] of Object.entries(machine.implementations.actors)) {
      if (ports.has(name) && ports.get(name) !== port)
        throw new Error(`port "${name}" of ${id} is declared by another flow, too: share the declaration`);
      ports.set(name, port);
    }
  }
  return [...ports.keys()];
}
