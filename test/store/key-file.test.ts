import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFile } from '../../src/store/key-file.ts';

describe('the key of an installation that was given none', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seo-master-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made once, by the first process that asks, and only its owner may read it', async () => {
    const dataDir = join(folder, 'data');
    const keys = await Promise.all(Array.from({ length: 6 }, () => keyFile(dataDir)));
    expect(new Set([...keys, await keyFile(dataDir)]).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
    expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600);
  });

  it('is not replaced when it is damaged: what it sealed would be lost', async () => {
    await writeFile(join(folder, 'encryption.key'), 'half a key');
    await expect(keyFile(folder)).rejects.toThrow('Expected a key');
  });
});
