import { crc32, inflateRawSync } from 'node:zlib';

/**
 * An .xlsx file is a zip archive, and a zip archive can hold a thousand times its size. So ours is read by us first:
 * sizes as declared are added up, sizes in truth are enforced, and what a price list needs is packed anew, without
 * compression. Whatever else the file carried, or however another reader would have understood it, is gone.
 */
export function repackWorkbook(archive: Buffer): Buffer {
  const needed = entriesOf(archive).filter(({ name }) => NEEDED.test(name));
  if (!needed.some(({ name }) => name === 'xl/workbook.xml')) throw new NoWorkbook();
  if (needed.reduce((sum, { size }) => sum + size, 0) > MOST_UNPACKED) throw new ArchiveTooLarge();
  return packed(needed.map((entry) => ({ name: entry.name, bytes: unpacked(archive, entry) })));
}

/** A document of another program, or photos: archives all. */
export class NoWorkbook extends Error {
  override readonly name = 'NoWorkbook';
}

export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
}

const MOST_ENTRIES = 1_000;
const MOST_UNPACKED = 32 * 1024 * 1024;
/** Neither pictures nor drawings, comments or macros. */
const NEEDED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/sheet\d{1,4}\.xml)$/u;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

type Entry = { name: string; method: number; packedSize: number; size: number; local: number };

function entriesOf(archive: Buffer): Entry[] {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(END_OF_DIRECTORY);
  const end = archive.lastIndexOf(mark);
  if (end === -1) throw new Error('the archive has no directory');
  const count = archive.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw new ArchiveTooLarge();
  const entries: Entry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    expectMark(archive, at, DIRECTORY_ENTRY);
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + nameLength).replace(/^\//u, ''),
      method: archive.readUInt16LE(at + 10),
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      local: archive.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function unpacked(archive: Buffer, { name, method, packedSize, size, local }: Entry): Buffer {
  expectMark(archive, local, LOCAL_ENTRY);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const bytes = archive.subarray(start, start + packedSize);
  if (method !== STORED && method !== DEFLATED) throw new Error(`${name} is packed by method ${method}`);
  // Stops at the declared size: an entry that unpacks into more has lied.
  const whole = method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
  if (whole.length !== size) throw new Error(`${name} declares ${size} bytes and holds ${whole.length}`);
  return whole;
}

function expectMark(archive: Buffer, at: number, mark: number): void {
  if (archive.readUInt32LE(at) !== mark) throw new Error(`the archive is broken at ${at}`);
}

/** A plain archive: every entry stored as it is. */
function packed(files: { name: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const encoded = Buffer.from(name);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(bytes), 0);
    sizes.writeUInt32LE(bytes.length, 4);
    sizes.writeUInt32LE(bytes.length, 8);
    sizes.writeUInt16LE(encoded.length, 12);
    const local = Buffer.concat([header(LOCAL_ENTRY, 14), sizes, encoded]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    parts.push(local, bytes);
    directory.push(header(DIRECTORY_ENTRY, 16), sizes, place, encoded);
    at += local.length + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = header(END_OF_DIRECTORY, 22);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

function header(mark: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32LE(mark);
  return bytes;
}
