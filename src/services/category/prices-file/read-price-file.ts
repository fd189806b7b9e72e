import { type FileKind, fileKind } from '../../../clients/file-kind.ts';
import { decodeText } from '../decode-text.ts';
import { type PriceList, PriceListRefused, readPriceRows, readPriceText } from './price-list.ts';
import { delimiterOf, readCsv } from './read-csv.ts';
import type { ReadWorkbook } from './read-workbook.ts';

export const MOST_FILE_BYTES = 5 * 1024 * 1024;

const ZIP = Buffer.from('PK\u0003\u0004');
const MOST_LINE = 1_000;
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Inside a file of the old kind: a new one behind a password. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

const otherKinds: Partial<Record<FileKind, 'pdf' | 'picture'>> = {
  pdf: 'pdf',
  jpeg: 'picture',
  png: 'picture',
  webp: 'picture',
  gif: 'picture',
};

/** A price list from a file: .xlsx, .csv, or lines as one would type them. The kind is detected by content. */
export const makeReadPriceFile =
  (readWorkbook: ReadWorkbook) =>
  async (file: Uint8Array): Promise<PriceList> => {
    if (file.length > MOST_FILE_BYTES) throw new PriceListRefused({ reason: 'too-large' });
    if (beginsWith(file, OLD_OFFICE)) {
      const reason = Buffer.from(file).includes(ENCRYPTED) ? 'with-password' : 'old-format';
      throw new PriceListRefused({ reason });
    }
    const other = otherKinds[fileKind(Buffer.from(file))];
    if (other) throw new PriceListRefused({ reason: other });
    if (beginsWith(file, ZIP)) {
      const answer = await readWorkbook(file);
      if ('rows' in answer) return readPriceRows(answer.rows);
      throw new PriceListRefused({ reason: answer.refused }, new Error(answer.why));
    }
    const decoded = decodeText(file);
    if (!decoded) throw new PriceListRefused({ reason: 'unreadable' });
    const { text } = decoded;
    const delimiter = isTyped(text) ? null : delimiterOf(text);
    return delimiter === null ? readPriceText(text) : readPriceRows(readCsv(text, delimiter));
  };

const beginsWith = (bytes: Uint8Array, mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.length));

/** A line with a dash before the price; commas are the name's own then. */
const isTyped = (text: string): boolean =>
  /^[^\n;\t]*\s[—–-]\s[^\n;\t]*\d/u.test(text.trimStart().slice(0, MOST_LINE));
