import ExcelJS from 'exceljs';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { PriceListRefused } from '../../../../src/services/category/prices-file/price-list.ts';
import {
  MOST_FILE_BYTES,
  makeReadPriceFile,
} from '../../../../src/services/category/prices-file/read-price-file.ts';
import { readWorkbook } from '../../../../src/services/category/prices-file/read-workbook.ts';
import { createWorkbookDesk, type WorkbookDesk } from '../../../../src/workers/workbook-desk.ts';
import { makeZip, rowXml, sheetOf, workbookFiles } from './make-zip.ts';

const readPriceFile = makeReadPriceFile(readWorkbook);
const log = pino({ level: 'silent' });

async function workbook(fill: (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook) => void): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  fill(book.addWorksheet('Прайс'), book);
  return Buffer.from(await book.xlsx.writeBuffer());
}
const tableOf = (...rows: ExcelJS.CellValue[][]) => workbook((sheet) => void sheet.addRows(rows));
const handmade = (sheet: string) => makeZip(workbookFiles(sheet));

const refusal = (file: Uint8Array, read = readPriceFile) =>
  read(file).then(
    (list) => list,
    (error) => (error instanceof PriceListRefused ? error.fault : error),
  );

describe('an Excel file', () => {
  it('is read as goods, prices and notes', async () => {
    const file = await tableOf(
      ['Прайс-лист «Мебель Плюс»'],
      ['Название', 'Цена', 'Описание'],
      ['Стол', 12_500, 'дуб'],
      [],
      ['Стул — венский', 'от 3 000 ₽'],
      ['Доставка', 'бесплатно', ' по\nгороду '],
    );
    expect(await readPriceFile(file)).toEqual({
      lines: ['Стол — 12500 — дуб', 'Стул - венский — от 3 000 ₽', 'Доставка — бесплатно — по городу'],
      skipped: 0,
    });
  });

  it('may have no names of columns', async () => {
    expect((await readPriceFile(await tableOf(['Стол', 0.1 + 0.2]))).lines).toEqual(['Стол — 0.3']);
  });

  it.each([
    [
      'an article number before the names',
      ['Артикул', 'Наименование', 'Цена, руб.'],
      ['A-100', 'Окно 60x90', 7_500],
    ],
    ['numbers and units', ['№', 'Номенклатура', 'Ед.', 'Цена'], [1, 'Окно 60x90', 'шт', 7_500]],
    ['the price first', ['Стоимость', 'Услуга'], [7_500, 'Окно 60x90']],
  ])('is read by the names of its columns: %s', async (_, names, row) => {
    expect(await readPriceFile(await tableOf(['Прайс на 2026 год'], names, row))).toEqual({
      lines: ['Окно 60x90 — 7500'],
      skipped: 0,
    });
  });

  it('has its note found by the name of the column too', async () => {
    const file = await tableOf(
      ['Код', 'Товар', 'Примечание', 'Цена'],
      ['17', 'Окно', 'белое', 7_500],
      ['', 'Двери', '', ''],
      ['18', 'Дверь', '', 'от 9 000 ₽'],
    );
    expect(await readPriceFile(file)).toEqual({
      lines: ['Окно — 7500 — белое', 'Дверь — от 9 000 ₽'],
      skipped: 1,
    });
  });

  it('does not take goods for the names of columns', async () => {
    const file = await tableOf(['Услуги грузчиков', 500, 'цена за час'], ['Услуги такси', 300, 'цена за км']);
    expect((await readPriceFile(file)).lines).toEqual([
      'Услуги грузчиков — 500 — цена за час',
      'Услуги такси — 300 — цена за км',
    ]);
  });

  it('counts with what its formulas came to', async () => {
    const file = await tableOf(
      ['Стол', { formula: '1000*2', result: 2_000 }],
      ['Стул', { formula: 'CONCAT("от ",5)', result: 'от 5' }],
    );
    expect((await readPriceFile(file)).lines).toEqual(['Стол — 2000', 'Стул — от 5']);
  });

  it('may be formatted, linked and divided by titles over merged cells', async () => {
    const file = await workbook((sheet) => {
      sheet.addRow(['Кресло', 9_000]);
      sheet.addRow(['Мягкая мебель']);
      sheet.mergeCells('A2:C2');
      sheet.addRow([
        { richText: [{ text: 'Диван ' }, { text: 'Осло', font: { bold: true } }] },
        { text: '45 000 ₽', hyperlink: 'https://example.com' },
      ]);
      sheet.getCell('B3').dataValidation = { type: 'whole', operator: 'between', formulae: [1, 9] };
      sheet.getCell('A900').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFF0000' } };
    });
    expect(await readPriceFile(file)).toEqual({
      lines: ['Кресло — 9000', 'Диван Осло — 45 000 ₽'],
      skipped: 1,
    });
  });

  it('is read from its first sheet with anything in it', async () => {
    const file = await workbook((_, book) => book.addWorksheet('Цены').addRow(['Стол', 100]));
    expect((await readPriceFile(file)).lines).toEqual(['Стол — 100']);
  });

  it.each([
    ['no number', 'дорого', 'Стол — дорого'],
    ['a date', new Date('2024-05-01'), 'Стол — #ДАТА'],
    ['an error', { error: '#DIV/0!' } as ExcelJS.CellErrorValue, 'Стол — #ОШИБКА'],
  ])('has its first bad row named: %s for a price', async (_, price, text) => {
    const file = await tableOf(['Стул', 100], ['Стол', price], ['Шкаф', 'дёшево']);
    expect(await refusal(file)).toEqual({ reason: 'bad-line', line: 2, text });
  });

  it('does not take goods for a heading because their price became a date', async () => {
    const file = await tableOf(['Название', 'Цена'], ['Стол', new Date('2024-05-01')], ['Стул', 100]);
    expect(await refusal(file)).toEqual({ reason: 'bad-line', line: 2, text: 'Стол — #ДАТА' });
  });

  it('has a price without a name refused', async () => {
    expect(await refusal(await tableOf(['Стул', 100], ['', 200]))).toMatchObject({
      reason: 'bad-line',
      line: 2,
    });
  });

  it('may hold a thousand goods and no more (E09)', async () => {
    const goods = (count: number) =>
      Array.from({ length: count }, (_, i): ExcelJS.CellValue[] => [`Товар ${i + 1}`, 100 + i, 'описание']);
    const header = ['Название', 'Цена', 'Описание'];
    expect((await readPriceFile(await tableOf(header, ...goods(1_000)))).lines).toHaveLength(1_000);
    expect(await refusal(await tableOf(header, ...goods(1_001)))).toEqual({ reason: 'too-many-rows' });
    expect(await refusal(await tableOf(['Прайс'], ['Май'], header, ...goods(1_001)))).toEqual({
      reason: 'too-many-rows',
    });
    expect(await refusal(await tableOf(header, ...goods(10_000)))).toEqual({ reason: 'too-many-rows' });
  });

  it('over five megabytes is not opened (E09)', async () => {
    expect(await refusal(Buffer.alloc(MOST_FILE_BYTES + 1, 'PK\u0003\u0004'))).toEqual({
      reason: 'too-large',
    });
  });

  it('of the old kind is asked for in the new one', async () => {
    expect(await refusal(Buffer.from('d0cf11e0a1b11ae1000000', 'hex'))).toEqual({ reason: 'old-format' });
  });

  it('without a price in it is refused', async () => {
    expect(await refusal(await tableOf(['Название', 'Цена'], ['Столы']))).toEqual({ reason: 'empty' });
    expect(await refusal(await workbook(() => undefined))).toEqual({ reason: 'empty' });
  });

  it('that is a broken archive is refused', async () => {
    const whole = await tableOf(['Стол', 100]);
    expect(await refusal(whole.subarray(0, whole.length / 2))).toEqual({ reason: 'unreadable' });
  });

  it.each([
    ['a document of Word', makeZip([{ name: 'word/document.xml', bytes: 'x' }]), 'no-workbook'],
    ['a PDF', Buffer.from('%PDF-1.7 x'), 'pdf'],
    ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'picture'],
    [
      'a workbook behind a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'with-password',
    ],
  ])('whose name lies is named for what it is: %s', async (_, file, reason) => {
    expect(await refusal(file)).toEqual({ reason });
  });
});

