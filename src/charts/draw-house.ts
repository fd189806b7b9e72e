import type { Viz } from '@viz-js/viz';
import type { House } from './read-house.ts';

/** Everyone uses it: drawn, its arrows would hide all others. */
const ground = 'common';

const faint = ' [color="#e2e8f0", weight=0]';

/**
 * The folders with an arrow to what each imports; what most others import stands at the bottom. An arrow that only
 * shortens a way through other folders is faint, so that the order of the folders can be seen.
 */
export function drawHouse(house: House, viz: Viz): string {
  const lines = [...house]
    .filter(([folder]) => folder !== ground)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([folder, targets]) => [
      `"${folder}";`,
      ...[...targets.keys()]
        .filter((target) => target !== ground)
        .sort()
        .map((target) => `"${folder}" -> "${target}"${isImplied(house, folder, target) ? faint : ''};`),
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

/** Whether another import of the folder leads there as well. */
const isImplied = (house: House, folder: string, target: string): boolean =>
  [...(house.get(folder)?.keys() ?? [])].some((via) => via !== target && reaches(house, via, target));

const reaches = (house: House, from: string, target: string): boolean =>
  [...(house.get(from)?.keys() ?? [])].some((next) => next === target || reaches(house, next, target));
