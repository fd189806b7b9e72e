import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key of an installation that was given none: made once, readable by its owner, kept beside the embedded data. */
export async function keyFile(dataDir: string): Promise<string> {
  const path = join(dataDir, 'encryption.key');
  const known = await readKeyAt(path);
  if (known) return known;
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // Of two processes that start together one makes the key; the other finds it.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readKeyAt(path))!;
}

async function readKeyAt(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
