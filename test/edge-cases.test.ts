import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const NUMBER = /\b(?:[EX]\d{2}[a-z]?|S0\d)\b/gu;
const legend = readFileSync('test/edge-cases.md', 'utf8');

it('every edge case that code or a test cites is in the legend', () => {
  const known = new Set(legend.match(NUMBER));
  const cited = citedIn('src', 'machines', 'test');
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
});

it('every edge case of the legend is cited by a test', () => {
  const listed = [...legend.matchAll(/^\| ([EXS]\d{2}) /gmu)].map(([, number]) => number!);
  // A case with several parts is cited by the part: E31a.
  const cited = new Set(citedIn('test').map(({ number }) => number.slice(0, 3)));
  expect(listed.length).toBeGreaterThan(50);
  expect(listed.filter((number) => !cited.has(number))).toEqual([]);
});

const citedIn = (...folders: string[]) =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    )
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(NUMBER)].map(([number]) => ({ path, number })),
    );
