import type { Viz } from '@viz-js/viz';
import type { AnyStateMachine } from 'xstate';
import { flowFileName } from '../../machines/registry.ts';
import { type Chart, readChart } from './read-chart.ts';
import { toMermaid } from './to-mermaid.ts';
import { toSvg } from './to-svg.ts';

type Flow = { machine: AnyStateMachine; version: number };

/** Every file of `visualizations/`: its name and its text. The same flows give the same bytes. */
export function flowDrawings(flows: Readonly<Record<string, Flow>>, viz: Viz): Map<string, string> {
  return new Map(
    Object.entries(flows).flatMap(([id, { machine, version }]) => {
      const chart = readChart(machine);
      const file = flowFileName(id);
      return [
        [`${file}.json`, `${pretty({ id, version, config: machine.config })}\n`],
        [`${file}.machine.js`, toSnippet(machine, chart)],
        [`${file}.mmd`, toMermaid(chart)],
        [`${file}.svg`, toSvg(chart, viz)],
      ] as const;
    }),
  );
}

/** To be pasted whole into the code panel of the Stately visualizer, and run there. */
const toSnippet = (machine: AnyStateMachine, chart: Chart): string =>
  [
    'import { createMachine } from "xstate";',
    `// Here a chart has no data to decide by. Turn a claim over to see the other way.\nconst guards = {${guardsOf(chart)}\n};`,
    `export const machine = createMachine(${pretty(machine.config)}, { guards });\n`,
  ].join('\n\n');

/** Every guard holds, except those of transient states: they would skip the beginning. */
function guardsOf({ edges }: Chart): string {
  const named = edges.filter(({ guard }) => guard !== null);
  const passing = new Set(named.filter(({ event }) => event === '').map(({ guard }) => guard));
  const names = [...new Set(named.map(({ guard }) => guard))];
  return names.map((name) => `\n  "${name}": () => ${!passing.has(name)},`).join('');
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
