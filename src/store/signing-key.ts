import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;
const FILE = 'picture-signing.key';

/** A key of our own, made once and kept beside the data: for a bot that was given no secret to derive one from. */
export async function ensureSigningKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, FILE);
  const candidate = `${file}.${randomUUID()}`;
  await writeFile(candidate, randomBytes(KEY_BYTES), { mode: 0o600 });
  try {
    // Whole or not at all, and only the first of several processes: what a rename would not promise.
    await link(candidate, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(candidate);
  }
  const key = await readFile(file);
  if (key.length !== KEY_BYTES) throw new Error(`Expected ${KEY_BYTES} bytes in ${file}, got ${key.length}`);
  return key;
}

/** The same key on every instance that shares the secret; the secret itself signs nothing that leaves us. */
export const deriveSigningKey = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'picture addresses', KEY_BYTES));
