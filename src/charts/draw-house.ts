import type { Viz } from '@viz-js/viz';
import type { House } from './read-house.ts';

/** Everyone uses it: drawn, its arrows would hide all others. */
const ground = 'common';

/** The folders with an arrow to what each imports; what most others import stands at the bottom. */
export function drawHouse(house: House, viz: Viz): string {
  const lines = [...house]
    .filter(([folder]) => folder !== ground)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([folder, targets]) => [
      `"${folder}";`,
      ...[...targets.keys()]
        .filter((target) => target !== ground)
        .sort()
        .map((target) => `"${folder}" -> "${target}";`),
    ]);
  return viz.renderString(
    `digraph house {
      graph [rankdir=TB, nodesep=0.35, ranksep=0.6, fontname="Helvetica", bgcolor="white", pad=0.3];
      node [shape=box, style="rounded,filled", fillcolor="#f8fafc", color="#94a3b8", fontname="Helvetica", fontsize=13];
      edge [color="#94a3b8", arrowsize=0.6];
      ${lines.join('\n')}
    }`,
    { format: 'svg' },
  );
}
