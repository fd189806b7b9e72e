import { z } from 'zod';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { createSupplier, SupplierFailed, type SupplierOptions } from './http/supplier.ts';

type SupabaseOptions = { baseUrl: string; key: string; bucket: string } & Pick<
  SupplierOptions,
  'timeoutMs' | 'retries' | 'waitMs'
>;

const signed = z.object({ signedURL: z.string().startsWith('/') });
const listed = z.array(
  z.object({
    name: z.string(),
    /** A folder has none. */
    id: z.string().nullable(),
    updated_at: z.string().nullable(),
  }),
);

const PAGE = 1_000;

/** Supabase Storage, a private bucket. Every call may be repeated: an upload replaces, a removal finds nothing. */
export function createSupabaseStorage({ baseUrl, key, bucket, ...options }: SupabaseOptions): PictureStore {
  const root = `${baseUrl}/storage/v1`;
  const supabase = createSupplier({
    ...options,
    name: 'Supabase Storage',
    baseUrl: root,
    headers: { apikey: key, authorization: `Bearer ${key}` },
  });
  return { save, signedUrl, read, remove, listOlderThan };

  async function save(path: string, bytes: Uint8Array, contentType: string): Promise<void> {
    await supabase.read(addressOf(path), {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': contentType, 'x-upsert': 'true' },
    });
  }

  async function signedUrl(path: string, seconds: number): Promise<string> {
    const answer = await supabase.json(`/object/sign/${bucket}/${encoded(path)}`, {
      json: { expiresIn: seconds },
    });
    return `${root}${understood(signed, answer).signedURL}`;
  }

  async function read(path: string): Promise<Buffer | null> {
    try {
      return (await supabase.read(addressOf(path))).body;
    } catch (error) {
      // Told by its words: the status is 400 on some versions, and the same for a bucket that is missing.
      if (error instanceof SupplierFailed && /object not found/iu.test(error.message)) return null;
      throw error;
    }
  }

  async function remove(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += PAGE) {
      await supabase.read(`/object/${bucket}`, {
        method: 'DELETE',
        json: { prefixes: paths.slice(from, from + PAGE) },
      });
    }
  }

  async function listOlderThan(moment: Date): Promise<string[]> {
    const old: string[] = [];
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, id, updated_at } of await entriesOf(folder)) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (id === null) folders.push(path);
        else if (updated_at !== null && new Date(updated_at) < moment) old.push(path);
      }
    }
    return old.sort();
  }

  async function entriesOf(folder: string) {
    const entries: z.infer<typeof listed> = [];
    for (;;) {
      const json = {
        prefix: folder,
        limit: PAGE,
        offset: entries.length,
        sortBy: { column: 'name', order: 'asc' },
      };
      const page = understood(listed, await supabase.json(`/object/list/${bucket}`, { json }));
      entries.push(...page);
      if (page.length < PAGE) return entries;
    }
  }

  function addressOf(path: string): string {
    return `/object/${bucket}/${encoded(path)}`;
  }
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SupplierFailed('Supabase Storage', 'answered in a form we do not know', { cause: parsed.error });
}
