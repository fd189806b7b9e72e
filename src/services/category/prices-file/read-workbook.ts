import ExcelJS, { type CellValue } from 'exceljs';
import { DATE_CELL, ENOUGH_ROWS, ERROR_CELL, type TableRow } from './price-list.ts';
import { ArchiveTooLarge, NoWorkbook, repackWorkbook } from './repack-workbook.ts';

export type WorkbookAnswer =
  | { rows: TableRow[] }
  | { refused: 'too-much-inside' | 'too-many-rows' | 'no-workbook' | 'unreadable'; why: string };
export type ReadWorkbook = (file: Uint8Array) => Promise<WorkbookAnswer>;

// Formatted rows without a word in them are common, so there may be many more rows than goods.
const MOST_ROWS_READ = 20_000;
const MOST_COLUMNS_READ = 500;
/** Name, price and note stand in the first three, or among these under their names. */
const COLUMNS = 12;

/** Parts of a sheet that say nothing of prices. Merged ranges and validations are spelt out cell by cell when read. */
const IGNORED = [
  'mergeCells',
  'dataValidations',
  'conditionalFormatting',
  'hyperlinks',
  'drawing',
  'picture',
  'tableParts',
  'extLst',
  'rowBreaks',
  'cols',
];

/** Rows of a workbook, or why there are none. Computes for a second, and for longer if the file was made to. */
export const readWorkbook: ReadWorkbook = async (file) => {
  try {
    return { rows: await rowsOf(repackWorkbook(Buffer.from(file))) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof ArchiveTooLarge) return { refused: 'too-much-inside', why };
    if (error instanceof NoWorkbook) return { refused: 'no-workbook', why };
    return { refused: why.startsWith('Max row count') ? 'too-many-rows' : 'unreadable', why };
  }
};

/** Of the first sheet that has any. */
async function rowsOf(archive: Buffer): Promise<TableRow[]> {
  const workbook = new ExcelJS.Workbook();
  const limits = { maxRows: MOST_ROWS_READ, maxCols: MOST_COLUMNS_READ, ignoreNodes: IGNORED };
  await workbook.xlsx.load(archive as unknown as ExcelJS.Buffer, limits);
  for (const sheet of workbook.worksheets) {
    const rows: TableRow[] = [];
    sheet.eachRow((row, number) => {
      const cells = Array.from({ length: COLUMNS }, (_, i) => textOf(row.getCell(i + 1).value));
      const isFilled = cells.some((cell) => cell.trim() !== '');
      if (isFilled && rows.length < ENOUGH_ROWS) rows.push({ number, cells });
    });
    if (rows.length > 0) return rows;
  }
  return [];
}

/** What a person sees in the cell; of a formula, what it came to when the file was saved. */
function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return DATE_CELL;
  if ('error' in value) return ERROR_CELL;
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('text' in value) return textOf(value.text as CellValue);
  return 'result' in value ? textOf(value.result) : '';
}
