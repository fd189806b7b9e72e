import { z } from 'zod';
import type { GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { type Pulled, type Reading, SourceUnreadable } from './pull-source.ts';

type Fetched = { body: Buffer; contentType: string; marks: Pulled['marks'] };

/** Null: the source says that nothing has changed. */
export async function fetchUnlessSame(
  fetch: GuardedFetch,
  url: string,
  { accept, secret, cursor, signal }: { accept: string } & Reading,
): Promise<Fetched | null> {
  const conditions = {
    ...(cursor.etag && { 'if-none-match': cursor.etag }),
    ...(cursor.last_modified && { 'if-modified-since': cursor.last_modified }),
  };
  const answer = await fetch(url, {
    headers: { ...headersOf(secret), accept, ...conditions },
    signal,
  });
  if (answer.status === 304) return null;
  if (answer.status !== 200) throw new SourceUnreadable(`the source answered with status ${answer.status}`);
  const { etag, 'last-modified': modified, 'content-type': contentType = '' } = answer.headers;
  return {
    body: answer.body,
    contentType,
    marks: { ...(etag && { etag }), ...(modified && { last_modified: modified }) },
  };
}

const withHeaders = z.object({ headers: z.record(z.string(), z.string()) });

const headersOf = (secret: unknown): Record<string, string> =>
  withHeaders.safeParse(secret).data?.headers ?? {};
