import { ENOUGH_ROWS, type TableRow } from './price-list.ts';

const delimiters = [';', '\t', ','] as const;
const LINES_LOOKED_AT = 20;

/** What parts the cells of a table, by its first lines; null when nothing does. */
export function delimiterOf(text: string): string | null {
  const head = text.split(/[\r\n]+/u, LINES_LOOKED_AT).join('\n');
  const counts = delimiters.map((delimiter) => head.split(delimiter).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? null : delimiters[counts.indexOf(most)]!;
}

/**
 * Rows with anything in them. A cell in quotes may hold delimiters, line ends and doubled quotes; a quote elsewhere
 * is a sign like any other.
 */
export function readCsv(text: string, delimiter: string): TableRow[] {
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n?|\\n|$)`,
    'uy',
  );
  const rows: TableRow[] = [];
  let row: TableRow & { cells: string[] } = { number: 1, cells: [] };
  let line = 1;
  while (cell.lastIndex < text.length && rows.length < ENOUGH_ROWS) {
    const [whole, quoted, plain = '', end] = cell.exec(text)!;
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split(/\r\n?|\n/u).length - 1;
    if (end === delimiter && cell.lastIndex < text.length) continue;
    if (row.cells.some((filled) => filled.trim() !== '')) rows.push(row);
    row = { number: line, cells: [] };
  }
  return rows;
}
