import { type AnyActorRef, createActor, toPromise } from 'xstate';
import { OperationLost } from '../errors.ts';
import { type Actors, doneEvent, errorEvent, type FlowEvent } from './flows.ts';
import type { LiveFlow } from './live-flow.ts';
import type { Work } from './work-of-flow.ts';

/** What a service emits on its way: an event for the flow that waits for it. */
const PROGRESS = 'progress.made';

/** One result, as an event for the run that asked for it; or why none is known here: another process takes it up again. */
export type Result = { run: string; key: string } & (
  | { event: FlowEvent }
  | { event: null; lost: OperationLost }
);

/**
 * The work under `busy`. It begins only from a stored snapshot, whether the decision was made a moment ago or by
 * a process that has died since: recovery is the ordinary way, walked again. That each piece of work may be
 * asked for twice is the services' business (see `operations.ts`).
 */
export function createWork(
  actors: Actors,
  onProgress: (userId: number, run: string, event: FlowEvent) => void = () => undefined,
) {
  const running = new Map<
    string,
    { userId: number; run: string; actor: AnyActorRef; result: Promise<Result> }
  >();
  return { begin, runs, size: () => running.size, settled, abort };

  /** Starts what the flow waits for, or joins what this process has already started for it. */
  function begin(userId: number, flow: LiveFlow): Promise<Result>[] {
    return flow.work.map((work) => {
      const key = `${flow.run.run}:${work.key}`;
      const already = running.get(key);
      if (already) return already.result;
      const logic = actors[work.src];
      if (!logic) throw new Error(`nothing was provided for port "${work.src}"`);
      const actor = createActor(logic, { input: work.input });
      const { run } = flow.run;
      const result = outcome(actor, work).then((end) => {
        running.delete(key);
        const whose = { run, key: work.key };
        return end instanceof OperationLost ? { ...whose, event: null, lost: end } : { ...whose, event: end };
      });
      running.set(key, { userId, run, actor, result });
      actor.on(PROGRESS, (event) => onProgress(userId, run, event));
      actor.start();
      return result;
    });
  }

  async function outcome(actor: AnyActorRef, work: Work): Promise<FlowEvent | OperationLost> {
    try {
      const output = await toPromise(actor);
      // XState reports a stopped actor as complete. Work that was broken off must not count as a result.
      if (actor.getSnapshot().status !== 'done') return await new Promise<never>(() => {});
      return doneEvent(work, output);
    } catch (error) {
      return error instanceof OperationLost ? error : errorEvent(work, error);
    }
  }

  function runs(): { userId: number; run: string }[] {
    return [...new Map([...running.values()].map((each) => [each.run, each])).values()];
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.race([...running.values()].map(({ result }) => result));
  }

  function abort(): void {
    for (const { actor } of running.values()) actor.stop();
    running.clear();
  }
}
