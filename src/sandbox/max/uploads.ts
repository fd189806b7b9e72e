import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../../http/server.ts';
import type { Journal } from '../journal.ts';
import { openKeptFiles, readUploadedFile } from '../kept-files.ts';
import { imageSize } from '../telegram/image-size.ts';
import { ApiError, type Attachment, badPayload } from './wire.ts';

export type UploadedFile = { type: string; name: string; bytes: Buffer };
export type Uploads = ReturnType<typeof openUploads>;

const TYPES = new Set(['image', 'video', 'audio', 'file']);
const MAX_SIDE = 7680;

/** Where files are brought before they are attached. Each type answers in its own shape. */
export function openUploads(journal: Journal, journalFile?: string) {
  const sessions = new Map<string, { type: string; token: string }>();
  const files = journal.table<Omit<UploadedFile, 'bytes'>>('uploads');
  const kept = openKeptFiles(journalFile);
  let processing = 0;
  return {
    open,
    receive,
    check,
    file,
    count: () => files.values().length,
    beSlow,
  };

  /** The next so many messages find their attachment still in work. */
  function beSlow(times: number): void {
    processing = times;
  }

  function open(type: string | null, origin: string): { url: string; token?: string } {
    if (!type || !TYPES.has(type)) throw badPayload(`type: unknown upload type ${JSON.stringify(type)}`);
    const id = randomBytes(12).toString('hex');
    const token = randomBytes(24).toString('base64url');
    sessions.set(id, { type, token });
    const isStreamed = type === 'video' || type === 'audio';
    return { url: `${origin}/upload/${id}`, ...(isStreamed && { token }) };
  }

  async function receive(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessions.get(id);
    const file = await readUploadedFile(request, 'data');
    if (!session) return sendJson(response, 404, { error: 'no such upload' });
    const { type, token } = session;
    if (!file) return sendJson(response, 400, { error: 'expected one file in the field "data"' });
    if (type === 'image' && !isPicture(file.bytes))
      return sendJson(response, 400, { error: 'not a picture' });
    keep(token, { type, ...file });
    if (type === 'image')
      sendJson(response, 200, { photos: { [randomBytes(8).toString('hex')]: { token } } });
    else if (type === 'file') sendJson(response, 200, { token });
    else response.writeHead(200, { 'content-type': 'text/xml' }).end('<retval>1</retval>');
  }

  function keep(token: string, { type, name, bytes }: UploadedFile): void {
    kept.put(token, bytes);
    files.put(token, { type, name });
  }

  function file(token: string): UploadedFile | null {
    const known = files.get(token);
    const bytes = known && kept.get(token);
    return bytes ? { ...known, bytes } : null;
  }

  /** Of an attachment that names an upload: it was made, and it is ready. */
  function check(attachments: readonly Attachment[]): void {
    const named = attachments.flatMap(({ type, payload }) => {
      const token = tokenOf(payload);
      return token === null ? [] : [{ type, token }];
    });
    for (const { type, token } of named)
      if (files.get(token)?.type !== type) throw badPayload(`attachments: unknown token of ${type}`);
    if (named.length === 0 || processing === 0) return;
    processing -= 1;
    throw new ApiError(400, 'attachment.not.ready', 'Key: errors.process.attachment.file.not.processed');
  }
}

export function tokenOf(payload: Attachment['payload']): string | null {
  if (typeof payload?.token === 'string') return payload.token;
  const [photo] = Object.values((payload?.photos ?? {}) as Record<string, { token?: string }>);
  return photo?.token ?? null;
}

/** WebP is not among the formats that MAX names. */
function isPicture(bytes: Buffer): boolean {
  const size = imageSize(bytes);
  return size !== null && size.mime !== 'image/webp' && Math.max(size.width, size.height) <= MAX_SIDE;
}