describe('a file made to harm', () => {
  const honest = rowXml(1, 'Стол', '100');

  it('is read when it does no harm', async () => {
    expect((await readPriceFile(handmade(sheetOf(honest)))).lines).toEqual(['Стол — 100']);
  });

  it('that unpacks into much more than it weighs is not unpacked', async () => {
    const bomb = handmade(sheetOf(honest) + ' '.repeat(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(bomb)).toEqual({ reason: 'too-much-inside' });
  });

  it('that hides how much it unpacks into is stopped at what it declares', async () => {
    const files = workbookFiles(sheetOf(honest) + ' '.repeat(64 * 1024 * 1024));
    const lying = makeZip(
      files.map((file) => (file.name.includes('sheet1') ? { ...file, declares: 1_000 } : file)),
    );
    expect(await refusal(lying)).toEqual({ reason: 'unreadable' });
  });

  it('that claims more parts than a workbook has is not opened', async () => {
    expect(await refusal(makeZip(workbookFiles(sheetOf(honest)), { count: 60_000 }))).toEqual({
      reason: 'too-much-inside',
    });
  });

  it('is not unpacked where no price can be', async () => {
    const media = { name: 'xl/media/image1.png', bytes: Buffer.alloc(64 * 1024 * 1024) };
    const file = makeZip([...workbookFiles(sheetOf(honest)), media]);
    expect((await readPriceFile(file)).lines).toEqual(['Стол — 100']);
  });

  it('with entities that multiply is refused', async () => {
    const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    );
    const doctype = `<!DOCTYPE x [<!ENTITY l0 "ха">${laughs}]>`;
    expect(await refusal(handmade(sheetOf(rowXml(1, '&l10;', '100'), '', doctype)))).toEqual({
      reason: 'unreadable',
    });
  });

  it('with a million rows is refused as too long', async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `<row r="${i + 1}"/>`).join('');
    expect(await refusal(handmade(sheetOf(rows)))).toEqual({ reason: 'too-many-rows' });
  });

  it('with one range over the whole sheet is read like any other', async () => {
    const merged = '<mergeCells count="1"><mergeCell ref="A2:XFD1048576"/></mergeCells>';
    const checked =
      '<dataValidations count="1"><dataValidation type="whole" sqref="A1:XFD1048576"><formula1>1</formula1></dataValidation></dataValidations>';
    expect((await readPriceFile(handmade(sheetOf(honest, merged + checked)))).lines).toEqual(['Стол — 100']);
  });
});

