import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPictureFolder, UnsafePath } from '../../src/store/picture-folder.ts';
import { deriveSigningKey } from '../../src/store/signing-key.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(root, { recursive: true }));

const bytes = Buffer.from('picture');
const opened = (key: Uint8Array = randomBytes(32)) =>
  createPictureFolder({
    folder: join(root, 'pictures'),
    key,
    baseUrl: 'https://bot.example',
    clock: () => 0,
  });

describe('the folder of pictures', () => {
  it.each([
    '../secret.webp',
    '7/../../secret',
    '/etc/passwd',
    '7//1.webp',
    '7/.hidden',
    '',
    '.',
    '7/%2e%2e/x',
    '7\\..\\x',
    '7/a\0b',
  ])('lets no path lead out of it: %j', async (path) => {
    const pictures = opened();
    await expect(pictures.save(path, bytes, 'image/webp')).rejects.toThrow(UnsafePath);
    await expect(pictures.read(path)).rejects.toThrow(UnsafePath);
    await expect(pictures.remove([path])).rejects.toThrow(UnsafePath);
    await expect(pictures.signedUrl(path, 60)).rejects.toThrow(UnsafePath);
    expect(await readdir(root)).toEqual([]);
  });

  it('is empty before the first picture', async () => {
    expect(await opened().listOlderThan(new Date())).toEqual([]);
  });

  it('leaves no half-written file beside a saved one', async () => {
    const pictures = opened();
    await Promise.all(Array.from({ length: 8 }, () => pictures.save('7/12/1_1.webp', bytes, 'image/webp')));
    expect(await readdir(join(root, 'pictures/7/12'))).toEqual(['1_1.webp']);
  });

  it('finds what a killed writer left, so that it can be cleaned away', async () => {
    const pictures = opened();
    await pictures.save('7/12/new.webp', bytes, 'image/webp');
    const left = '7/12/old.webp.0a1b.part';
    await writeFile(join(root, 'pictures', left), 'half');
    await utimes(join(root, 'pictures', left), 0, 0);
    expect(await pictures.listOlderThan(new Date(1_000))).toEqual([left]);
    await pictures.remove([left]);
    expect(await readdir(join(root, 'pictures/7/12'))).toEqual(['new.webp']);
  });

  it('does not take a signature made with another key, cut short or of another hour', async () => {
    const key = randomBytes(32);
    const pictures = opened(key);
    const { searchParams } = new URL(await pictures.signedUrl('7/12/1_1.webp', 60));
    const [expires, signature] = [searchParams.get('expires')!, searchParams.get('signature')!];
    expect(pictures.verify('7/12/1_1.webp', expires, signature)).toBe(true);
    expect(opened().verify('7/12/1_1.webp', expires, signature)).toBe(false);
    expect(pictures.verify('7/12/1_1.webp', expires, signature.slice(0, 20))).toBe(false);
    expect(pictures.verify('7/12/1_1.webp', `${Number(expires) + 1}`, signature)).toBe(false);
    expect(pictures.verify('7/12/1_1.webp', `0${expires}`, signature)).toBe(false);
    expect(pictures.verify('7/12/1_1.webp', '', '')).toBe(false);
  });
});

describe('the key that signs', () => {
  it('is the same wherever the secret is the same, and is not the secret', () => {
    const derived = (secret: string) => deriveSigningKey(secret, 'picture addresses');
    expect(derived('secret')).toEqual(derived('secret'));
    expect(derived('secret')).not.toEqual(derived('another'));
    expect(derived('secret')).not.toEqual(deriveSigningKey('secret', 'scheduled calls'));
    expect(derived('secret')).toHaveLength(32);
  });
});
