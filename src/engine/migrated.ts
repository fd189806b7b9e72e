import type { FlowRegistry, StoredStep } from '../../machines/flow-entry.ts';
import { NewerState } from './not-applied.ts';
import type { FlowRun } from './session.ts';
import { UnusableFlow } from './unusable-flow.ts';

/** A stored run as the present version of its flow would have stored it: carried forward version by version. */
export function migrated(run: FlowRun, registry: FlowRegistry): FlowRun {
  const entry = Object.hasOwn(registry, run.flow) ? registry[run.flow] : undefined;
  if (!entry) {
    if (run.release > releaseOf(registry)) throw new NewerState(`"${run.flow}" is a flow of a later release`);
    throw new UnusableFlow(`unknown flow "${run.flow}"`);
  }
  const { version } = entry;
  if (run.version === version) return run;
  if (run.version > version)
    throw new NewerState(`${run.flow} was stored as version ${run.version}, this process knows ${version}`);
  let step = stepOf(run);
  for (let from = run.version; from < version; from += 1) {
    const next = carried(step, from);
    if (!next) throw new UnusableFlow(`${run.flow} of version ${from} ends in "${step.state}"`);
    step = next;
  }
  return { ...run, version, snapshot: { ...run.snapshot, value: step.state, context: step.context } };

  function carried(old: StoredStep, from: number): StoredStep | null {
    const migrate = entry?.migrate?.[from];
    if (!migrate) throw new UnusableFlow(`${run.flow} of version ${from} has no way to version ${version}`);
    try {
      return migrate(old);
    } catch (error) {
      throw new UnusableFlow(`${run.flow} of version ${from} could not be migrated`, { cause: error });
    }
  }
}

/** Grows with every flow that is added and with every version that is raised. */
export const releaseOf = (registry: FlowRegistry): number =>
  Object.values(registry).reduce((sum, { version }) => sum + version, 0);

function stepOf({ flow, snapshot: { value, context } }: FlowRun): StoredStep {
  if (typeof value !== 'string' || typeof context !== 'object' || context === null)
    throw new UnusableFlow(`${flow} was stored without a state or a context`);
  return { state: value, context: context as StoredStep['context'] };
}
