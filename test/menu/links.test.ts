import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { laterPatterns } from '../../src/menu/later.ts';
import { platformNames } from '../../src/platforms/platforms.ts';
import { replyLabels } from '../../src/screens/pages/dashboard.ts';
import { allPatterns } from './played-menu.ts';

/** Every link that a screen, a page or the reply keyboard draws, read from the source: no state has to be reached. */
const drawn = new Set([
  ...['src/screens', 'src/menu'].flatMap(sourcesIn).flatMap(linksIn),
  ...replyLabels.flat().map(({ pattern }) => pattern),
]);
const answered = new Set(allPatterns());

describe('a button', () => {
  it('leads somewhere, or to a feature that is named as a later one', () => {
    const forgotten = [...drawn].filter((pattern) => !answered.has(pattern) && !laterPatterns.has(pattern));
    expect(drawn.size).toBeGreaterThan(60);
    expect(forgotten).toEqual([]);
  });

  it('is named as a later one only while nothing answers it, and somebody draws it', () => {
    const stale = [...laterPatterns].filter((pattern) => answered.has(pattern) || !drawn.has(pattern));
    expect(stale).toEqual([]);
  });

  it.each(platformNames)('connects %s exactly when the table says that it can be connected', (platform) => {
    expect(answered.has(`project:{pid}:conn_add:${platform}`)).toBe(true);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'later.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** `to('…')`, and lists of buttons that are made from `pattern: '…'`. */
function linksIn(source: string): string[] {
  return [...source.matchAll(/\b(?:to\(\s*|pattern: )'([^']+:[^']+)'/gu)].map(([, pattern = '']) => pattern);
}
