import { type PriceList, PriceListRefused, readPriceRows, readPriceText } from './price-list.ts';
import { decodeText, delimiterOf, readCsv } from './read-csv.ts';
import type { ReadWorkbook } from './read-workbook.ts';

export const MOST_FILE_BYTES = 5 * 1024 * 1024;

const ZIP = Buffer.from('PK\u0003\u0004');
const MOST_LINE = 1_000;
const OLD_EXCEL = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** A price list from a file: .xlsx, .csv, or lines as one would type them. Told apart by what is in it. */
export const makeReadPriceFile =
  (readWorkbook: ReadWorkbook) =>
  async (file: Uint8Array): Promise<PriceList> => {
    if (file.length > MOST_FILE_BYTES) throw new PriceListRefused({ reason: 'too-large' });
    if (beginsWith(file, OLD_EXCEL)) throw new PriceListRefused({ reason: 'old-format' });
    if (beginsWith(file, ZIP)) {
      const answer = await readWorkbook(file);
      if ('rows' in answer) return readPriceRows(answer.rows);
      throw new PriceListRefused({ reason: answer.refused }, new Error(answer.why));
    }
    const text = decodeText(file);
    if (text === null) throw new PriceListRefused({ reason: 'unreadable' });
    const delimiter = isTyped(text) ? null : delimiterOf(text);
    return delimiter === null ? readPriceText(text) : readPriceRows(readCsv(text, delimiter));
  };

const beginsWith = (bytes: Uint8Array, mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.length));

/** A line with a dash before the price; commas are the name's own then. */
const isTyped = (text: string): boolean =>
  /^[^\n;\t]*\s[—–-]\s[^\n;\t]*\d/u.test(text.trimStart().slice(0, MOST_LINE));
