import { registry } from '../../machines/registry.ts';
import { createFlows } from '../../src/engine/flows.ts';
import { type FlowRun, parseSession } from '../../src/engine/session.ts';
import { loadFlowScreens } from '../../src/screens/load-flow-screens.ts';
import { median, type Outcome } from './outcome.ts';

const STEPS = 20_000;
const WARM_UP_STEPS = 5_000;
const TARGET_MICROS = 200;

/** One answer in the wizard without any store or messenger: the session's text in, the next session's text out. */
export async function engineDecision(): Promise<Outcome> {
  const flows = createFlows(registry, await loadFlowScreens());
  const input = { run: 'bench', userId: 1, origin: '["nav:projects",{}]' };
  const asking = flows.start('ProjectCreate', input).send({ type: 'text.received', text: 'Цветы на Ленина' });
  const stored = JSON.stringify(sessionIn(asking.run));
  const micros: number[] = [];
  for (let step = 0; step < WARM_UP_STEPS + STEPS; step += 1) {
    const began = performance.now();
    const session = parseSession(stored)!;
    const next = flows.restore(session.flow!).send({ type: 'text.received', text: `ООО «Ромашка ${step}»` });
    const text = JSON.stringify({ ...session, flow: next.run });
    const took = (performance.now() - began) * 1000;
    if (next.state !== 'specialization' || text.length === 0) throw new Error(`went to "${next.state}"`);
    if (step >= WARM_UP_STEPS) micros.push(took);
  }
  micros.sort((a, b) => a - b);
  return {
    case: 'engine-decision',
    ours: Number(median(micros).toFixed(1)),
    peer: null,
    ratio: null,
    unit: 'µs',
    notes:
      `restore, transition, persist of a wizard step with the session's JSON, median of ${STEPS}; ` +
      `p99 ${micros[Math.floor(STEPS * 0.99)]!.toFixed(1)} µs; target below ${TARGET_MICROS} µs`,
  };
}

const sessionIn = (flow: FlowRun) => ({
  flow,
  background: [],
  page: { pattern: 'nav:projects', params: {} },
  notice: null,
  lastActivityAt: Date.now(),
  notedAt: Date.now(),
  isAdmin: false,
});
