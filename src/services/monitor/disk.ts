import { statfs } from 'node:fs/promises';

/** The share of a disk that is still free, by a folder on it. */
export async function freeShare(folder: string): Promise<number> {
  try {
    const { bavail, blocks } = await statfs(folder);
    // File systems without a size of their own, such as some network ones, say 0.
    return blocks === 0 ? 1 : bavail / blocks;
  } catch (error) {
    // With every store elsewhere nothing is ever written there.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 1;
    throw error;
  }
}
