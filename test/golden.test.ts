import { describe, expect, it } from 'vitest';
import { type FlowId, registry } from '../machines/registry.ts';
import { readChart } from '../src/charts/read-chart.ts';
import { createFlows } from '../src/engine/flows.ts';
import { UnusableFlow } from '../src/engine/unusable-flow.ts';
import { toHtml } from '../src/messengers/telegram/to-html.ts';
import { loadFlowScreens } from '../src/screens/load-flow-screens.ts';
import { goldenRuns, storedRuns } from './support/flow-states.ts';

const flows = createFlows(registry, await loadFlowScreens());
const golden = goldenRuns().map(({ state, run }) => ({
  name: `${run.flow} v${run.version} "${state}"`,
  run,
}));

describe('a session that was stored by a released version', () => {
  it.each(golden)('$name goes on, or ends where its migration says so', ({ name, run }) => {
    const { version } = registry[run.flow as FlowId];
    try {
      const flow = flows.restore(run);
      expect(flow.work.map(({ id }) => id)).toEqual(Object.keys(run.snapshot.children as object));
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      // A migration that answers null has been thought about: the person is told, and starts anew.
      if (run.version < version && / ends in "/u.test(error.message)) return;
      throw new Error(
        `${name} would strand the people in it: ${error.message}. Raise the version of ${run.flow} in ` +
          'machines/registry.ts and add a migration from the version before; it may answer null for a state in which ' +
          'the person has to start anew. Then run `npm run golden`.',
        { cause: error },
      );
    }
  });

  it('is told to stay wherever it can be gone on with later', () => {
    const silent = storedRuns().flatMap(({ id, state, run }) => {
      const flow = flows.restore(run);
      return flow.parking && !flow.remains() ? [`${id} ${state}`] : [];
    });
    expect(silent).toEqual([]);
  });

  it('of a pipeline names the ways back to it in each such state', () => {
    const articles = storedRuns().filter(({ id }) => id === 'ArticlePipeline');
    const others = articles.flatMap(({ state, run }) => {
      const flow = flows.restore(run);
      const words = flow.parking && toHtml(flow.remains()!);
      return words && !words.includes('кнопкой «Написать статью»') ? [state] : [];
    });
    expect(others).toEqual([]);
  });

  it('is kept for every state of the present version', () => {
    const kept = new Set(storedRuns().map(({ id, run }) => `${id} ${String(run.snapshot.value)}`));
    const states = (Object.keys(registry) as FlowId[]).flatMap((id) =>
      readChart(registry[id].machine)
        .states.filter(({ passing }) => !passing)
        .map(({ name }) => `${id} ${name}`),
    );
    expect(
      states.filter((each) => !kept.has(each)),
      'run `npm run golden`',
    ).toEqual([]);
  });
});
