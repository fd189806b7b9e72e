import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { readBody } from '../http/server.ts';

export type KeptFiles = ReturnType<typeof openKeptFiles>;

const MAX_BODY = 64 * 1024 * 1024;

/** Bytes by name. They lie in a folder beside the journal, not in it: it is read whole at start. */
export function openKeptFiles(journalFile?: string) {
  const inMemory = new Map<string, Buffer>();
  const folder = journalFile === undefined ? null : `${journalFile}.files`;
  if (folder) mkdirSync(folder, { recursive: true });
  return { put, get };

  function put(name: string, bytes: Buffer): void {
    if (folder) writeFileSync(join(folder, name), bytes);
    else inMemory.set(name, bytes);
  }

  function get(name: string): Buffer | null {
    if (!folder) return inMemory.get(name) ?? null;
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path) : null;
  }
}

/** The one file of a multipart body; null when there is none in that field. */
export async function readUploadedFile(
  request: IncomingMessage,
  field: string,
): Promise<{ name: string; bytes: Buffer } | null> {
  const body = await readBody(request, MAX_BODY);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return null;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = form.get(field);
  return file instanceof File ? { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) } : null;
}
