import type { IncomingMessage } from 'node:http';
import { BodyTooLarge, readBody } from '../../http/server.ts';
import { ApiError, badRequest } from './wire.ts';

export type SentFile = { name: string; mime: string; bytes: Buffer };

/** A call's arguments, wherever they came from. */
export type CallParams = { fields: Record<string, unknown>; files: Map<string, SentFile> };

const MAX_BODY = 52 * 1024 * 1024;

// Fields that are objects, and travel as JSON text in forms. All others stay text: a message may well read "{}".
const STRUCTURED = new Set([
  'reply_markup',
  'entities',
  'caption_entities',
  'media',
  'allowed_updates',
  'commands',
  'link_preview_options',
  'reply_parameters',
  'message_ids',
  'scope',
  'prices',
  'rich_message',
]);

export async function readParams(request: IncomingMessage, url: URL): Promise<CallParams> {
  const params: CallParams = { fields: Object.fromEntries(url.searchParams), files: new Map() };
  if (request.method === 'POST') await addBody(request, params);
  for (const name of STRUCTURED) {
    const value = params.fields[name];
    if (typeof value === 'string' && value !== '') params.fields[name] = parseStructured(name, value);
  }
  return params;
}

async function addBody(request: IncomingMessage, params: CallParams): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const body = await readBody(request, MAX_BODY).catch((error: unknown) => {
    throw error instanceof BodyTooLarge ? new ApiError(413, 'Request Entity Too Large') : error;
  });
  if (body.length === 0) return;
  if (type.startsWith('application/json')) Object.assign(params.fields, parseJson(body));
  else if (type.startsWith('multipart/form-data')) readMultipart(body, type, params);
  else Object.assign(params.fields, Object.fromEntries(new URLSearchParams(body.toString())));
}

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // answered below, like any other body that is no object
  }
  throw badRequest("can't parse JSON object");
}

function parseStructured(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`);
  }
}

// By hand, because the parser behind `Response.formData` refuses grammY's headers (no space after a semicolon).
function readMultipart(body: Buffer, type: string, params: CallParams): void {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (!boundary) throw badRequest("can't parse multipart: no boundary");
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  let from = whole.indexOf(delimiter);
  while (from !== -1) {
    const next = whole.indexOf(delimiter, from + delimiter.length);
    if (next === -1) return;
    addPart(whole.subarray(from + delimiter.length + 2, next), params);
    from = next;
  }
}

function addPart(part: Buffer, params: CallParams): void {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return;
  const head = part.subarray(0, end).toString();
  const content = part.subarray(end + 4);
  const name = /\bname="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) return;
  const fileName = /\bfilename\*?=(?:UTF-8'')?"?([^"\r\n;]*)"?/i.exec(head)?.[1];
  if (fileName === undefined) params.fields[name] = content.toString();
  else {
    const mime = /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1] ?? 'application/octet-stream';
    params.files.set(name, { name: safeDecode(fileName), mime, bytes: content });
  }
}

function safeDecode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
