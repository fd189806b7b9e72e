import { pictureFormat } from '../services/pictures/picture-format.ts';
import { type HttpHandler, sendJson } from './server.ts';

export type SignedPictures = {
  verify(path: string, expires: string, signature: string): boolean;
  read(path: string): Promise<Buffer | null>;
};

const PREFIX = '/pictures/';

/** Pictures of the folder under signed addresses. A refusal gives no reason. */
export function picturesHandler(pictures: SignedPictures, clock: () => number = Date.now): HttpHandler {
  return async (request, response, url) => {
    if (!url.pathname.startsWith(PREFIX)) return false;
    const answer = (status: number, error: string): true => {
      sendJson(response, status, { error });
      return true;
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'GET only');
    const path = url.pathname.slice(PREFIX.length);
    const expires = url.searchParams.get('expires') ?? '';
    const signature = url.searchParams.get('signature') ?? '';
    if (!pictures.verify(path, expires, signature)) return answer(403, 'forbidden');
    const bytes = await pictures.read(path);
    const format = bytes && pictureFormat(bytes);
    if (!bytes || !format) return answer(404, 'not found');
    response.writeHead(200, {
      'content-type': format.contentType,
      'content-length': bytes.length,
      'cache-control': `private, max-age=${Math.floor(Number(expires) - clock() / 1_000)}, immutable`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  };
}
