import { FormData } from 'undici';
import { z } from 'zod';
import { parseJson, readAs } from '../../clients/http/api-answer.ts';
import { AnswerUnreadable, ApiRefused } from '../../clients/http/api-refused.ts';
import { callOnce } from '../../clients/http/call-once.ts';
import type { Json } from '../../engine/json.ts';

type MaxMediaType = 'image' | 'video' | 'audio' | 'file';
type MaxFile = { bytes: Uint8Array; fileName: string; contentType: string };
export type MaxUploadOptions = { uploadTimeoutMs?: number };

/**
 * Brings a file to MAX and returns the token to attach it by. Where the token comes from depends on the type: of a
 * picture and a file from the upload, of video and audio from the answer before it.
 */
export const makeUpload =
  (
    open: (token: string, type: MaxMediaType, signal: AbortSignal | undefined) => Promise<Json>,
    { uploadTimeoutMs = 30_000 }: MaxUploadOptions,
  ) =>
  async (token: string, type: MaxMediaType, file: MaxFile, signal?: AbortSignal): Promise<string> => {
    const what = `MAX upload of ${type}`;
    const opened = readAs(what, await open(token, type, signal), session);
    const form = new FormData();
    form.set('data', new Blob([new Uint8Array(file.bytes)], { type: file.contentType }), file.fileName);
    // No Authorization: the address itself is the permission.
    const { status, text, retryAfterMs } = await callOnce(what, opened.url, {
      method: 'POST',
      body: form,
      timeoutMs: uploadTimeoutMs,
      signal,
    });
    if (status < 200 || status > 299)
      throw new ApiRefused(what, {
        status,
        word: 'upload.refused', // ours: that host has no words of MAX
        description: text.slice(0, 200),
        retryAfterMs,
        body: parseJson(text),
      });
    const found = opened.token ?? tokenIn(parseJson(text));
    if (!found) throw new AnswerUnreadable(what, text);
    return found;
  };

function tokenIn(answer: Json): string | null {
  const photos = picture.safeParse(answer);
  if (photos.success) return Object.values(photos.data.photos)[0]?.token ?? null;
  const plain = document.safeParse(answer);
  return plain.success ? plain.data.token : null;
}

const session = z.object({ url: z.string(), token: z.string().nullish() });
const picture = z.object({ photos: z.record(z.string(), z.object({ token: z.string() })) });
const document = z.object({ token: z.string() });
