import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Journal } from '../journal.ts';
import type { SentFile } from './call-params.ts';
import { imageSize } from './image-size.ts';
import type { FileRef } from './wire.ts';

export type StoredFile = FileRef & { name: string; mime: string; file_path: string; kind: FileKind };
export type FileKind = 'photos' | 'documents' | 'stickers' | 'voice' | 'videos' | 'audio';

export type Files = ReturnType<typeof openFiles>;

const MIME_OF_EXTENSION: Record<string, string> = {
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.zip': 'application/zip',
};

/** Bytes that people and the bot have sent. They lie beside the journal, not in it: it is read whole at start. */
export function openFiles(journal: Journal, journalFile?: string) {
  const table = journal.table<StoredFile>('files');
  const folder = journalFile === undefined ? null : `${journalFile}.files`;
  const inMemory = new Map<string, Buffer>();
  if (folder) mkdirSync(folder, { recursive: true });
  return { keep, find, byPath, read, clear };

  function keep(kind: FileKind, { name, mime, bytes }: SentFile): StoredFile {
    const unique = randomBytes(9).toString('base64url');
    const file_id = `SB${randomBytes(24).toString('base64url')}`;
    const known = imageSize(bytes)?.mime ?? MIME_OF_EXTENSION[extname(name).toLowerCase()];
    const stored: StoredFile = {
      file_id,
      file_unique_id: unique,
      file_size: bytes.length,
      name,
      mime: mime === 'application/octet-stream' ? (known ?? mime) : mime,
      file_path: `${kind}/file_${table.values().length}${extname(name).replace(/[^.\w]/g, '') || '.dat'}`,
      kind,
    };
    if (folder) writeFileSync(join(folder, unique), bytes);
    else inMemory.set(unique, bytes);
    table.put(file_id, stored);
    return stored;
  }

  function find(fileId: string): StoredFile | undefined {
    return table.get(fileId);
  }

  function byPath(path: string): StoredFile | undefined {
    return table.values().find(({ file_path }) => file_path === path);
  }

  function read({ file_unique_id }: FileRef): Buffer {
    return folder ? readFileSync(join(folder, file_unique_id)) : inMemory.get(file_unique_id)!;
  }

  function clear(): void {
    for (const { file_id } of table.values()) table.remove(file_id);
    inMemory.clear();
    if (!folder) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
}

export const fileRef = ({ file_id, file_unique_id, file_size }: FileRef): FileRef => ({
  file_id,
  file_unique_id,
  file_size,
});
