import { ENOUGH_ROWS, type TableRow } from './price-list.ts';

/** Text of a file: UTF-8 or UTF-16 by its mark, else UTF-8, else what Russian Windows writes. Null: no text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

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
