import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readKey } from '../fernet.ts';

const FILE = 'encryption.key';

/** The key of an installation that was given none: made once, readable by its owner, kept beside the embedded data. */
export async function keyFile(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, FILE);
  const candidate = `${file}.${randomUUID()}`;
  await writeFile(candidate, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    // Whole or not at all, and only the first of several processes: what a rename would not promise.
    await link(candidate, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(candidate);
  }
  const key = (await readFile(file, 'utf8')).trim();
  if (!readKey(key)) throw new Error(`Expected a key of 32 bytes in base64url in ${file}`);
  return key;
}
