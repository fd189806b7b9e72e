import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { PictureStore } from '../services/pictures/picture-store.ts';

type PictureFolder = PictureStore & {
  /** Whether an address was signed here and has not expired. `expires` is in seconds, as the address has it. */
  verify(path: string, expires: string, signature: string): boolean;
};

export class UnsafePath extends Error {
  override readonly name = 'UnsafePath';
}

/** Names that begin with a letter, a digit, _ or -: neither the folder above nor a hidden file is among them. */
const SAFE_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u;

/** Pictures as files. The bot itself serves them, under addresses that cannot be forged without the key. */
export function createPictureFolder({
  folder,
  key,
  baseUrl,
  clock = Date.now,
}: {
  folder: string;
  key: Uint8Array;
  /** Where the bot is reached, without a slash at the end. */
  baseUrl: string;
  clock?: () => number;
}): PictureFolder {
  return { save, signedUrl, read, remove, listOlderThan, verify };

  async function save(path: string, bytes: Uint8Array): Promise<void> {
    const file = fileOf(path);
    await mkdir(dirname(file), { recursive: true });
    // Renamed when whole: a reader never meets half a picture, and what a crash leaves is found as an orphan.
    const part = `${file}.${randomUUID()}.part`;
    await writeFile(part, bytes);
    await rename(part, file);
  }

  async function signedUrl(path: string, seconds: number): Promise<string> {
    fileOf(path);
    const expires = String(Math.ceil(clock() / 1_000) + seconds);
    const signature = sign(path, expires).toString('base64url');
    return `${baseUrl}/pictures/${path}?${new URLSearchParams({ expires, signature })}`;
  }

  function verify(path: string, expires: string, signature: string): boolean {
    if (!/^\d{1,12}$/u.test(expires) || Number(expires) * 1_000 <= clock()) return false;
    const expected = sign(path, expires);
    const given = Buffer.from(signature, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async function read(path: string): Promise<Buffer | null> {
    try {
      return await readFile(fileOf(path));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function remove(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => rm(fileOf(path), { force: true })));
  }

  async function listOlderThan(moment: Date): Promise<string[]> {
    const old: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneYet)) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const info = await stat(file).catch(noneAnyMore);
      if (info && info.mtime < moment) old.push(relative(folder, file).split(sep).join('/'));
    }
    return old.sort();
  }

  function fileOf(path: string): string {
    if (!SAFE_PATH.test(path)) throw new UnsafePath(`"${path}" is no path of a picture`);
    return join(folder, path);
  }

  function sign(path: string, expires: string): Buffer {
    return createHmac('sha256', key).update(`${path}\n${expires}`).digest();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function noneYet(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

function noneAnyMore(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
