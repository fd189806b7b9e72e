import ExcelJS from 'exceljs';

/** An .xlsx file with these rows. */
export async function workbookOf(...rows: ExcelJS.CellValue[][]): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Прайс').addRows(rows);
  return Buffer.from(await book.xlsx.writeBuffer());
}
