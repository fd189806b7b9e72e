import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needed } from '../../src/menu/abilities.ts';
import { platformNames } from '../../src/platforms/platforms.ts';
import { replyLabels } from '../../src/screens/pages/dashboard.ts';
import { allPatterns, playedMenu } from './played-menu.ts';

/** Every link that a screen, a page or the reply keyboard draws, read from the source: no state has to be reached. */
const drawn = new Set([
  ...['src/screens', 'src/menu'].flatMap(sourcesIn).flatMap(linksIn),
  ...replyLabels.flat().map(({ pattern }) => pattern),
]);
const answered = new Set(allPatterns());

describe('a button', () => {
  it('leads somewhere', () => {
    expect(drawn.size).toBeGreaterThan(60);
    expect([...drawn].filter((pattern) => !answered.has(pattern))).toEqual([]);
  });

  it('is told to need a supplier only by a name that is right', () => {
    expect(
      Object.values(needed)
        .flat()
        .filter((pattern) => !answered.has(pattern)),
    ).toEqual([]);
  });

  it.each(['writes', 'readsSites', 'searches'] as const)(
    'is left out, and its pattern known as switched off, where nothing %s',
    (ability) => {
      const menu = playedMenu({ abilities: { [ability]: false } });
      expect(needed[ability].filter((pattern) => menu.has(pattern) || !menu.isOff(pattern))).toEqual([]);
      expect(
        playedMenu()
          .patterns.filter((pattern) => !menu.has(pattern))
          .toSorted(),
      ).toEqual([...needed[ability]].toSorted());
    },
  );

  it.each(platformNames)('connects %s exactly when the table says that it can be connected', (platform) => {
    expect(answered.has(`project:{pid}:conn_add:${platform}`)).toBe(true);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** `to('…')`, and lists of buttons that are made from `pattern: '…'`. */
function linksIn(source: string): string[] {
  return [...source.matchAll(/\b(?:to\(\s*|pattern: )'([^']+:[^']+)'/gu)].map(([, pattern = '']) => pattern);
}
