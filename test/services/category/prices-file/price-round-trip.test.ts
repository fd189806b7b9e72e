import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PriceListRefused,
  readPriceRows,
  readPriceText,
} from '../../../../src/services/category/prices-file/price-list.ts';
import { readWorkbook } from '../../../../src/services/category/prices-file/read-workbook.ts';
import { writeWorkbook } from '../../../../src/services/category/prices-file/write-workbook.ts';

/** Pieces of which people make price lists, and pieces that look like their structure. */
const piece = fc.constantFrom(
  ...[
    'Стол',
    'стул-кресло',
    '12 500',
    '3 000 ₽',
    'от 5',
    '0.30',
    '12500',
    ' — ',
    ' – ',
    ' - ',
    '—',
    '-',
    '\t',
  ],
  ...[' ', 'бесплатно', 'договорная', '"дуб"', '=1+1', '#ДАТА', '&<b>', '😀', '2024-05-01', '1e5', '.', ','],
);
const line = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const anyList = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'));
/** One bad line refuses a whole list, so lists that are read are put together of lines that are. */
const goodList = fc
  .array(
    line.filter((one) => readOrRefusal(one) !== null),
    { minLength: 1, maxLength: 12 },
  )
  .map((lines) => readPriceText(lines.join('\n')).lines);

function readOrRefusal(text: string): string[] | null {
  try {
    return readPriceText(text).lines;
  } catch (error) {
    expect(error, 'refused with a reason, or not at all').toBeInstanceOf(PriceListRefused);
    expect((error as PriceListRefused).userMessage).not.toBe('');
    return null;
  }
}

describe('any price list that a person types', () => {
  it('is read or refused with a reason', () => {
    fc.assert(
      fc.property(anyList, (text) => void readOrRefusal(text)),
      { numRuns: 1_000 },
    );
  });

  it('once read, written down and read again is the same', () => {
    fc.assert(
      fc.property(goodList, (lines) => {
        expect(readPriceText(lines.join('\n')).lines).toEqual(lines);
      }),
      { numRuns: 1_000 },
    );
  });

  it('comes back from the Excel file that was made of it as it was', async () => {
    await fc.assert(
      fc.asyncProperty(goodList, async (lines) => {
        const answer = await readWorkbook(await writeWorkbook(lines));
        if (!('rows' in answer)) throw new Error(answer.why);
        expect(readPriceRows(answer.rows).lines).toEqual(lines);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
