import type { Viz } from '@viz-js/viz';
import type { AnyStateMachine } from 'xstate';
import { flowFileName } from '../../machines/registry.ts';
import { readChart } from './read-chart.ts';
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
        [`${file}.machine.js`, toSnippet(machine)],
        [`${file}.mmd`, toMermaid(chart)],
        [`${file}.svg`, toSvg(chart, viz)],
      ] as const;
    }),
  );
}

/** To be pasted whole into the code panel of the Stately visualizer. */
const toSnippet = (machine: AnyStateMachine): string =>
  `import { createMachine } from "xstate";\n\nexport const machine = createMachine(${pretty(machine.config)});\n`;

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
