import { crc32, deflateRawSync } from 'node:zlib';

export type ZipFile = {
  name: string;
  bytes: Buffer | string;
  /** What the directory claims, when it is not the truth. */
  declares?: number;
};

/** An archive made by hand, so that it can be a dishonest one. */
export function makeZip(
  files: readonly ZipFile[],
  { count = files.length }: { count?: number } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, declares } of files) {
    const whole = Buffer.from(bytes as string);
    const packed = deflateRawSync(whole);
    const fields = numbers([20, 2], [0, 2], [8, 2], [0, 4], [crc32(whole), 4], [packed.length, 4]);
    const rest = numbers([declares ?? whole.length, 4], [Buffer.byteLength(name), 2], [0, 2]);
    const local = Buffer.concat([numbers([0x04034b50, 4]), fields, rest, Buffer.from(name), packed]);
    const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]);
    directory.push(numbers([0x02014b50, 4], [20, 2]), fields, rest, place, Buffer.from(name));
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [list.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...parts, list, end]);
}

function numbers(...fields: [value: number, width: 2 | 4][]): Buffer {
  return Buffer.concat(
    fields.map(([value, width]) => {
      const bytes = Buffer.alloc(width);
      bytes.writeUIntLE(value, 0, width);
      return bytes;
    }),
  );
}

/** The least that is a workbook, with its sheet's XML as given. */
export const workbookFiles = (sheet: string): ZipFile[] => [
  {
    name: '_rels/.rels',
    bytes:
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  },
  {
    name: 'xl/workbook.xml',
    bytes:
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>',
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    bytes:
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  },
  { name: 'xl/worksheets/sheet1.xml', bytes: sheet },
];

export const sheetOf = (rows: string, after = '', before = ''): string =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData>${after}</worksheet>`;

export const rowXml = (number: number, name: string, price: string): string =>
  `<row r="${number}"><c r="A${number}" t="inlineStr"><is><t>${name}</t></is></c><c r="B${number}"><v>${price}</v></c></row>`;
