import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SupplierFailed } from '../../src/clients/http/supplier.ts';
import { createSupabaseStorage } from '../../src/clients/supabase-storage.ts';
import { type SupabaseStandIn, startSupabaseStandIn } from '../../src/sandbox/supabase/start.ts';

const key = 'service-key';
const path = '7/12/1700000000000_1.webp';
const bytes = Buffer.from('picture');
let supabase: SupabaseStandIn;

beforeEach(async () => {
  supabase = await startSupabaseStandIn({ key });
});
afterEach(() => supabase.close());

const opened = (options: Partial<Parameters<typeof createSupabaseStorage>[0]> = {}) =>
  createSupabaseStorage({
    baseUrl: supabase.url,
    key,
    bucket: 'content-images',
    waitMs: () => 1,
    timeoutMs: 2_000,
    ...options,
  });

describe('the storage', () => {
  it.each([
    ['a short outage', { kind: 'status', status: 503 }],
    ['too many requests', { kind: 'status', status: 429, retryAfter: 0 }],
    ['a broken connection', { kind: 'reset' }],
    ['a lost answer', { kind: 'reset-after' }],
  ] as const)('gets the picture in spite of %s', async (_, fault) => {
    supabase.faults.add({ match: '^POST .*/object/content-images/', fault });
    await opened().save(path, bytes, 'image/webp');
    expect(supabase.paths()).toEqual([path]);
    supabase.faults.add({ match: '^GET ', fault });
    expect(await opened().read(path)).toEqual(bytes);
    supabase.faults.add({ match: '^DELETE ', fault });
    await opened().remove([path]);
    expect(supabase.paths()).toEqual([]);
  });

  it('is out of order when it stays silent', async () => {
    supabase.faults.add({ match: 'object', times: null, fault: { kind: 'hang' } });
    const storage = opened({ timeoutMs: 50, retries: 1 });
    await expect(storage.save(path, bytes, 'image/webp')).rejects.toThrow(SupplierFailed);
  });

  it.each([
    ['the key', { key: 'stolen' }],
    ['the bucket', { bucket: 'photos' }],
  ])('says no when %s is wrong: that is no missing picture', async (_, options) => {
    await expect(opened(options).read(path)).rejects.toThrow(SupplierFailed);
    await expect(opened(options).save(path, bytes, 'image/webp')).rejects.toThrow(SupplierFailed);
  });

  it('is not understood when it answers something else', async () => {
    await opened().save(path, bytes, 'image/webp');
    supabase.faults.add({
      match: 'sign',
      fault: { kind: 'status', status: 200, body: { url: 'elsewhere' } },
    });
    await expect(opened().signedUrl(path, 60)).rejects.toThrow('a form we do not know');
  });

  it('does not sign a missing picture', async () => {
    await expect(opened().signedUrl(path, 60)).rejects.toThrow('Object not found');
  });

  it('is listed beyond its first page', async () => {
    const names = Array.from({ length: 1_003 }, (_, i) => `7/12/${String(i).padStart(4, '0')}.webp`);
    for (const name of names) {
      await fetch(`${supabase.url}/storage/v1/object/content-images/${name}`, {
        method: 'POST',
        body: 'x',
        headers: { apikey: key, authorization: `Bearer ${key}` },
      });
    }
    const storage = opened();
    expect(await storage.listOlderThan(new Date(Date.now() + 60_000))).toEqual(names);
    await storage.remove(names);
    expect(supabase.paths()).toEqual([]);
  });
});
