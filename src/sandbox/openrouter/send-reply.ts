import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { sendJson } from '../../http/server.ts';
import type { Reply } from './router.ts';
import { PICTURE_HERE } from './wire.ts';

// A multiple of three: pieces of base64 then join without padding between them.
const PIECE_BYTES = 3 * 65_536;

/** A picture is megabytes, and to write it as JSON in one go would hold up the whole process: it goes in pieces. */
export function sendReply(response: ServerResponse, { status, body, picture }: Reply): void {
  if (picture === null) {
    sendJson(response, status, body);
    return;
  }
  const [before = '', after = ''] = JSON.stringify(body).split(PICTURE_HERE);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  Readable.from(pieces(before, picture, after)).pipe(response);
}

function* pieces(before: string, picture: Buffer, after: string) {
  yield before;
  for (let at = 0; at < picture.length; at += PIECE_BYTES) {
    yield picture.toString('base64', at, at + PIECE_BYTES);
  }
  yield after;
}
