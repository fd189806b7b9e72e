import { edgeLabel } from './edge-label.ts';
import type { Chart, ChartEdge } from './read-chart.ts';

const ANY_STATE = 'any_state';

export function toMermaid({ id, states, edges }: Chart): string {
  const ofWholeFlow = edges.filter((edge) => edge.source === null);
  const busy = states.filter((state) => state.busy);
  return [
    '---',
    `title: ${id}`,
    '---',
    'stateDiagram-v2',
    '  direction TB',
    '',
    ...states.map(({ name }) => `  state "${escaped(name)}" as ${nodeId(name)}`),
    ...(ofWholeFlow.length > 0 ? [`  state "any state" as ${ANY_STATE}`] : []),
    ...states.flatMap(({ name, invokes, entry, exit }) => [
      ...invokes.map(({ src }) => `  ${nodeId(name)} : invoke / ${escaped(src)}`),
      ...entry.map((action) => `  ${nodeId(name)} : entry / ${escaped(action)}`),
      ...exit.map((action) => `  ${nodeId(name)} : exit / ${escaped(action)}`),
    ]),
    '',
    ...states.filter(({ initial }) => initial).map(({ name }) => `  [*] --> ${nodeId(name)}`),
    ...edges.map(arrow),
    ...states.filter(({ final }) => final).map(({ name }) => `  ${nodeId(name)} --> [*]`),
    ...(busy.length > 0
      ? [
          '',
          '  classDef busy fill:#eef2ff,stroke:#818cf8',
          `  class ${busy.map(({ name }) => nodeId(name)).join(',')} busy`,
        ]
      : []),
    '',
  ].join('\n');
}

function arrow(edge: ChartEdge): string {
  const source = edge.source === null ? ANY_STATE : nodeId(edge.source);
  const target = edge.target === null ? source : nodeId(edge.target);
  const label = edgeLabel(edge).map(({ text }) => text);
  return `  ${source} --> ${target} : ${escaped(label.join(' '))}`;
}

/** Words such as `end` or `state` mean something to Mermaid; with an underscore they mean nothing. */
const nodeId = (name: string): string => `${name.replace(/\W/gu, '_')}_`;

/** Mermaid ends a label at a colon, a semicolon or a line break, and reads quotes and markup. */
const escaped = (label: string): string =>
  label
    .replace(/[^\p{L}\p{N}\s_.,[\]/()+-]/gu, (character) => `#${character.codePointAt(0)};`)
    .replace(/\s+/gu, ' ');
