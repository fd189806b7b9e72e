import { describe, expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { type ProjectStats, projectStatsScreen } from '../../../src/screens/pages/projects.ts';

const stats = (name: string): ProjectStats => ({
  id: 1,
  name,
  publications: 1_200,
  publicationsLast30Days: 30,
  tokensSpent: 5_000,
  activeSchedules: 2,
});
const many = (...names: string[]) =>
  [...names, ...Array.from({ length: 9 }, (_, n) => `Проект ${n}`)].map(stats);

/** As Excel reads it: the byte-order mark, semicolons, doubled quotes. */
function cellsOf(csv: string): string[][] {
  expect(csv.startsWith('\uFEFF')).toBe(true);
  return csv
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"(?:;|$)|([^;]*)(?:;|$)/gu)]
        .slice(0, 5)
        .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!),
    );
}

describe('the statistics', () => {
  it('of eight projects are on the screen', () => {
    const screen = projectStatsScreen(many().slice(0, 8));
    expect(screen.file).toBeUndefined();
    expect(toHtml(screen.text)).toContain('Проект 7');
    expect(toHtml(screen.text)).not.toContain('файле');
  });

  it('of more are in a file, all of them', () => {
    const screen = projectStatsScreen(many());
    expect(toHtml(screen.text)).toContain('Ещё 1 проект — в файле.');
    const cells = cellsOf(String(screen.file!.content));
    expect(cells).toHaveLength(10);
    expect(cells[1]).toEqual(['Проект 0', '1200', '30', '5000', '2']);
  });

  it.each([
    '=1+1',
    '+7 900',
    '-5',
    '@SUM(A1)',
    '=HYPERLINK("http://evil","x")',
    '=cmd|"/c calc"!A1',
    '\t=1+1',
    '\r=1+1',
    '\n=1',
    ' =1+1',
  ])('do not let %j become a formula', (name) => {
    const [, row] = cellsOf(String(projectStatsScreen(many(name)).file!.content));
    expect(row![0]).not.toMatch(/^\s*[=+\-@]/u);
  });

  it.each(['Цветы; и ещё', 'Кафе "У дома"', 'a"";"b', '1;2;3'])('keep %j in its cell', (name) => {
    const [, row] = cellsOf(String(projectStatsScreen(many(name)).file!.content));
    expect(row).toEqual([name, '1200', '30', '5000', '2']);
  });

  it('without any data are no empty screen', () => {
    const screen = projectStatsScreen([]);
    expect(toHtml(screen.text).trim()).not.toBe('');
    expect(screen.keyboard.flat()).not.toEqual([]);
  });
});
