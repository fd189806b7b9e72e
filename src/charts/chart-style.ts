import { LABEL_SIZE, NAME_SIZE, NOTE_SIZE } from './chart-boxes.ts';

const ink = 'var(--chart-ink, #1e293b)';
const quiet = 'var(--chart-quiet, #64748b)';
const line = 'var(--chart-line, #94a3b8)';
const paper = 'var(--chart-paper, #ffffff)';
const box = 'var(--chart-box, #f8fafc)';
const busy = 'var(--chart-busy, #eef2ff)';
const busyLine = 'var(--chart-busy-line, #818cf8)';
const guard = 'var(--chart-guard, #7c3aed)';
const current = 'var(--chart-current, #fde68a)';
const currentLine = 'var(--chart-current-line, #d97706)';

/** Every rule begins with `.chart`: an inlined picture must not restyle the page around it. */
export const chartStyle = `
.chart { font-family: "Segoe UI", Roboto, "Helvetica Neue", Helvetica, Arial, system-ui, sans-serif; }
.chart .paper { fill: ${paper}; }
.chart .title { font-size: 15px; font-weight: 600; fill: ${ink}; }
.chart .state rect { fill: ${box}; stroke: ${line}; stroke-width: 1.2; }
.chart .state .inner { fill: none; }
.chart .state line { stroke: ${line}; stroke-width: 0.8; }
.chart .state text { text-anchor: middle; fill: ${ink}; }
.chart .state .name { font-size: ${NAME_SIZE}px; font-weight: 600; }
.chart .state .note { font-size: ${NOTE_SIZE}px; fill: ${quiet}; }
.chart .state.busy rect { fill: ${busy}; stroke: ${busyLine}; }
.chart .state.busy line { stroke: ${busyLine}; }
.chart .state.passing rect, .chart .any-state rect { stroke-dasharray: 4 3; }
.chart .state.current rect { fill: ${current}; stroke: ${currentLine}; stroke-width: 2; }
.chart .state.current .inner { fill: none; }
.chart .any-state rect { fill: none; stroke: ${line}; }
.chart .any-state text { font-size: ${NOTE_SIZE}px; text-anchor: middle; fill: ${quiet}; }
.chart .edge path { fill: none; stroke: ${line}; stroke-width: 1.2; }
.chart .edge polygon, .chart .start circle { fill: ${line}; }
.chart .label text { font-size: ${LABEL_SIZE}px; text-anchor: middle; fill: ${ink}; stroke: ${paper}; stroke-width: 3px; stroke-linejoin: round; paint-order: stroke; }
.chart .note .event { fill: ${ink}; }
.chart .label .guard, .chart .note .guard { fill: ${guard}; }
.chart .label .action { fill: ${quiet}; }
`;
