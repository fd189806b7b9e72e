import ExcelJS from 'exceljs';
import { fieldsOf } from './price-list.ts';

const columns = [
  { header: 'Название', width: 44 },
  { header: 'Цена', width: 18 },
  { header: 'Описание', width: 60 },
] as const;

/** A price list as a workbook that can be changed in Excel and sent back. */
export async function writeWorkbook(lines: readonly string[]): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Прайс', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ header, width }) => ({ header, width, style: { alignment } }));
  sheet.getRow(1).font = { bold: true };
  sheet.autoFilter = 'A1:C1';
  for (const line of lines) {
    const [name = '', price = '', note = ''] = fieldsOf(line);
    sheet.addRow([name, plainNumber(price), note]);
  }
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const alignment = { vertical: 'top', wrapText: true } as const;

/** A bare number is one in Excel too, so that it can be summed; «от 3 000 ₽» stays what the person wrote. */
const plainNumber = (price: string): string | number =>
  /^(?:0|[1-9]\d{0,11})(?:\.\d{0,1}[1-9])?$/u.test(price) ? Number(price) : price;
