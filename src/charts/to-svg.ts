import type { Viz } from '@viz-js/viz';
import {
  LABEL_LINE,
  labelBox,
  NAME_HEIGHT,
  NOTE_LINE,
  NOTES_PADDING,
  type Note,
  stateBox,
  staysInside,
} from './chart-boxes.ts';
import { chartStyle } from './chart-style.ts';
import type { Chart, ChartEdge, ChartState } from './read-chart.ts';
import { ANY_STATE, anyStateBox, START, toDot } from './to-dot.ts';

type Point = { x: number; y: number };
/** What Graphviz answers, as far as it is read here. */
type Layout = {
  bb: string;
  objects: { name: string; pos: string }[];
  edges?: { id: string; pos: string; lp?: string }[];
};

const MARGIN = 16;
const TITLE_HEIGHT = 30;
const ARROW = { length: 8, halfWidth: 3.2 };

/**
 * The picture of a flow. A page that shows it inline gives the state a person is in the class `current`, and
 * may set the `--chart-…` colours; by itself it is drawn on white.
 */
export function toSvg(chart: Chart, viz: Viz): string {
  const layout = viz.renderJSON(toDot(chart), { yInvert: true }) as Layout;
  const { width, height } = outerSize(layout);
  const arrows = chart.edges.filter((edge) => !staysInside(edge));
  const places = new Map(layout.objects.map(({ name, pos }) => [name, point(pos)]));
  const routes = new Map(layout.edges?.map((route) => [route.id, route]));
  const routeOf = (id: string) => found(routes.get(id), chart, id);
  const placeOf = (name: string) => found(places.get(name), chart, name);

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(chart.id)}">`,
    `<style>${chartStyle}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="${MARGIN + 10}">${escaped(chart.id)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">`,
    drawStart(placeOf(START), routeOf(START).pos),
    ...(places.has(ANY_STATE) ? [drawAnyState(placeOf(ANY_STATE))] : []),
    ...arrows.map((edge) => drawEdge(edge, routeOf(edge.id).pos)),
    ...chart.states.map((state) => drawState(state, chart, placeOf(state.name))),
    // After all lines, so that none crosses a word.
    ...arrows.map((edge) => drawLabel(edge, point(routeOf(edge.id).lp!))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function drawState(state: ChartState, chart: Chart, { x, y }: Point): string {
  const { width, height, notes } = stateBox(state, chart);
  const [left, top] = [x - width / 2, y - height / 2];
  const kinds = (['initial', 'busy', 'passing', 'final'] as const).filter((kind) => state[kind]);
  const noteAt = (row: number): Point => ({
    x,
    y: top + NAME_HEIGHT + NOTES_PADDING / 2 + (row + 0.72) * NOTE_LINE,
  });
  return group(`id="state-${escaped(state.name)}" class="${['state', ...kinds].join(' ')}"`, [
    rect({ left, top, width, height, radius: 9 }),
    state.final &&
      rect({ left: left + 3, top: top + 3, width: width - 6, height: height - 6, radius: 6 }, 'inner'),
    text(escaped(state.name), { x, y: top + NAME_HEIGHT / 2 + 4.5 }, 'name'),
    notes.length > 0 && rule(left, top + NAME_HEIGHT, width),
    ...notes.map((note, row) => text(noteParts(note), noteAt(row), `note ${note.kind}`)),
  ]);
}

const noteParts = ({ parts }: Note): string =>
  parts.map((part) => `<tspan class="${part.kind}">${escaped(part.text)}</tspan>`).join(' ');

const drawEdge = (edge: ChartEdge, pos: string): string =>
  group(
    `class="edge" data-source="${escaped(edge.source ?? '*')}" data-event="${escaped(edge.event)}"`,
    arrow(pos),
  );

function drawLabel(edge: ChartEdge, { x, y }: Point): string {
  const { height, parts } = labelBox(edge);
  return group(
    `class="label" data-source="${escaped(edge.source ?? '*')}" data-event="${escaped(edge.event)}"`,
    parts.map((part, row) =>
      text(escaped(part.text), { x, y: y - height / 2 + 2 + (row + 0.78) * LABEL_LINE }, part.kind),
    ),
  );
}

const drawStart = ({ x, y }: Point, pos: string): string =>
  group('class="edge start"', [`<circle cx="${n(x)}" cy="${n(y)}" r="5.5"/>`, ...arrow(pos)]);

const drawAnyState = ({ x, y }: Point): string =>
  group('class="any-state"', [
    rect({ ...anyStateBox, left: x - anyStateBox.width / 2, top: y - anyStateBox.height / 2, radius: 9 }),
    text('any state', { x, y: y + 4 }, 'name'),
  ]);

/** Graphviz writes a way as `e,<tip> <start> <control> <control> <point> …`: a spline, and where it points. */
function arrow(pos: string): string[] {
  const [tipText, ...splineText] = pos.split(' ');
  const tip = point(tipText!.replace(/^e,/u, ''));
  const [first, ...rest] = splineText.map(point);
  const neck = rest.at(-1)!;
  const distance = Math.hypot(tip.x - neck.x, tip.y - neck.y) || 1;
  const [ux, uy] = [(tip.x - neck.x) / distance, (tip.y - neck.y) / distance];
  const base = { x: tip.x - ux * ARROW.length, y: tip.y - uy * ARROW.length };
  const corner = (side: 1 | -1): Point => ({
    x: base.x - uy * ARROW.halfWidth * side,
    y: base.y + ux * ARROW.halfWidth * side,
  });
  return [
    `<path d="M${xy(first!)} C${rest.map(xy).join(' ')} L${xy(base)}"/>`,
    `<polygon points="${[tip, corner(1), corner(-1)].map(xy).join(' ')}"/>`,
  ];
}

type Rect = { left: number; top: number; width: number; height: number; radius: number };

const rect = ({ left, top, width, height, radius }: Rect, className?: string): string =>
  `<rect${className ? ` class="${className}"` : ''} x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${radius}"/>`;

const text = (content: string, { x, y }: Point, className: string): string =>
  `<text class="${className}" x="${n(x)}" y="${n(y)}">${content}</text>`;

const rule = (left: number, y: number, width: number): string =>
  `<line x1="${n(left)}" x2="${n(left + width)}" y1="${n(y)}" y2="${n(y)}"/>`;

const group = (attributes: string, children: (string | false)[]): string =>
  [`<g ${attributes}>`, ...children.filter(Boolean), '</g>'].join('');

function outerSize({ bb }: Layout): { width: number; height: number } {
  const [left = 0, bottom = 0, right = 0, top = 0] = bb.split(',').map(Number);
  return {
    width: Math.ceil(Math.abs(right - left)) + 2 * MARGIN,
    height: Math.ceil(Math.abs(bottom - top)) + 2 * MARGIN + TITLE_HEIGHT,
  };
}

function found<T>(thing: T | undefined, chart: Chart, name: string): T {
  if (thing === undefined) throw new Error(`Graphviz found no place for "${name}" in ${chart.id}`);
  return thing;
}

function point(pos: string): Point {
  const [x = 0, y = 0] = pos.split(',').map(Number);
  return { x, y };
}

/** One decimal is finer than any screen and keeps the files short. */
const n = (value: number): string => String(Math.round(value * 10) / 10);
const xy = ({ x, y }: Point): string => `${n(x)},${n(y)}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: string): string => value.replace(/[&<>"]/gu, (character) => entities[character]!);
