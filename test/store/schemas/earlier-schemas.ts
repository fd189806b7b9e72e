import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { parseSchema, type Schema } from '../../../src/store/schema.ts';

/**
 * Every schema.sql that a database may have, oldest first, as one JSON list. Brotli with a window of 16 MB: they differ
 * in a few lines each, so that all of them take hardly more room than one.
 */
const file = new URL('earlier-schemas.json.br', import.meta.url);

/** Those of the first 28 have no number in their text. */
export const UNNUMBERED = 28;

export async function earlierSchemas(): Promise<string[]> {
  const json = await promisify(brotliDecompress)(await readFile(file));
  return JSON.parse(json.toString()) as string[];
}

/** Keeps a schema that is about to be released, in place of an earlier text of the same number. */
export async function keepSchema(schema: Schema): Promise<void> {
  const others = (await earlierSchemas()).filter(
    (text, i) => i < UNNUMBERED || parseSchema(text).version !== schema.version,
  );
  const json = Buffer.from(JSON.stringify([...others, schema.text]));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  await writeFile(file, await promisify(brotliCompress)(json, { params }));
}
