import type { SentFile } from '../../../machines/sent-material.ts';
import { everyFileKind } from '../../clients/file-kind.ts';
import type { FetchFile } from '../../clients/telegram-files.ts';

export type FetchMaterial = (file: SentFile, mostBytes: number, signal: AbortSignal) => Promise<Buffer>;

/** A file of any kind: its reader says more exactly what is wrong with one that it cannot use. */
export const makeFetchMaterial =
  (fetchFile: FetchFile): FetchMaterial =>
  async (file, mostBytes, signal) => {
    const { bytes } = await fetchFile(file, { mostBytes, kinds: everyFileKind, signal });
    return bytes;
  };
