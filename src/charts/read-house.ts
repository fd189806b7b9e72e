import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder → folder → how many imports of code. Types are left out: they are gone when the program runs. */
export type House = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Which folder of `src/` (and `machines/`) imports code of which. */
export function readHouse(root: string): House {
  const house = new Map<string, Map<string, number>>();
  for (const { folder, target } of importsIn(root)) {
    const targets = house.get(folder) ?? new Map<string, number>();
    house.set(folder, targets);
    if (target !== folder) targets.set(target, (targets.get(target) ?? 0) + 1);
  }
  return house;
}

/** The folders that reach themselves, each with a way back; empty in a house without cycles. */
export function cyclesOf(house: House): string[] {
  return [...house.keys()].flatMap((start) => {
    const way = wayBack(house, start, [start], new Set());
    return way ? [way.join(' → ')] : [];
  });
}

function wayBack(house: House, start: string, way: string[], seen: Set<string>): string[] | null {
  for (const next of house.get(way.at(-1)!)?.keys() ?? []) {
    if (next === start) return [...way, start];
    if (seen.has(next)) continue;
    seen.add(next);
    const found = wayBack(house, start, [...way, next], seen);
    if (found) return found;
  }
  return null;
}

function importsIn(root: string): { folder: string; target: string }[] {
  return ['machines', 'src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    )
    .flatMap((path) => {
      const code = readFileSync(join(root, path), 'utf8');
      return [...code.matchAll(/^(?:import|export)(?! type\b)[^;]*?from '(\.[^']+)';/gmu)].map(
        ([, specifier]) => ({
          folder: folderOf(path),
          target: folderOf(join(dirname(path), specifier!)),
        }),
      );
    });
}

/** `src/x.ts` stands in no folder: settings, errors, prices, words that everyone may use. `main.ts` starts them all. */
function folderOf(path: string): string {
  const [top = '', name = '', inner] = path.split('/');
  if (top === 'machines') return 'machines';
  if (path === 'src/platforms/platforms.ts') return 'common';
  // Started by their path, imported by no one: programs of their own, like main.ts.
  if (name === 'workers' && /-(?:worker|process)\.ts$/u.test(path)) return 'worker programs';
  if (inner === undefined) return name === 'main.ts' ? 'main' : 'common';
  return name;
}
