type Columns<Row> = readonly (readonly [title: string, cell: (row: Row) => unknown])[];

const WIDEST_CELL = 48;
const LONGEST_LAST = 160;

/** Aligned columns for a terminal; the last one may run on. */
export function textTable<Row>(rows: readonly Row[], columns: Columns<Row>, empty = 'nothing'): string {
  if (rows.length === 0) return empty;
  const widest = (i: number) => (i === columns.length - 1 ? LONGEST_LAST : WIDEST_CELL);
  const lines = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, cell], i) => shown(cell(row), widest(i)))),
  ];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => [...(line[i] ?? '')].length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => padded(cell, widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const secondOf = (at: Date): string => at.toISOString().replace('T', ' ').slice(0, 19);
export const minuteOf = (at: Date): string => secondOf(at).slice(0, 16);

function shown(value: unknown, widest: number): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value instanceof Date) return secondOf(value);
  const line = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\s+/gu, ' ');
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
}

/** By characters: Cyrillic letters are one column wide each, as Latin ones are. */
const padded = (cell: string, width: number): string =>
  cell + ' '.repeat(Math.max(0, width - [...cell].length));
