import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const NUMBER = /\b(?:[EX]\d{2}[a-z]?|S0\d)\b/gu;
const legend = readFileSync('test/edge-cases.md', 'utf8');

it('every edge case that code or a test cites is in the legend', () => {
  const known = new Set(legend.match(NUMBER));
  const sources = ['src', 'machines', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const cited = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(NUMBER)].map(([number]) => ({ path, number })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
});