describe('the thread that reads workbooks', () => {
  const desks: WorkbookDesk[] = [];
  afterAll(() => Promise.all(desks.map((desk) => desk.close())));
  const deskWith = (limits = {}): WorkbookDesk => {
    const desk = createWorkbookDesk({ log, ...limits });
    desks.push(desk);
    return desk;
  };
  const inThread = (limits = {}) => makeReadPriceFile(deskWith(limits).read);

  it('answers as if there were none', async () => {
    expect((await inThread()(await tableOf(['Стол', 100]))).lines).toEqual(['Стол — 100']);
    expect(await refusal(Buffer.from('PK\u0003\u0004'), inThread())).toEqual({ reason: 'unreadable' });
  });

  it('is given up when it takes too long', async () => {
    expect(await refusal(await tableOf(['Стол', 100]), inThread({ jobLimitMs: 1 }))).toEqual({
      reason: 'unreadable',
    });
  });

  it('dies of hunger alone', async () => {
    const strings = Array.from({ length: 700_000 }, (_, i) => `<si><t>${i}</t></si>`).join('');
    const hungry = makeZip([
      ...workbookFiles(sheetOf(rowXml(1, 'Стол', '100'))),
      { name: 'xl/sharedStrings.xml', bytes: `<sst xmlns="x">${strings}</sst>` },
    ]);
    expect(await deskWith({ memoryLimitMb: 24 }).read(hungry)).toEqual({
      refused: 'unreadable',
      why: expect.stringContaining('memory limit'),
    });
  });
});

describe('a file of text', () => {
  it.each([
    ['semicolons', 'Название;Цена\nСтол;1500'],
    ['commas', 'Название,Цена\nСтол,1500'],
    ['tabs', 'Название\tЦена\nСтол\t1500'],
    ['no header', 'Стол;1500'],
    ['Windows line ends', '\ufeffНазвание;Цена\r\nСтол;1500\r\n\r\n'],
    ['lines as typed', 'Стол — 1500'],
    ['lines as typed with a hyphen', 'Стол - 1500'],
    ['a title above', 'Прайс-лист\n\nНазвание;Цена\nСтол;1500'],
  ])('is read with %s', async (_, text) => {
    expect((await readPriceFile(Buffer.from(text))).lines).toEqual(['Стол — 1500']);
  });

  it('is read in the encodings of Windows', async () => {
    const text = 'Стол;1500';
    const windows1251 = Buffer.from([0xd1, 0xf2, 0xee, 0xeb, ...Buffer.from(';1500')]);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const file of [windows1251, utf16]) {
      expect((await readPriceFile(file)).lines).toEqual(['Стол — 1500']);
    }
  });

  it('as typed may have commas in its names', async () => {
    expect((await readPriceFile(Buffer.from('Стол, белый - 1500'))).lines).toEqual(['Стол, белый — 1500']);
  });

  it('keeps quotes, delimiters and line ends inside its cells', async () => {
    const csv =
      'Название;Цена;Описание\n"Стол ""Осло"";\nбелый";1500;"дуб,\nмассив"\nЭкран 24";900\nСтул;дорого';
    expect(await refusal(Buffer.from(csv))).toEqual({ reason: 'bad-line', line: 6, text: 'Стул — дорого' });
    expect((await readPriceFile(Buffer.from(csv.replace('дорого', '1')))).lines).toEqual([
      'Стол "Осло"; белый — 1500 — дуб, массив',
      'Экран 24" — 900',
      'Стул — 1',
    ]);
  });

  it('of more than a thousand goods is refused (E09)', async () => {
    const csv = Array.from({ length: 1_001 }, (_, i) => `Товар ${i};100`).join('\n');
    expect(await refusal(Buffer.from(csv))).toEqual({ reason: 'too-many-rows' });
  });

  it.each([' ', ' -', '"', '""', '—\t', ';"'])('of nothing but %j ends in time', async (sign) => {
    const file = Buffer.from(sign.repeat(MOST_FILE_BYTES / Buffer.byteLength(sign)));
    expect(await refusal(file)).toMatchObject({ reason: expect.stringMatching(/empty|bad-line/u) });
  });

  it('is no text when it is something else', async () => {
    expect(await refusal(Buffer.from([1, 0, 2, 0, 3]))).toEqual({ reason: 'unreadable' });
    expect(await refusal(Buffer.alloc(0))).toEqual({ reason: 'empty' });
  });
});
