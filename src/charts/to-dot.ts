import { labelBox, type Size, stateBox, staysInside } from './chart-boxes.ts';
import type { Chart, ChartEdge, ChartState } from './read-chart.ts';

/** Names of the two things in the picture that are no state. */
export const START = '(start)';
export const ANY_STATE = '(any state)';

export const anyStateBox = { width: 84, height: 30 };

const POINTS_PER_INCH = 72;

/** Only sizes and wishes about places: Graphviz lays out, `to-svg.ts` draws. */
export function toDot(chart: Chart): string {
  const { id, states } = chart;
  const edges = chart.edges.filter((edge) => !staysInside(edge));
  const ofWholeFlow = edges.some(({ source }) => source === null);
  const initial = states.find((state) => state.initial);
  return [
    `digraph ${quoted(id)} {`,
    '  graph [rankdir=TB nodesep=0.3 ranksep=0.3]',
    '  node [shape=box fixedsize=true label=""]',
    `  ${quoted(START)} [shape=circle width=0.16]`,
    ...(ofWholeFlow ? [`  ${quoted(ANY_STATE)} ${size(anyStateBox)}`] : []),
    ...states.map((state) => `  ${quoted(state.name)} ${size(stateBox(state, chart))}`),
    ...(initial ? [`  ${quoted(START)} -> ${quoted(initial.name)} [id=${quoted(START)} weight=10]`] : []),
    ...edges.map((edge) => arrow(edge, follows(states, edge))),
    '}',
    '',
  ].join('\n');
}

const size = ({ width, height }: Size): string => `[width=${inches(width)} height=${inches(height)}]`;

function arrow(edge: ChartEdge, inStoryOrder: boolean): string {
  const source = quoted(edge.source ?? ANY_STATE);
  const target = edge.target === null ? source : quoted(edge.target);
  const { width, height } = labelBox(edge);
  // An empty table of the right size keeps the room in which the label is drawn afterwards.
  const room = `<<table border="0" fixedsize="true" width="${Math.ceil(width)}" height="${height}"><tr><td></td></tr></table>>`;
  return `  ${source} -> ${target} [id=${quoted(edge.id)} label=${room} weight=${inStoryOrder ? 10 : 1}]`;
}

/** States stand in story order in a machine: the way from each to the next is drawn straight. */
function follows(states: readonly ChartState[], { source, target }: ChartEdge): boolean {
  const from = states.findIndex(({ name }) => name === source);
  return from !== -1 && states[from + 1]?.name === target;
}

const inches = (pixels: number): string => (pixels / POINTS_PER_INCH).toFixed(3);
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
