import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import { asJson } from './delivery.ts';

export type MediaOrigin = {
  blobRef: string;
  originUrl: string;
  sha256?: string | null;
  contentType?: string | null;
  sizeBytes?: number | null;
};

/** `seen`: the last time, by which it is known whether it was wanted again. */
type UnusedMedia = MediaOrigin & { seen: string };

/** The same file as a provider knows it. Its id is preferred; an address may expire. */
export type MediaBlob = {
  fileId: string | null;
  url: string | null;
  /** By credential: what one bot brought is of no use to another. */
  references: Readonly<Record<string, string>>;
};

export type Media = ReturnType<typeof makeMedia>;

export function makeMedia(sql: Sql) {
  return { saveOrigin, findOrigin, saveBlob, findBlob, forgetBlob, countReferences, collectable, forget };

  async function saveOrigin(workspaceId: string, origin: MediaOrigin): Promise<void> {
    const { blobRef, originUrl, sha256 = null, contentType = null, sizeBytes = null } = origin;
    await sql`
      insert into media_origin (workspace_id, blob_ref, origin_url, sha256, content_type, size_bytes)
      values (${workspaceId}, ${blobRef}, ${originUrl}, ${sha256}, ${contentType}, ${sizeBytes})
      on conflict (workspace_id, blob_ref) do update set last_seen_at = now(), origin_url = excluded.origin_url`;
  }

  async function findOrigin(workspaceId: string, blobRef: string): Promise<MediaOrigin | null> {
    const [row] = await sql<MediaOrigin[]>`
      select blob_ref as "blobRef", origin_url as "originUrl", sha256, content_type as "contentType",
        size_bytes as "sizeBytes"
      from media_origin where workspace_id = ${workspaceId} and blob_ref = ${blobRef}`;
    return row ?? null;
  }

  /** `lifeMs`: how long the provider keeps it, by the database's clock. Without it, for ever. */
  async function saveBlob(
    workspaceId: string,
    blobRef: string,
    provider: ChannelPlatform,
    {
      fileId = null,
      url = null,
      references = {},
      lifeMs = null,
    }: Partial<MediaBlob> & { lifeMs?: number | null },
  ): Promise<void> {
    await sql`
      insert into media_blobs as b (workspace_id, blob_ref, provider, file_id, url, expires_at, meta)
      values (${workspaceId}, ${blobRef}, ${provider}, ${fileId}, ${url},
        clock_timestamp() + ${lifeMs}::double precision * interval '1 ms', ${asJson({ references })}::text::jsonb)
      on conflict (workspace_id, blob_ref, provider) do update
      set file_id = excluded.file_id, url = excluded.url, expires_at = excluded.expires_at, updated_at = now(),
        meta = jsonb_build_object('references', case
          when coalesce(b.expires_at > clock_timestamp(), true) then coalesce(b.meta -> 'references', '{}')
          else '{}' end || (excluded.meta -> 'references'))`;
  }

  /** Null when there is none, or only what has expired: to be made anew from the origin. */
  async function findBlob(
    workspaceId: string,
    blobRef: string,
    provider: ChannelPlatform,
  ): Promise<MediaBlob | null> {
    const [row] = await sql<MediaBlob[]>`
      select file_id as "fileId", url, coalesce(meta -> 'references', '{}') as "references" from media_blobs
      where workspace_id = ${workspaceId} and blob_ref = ${blobRef} and provider = ${provider}
        and (file_id is not null or coalesce(expires_at > clock_timestamp(), true))`;
    return row ?? null;
  }

  /** The provider does not know it any more. */
  async function forgetBlob(workspaceId: string, blobRef: string, provider: ChannelPlatform): Promise<void> {
    await sql`
      delete from media_blobs
      where workspace_id = ${workspaceId} and blob_ref = ${blobRef} and provider = ${provider}`;
  }

  /** Counts anew how many messages still use each file. */
  async function countReferences(workspaceId: string): Promise<void> {
    await sql`
      update media_origin o set ref_count = live.amount
      from (
        select a.blob_ref, count(m.blob_ref) as amount from media_origin a
        left join (
          select item ->> 'blob_ref' as blob_ref from messages, jsonb_array_elements(payload -> 'media') as item
          where workspace_id = ${workspaceId}
        ) m on m.blob_ref = a.blob_ref
        where a.workspace_id = ${workspaceId} group by a.blob_ref
      ) live
      where o.workspace_id = ${workspaceId} and o.blob_ref = live.blob_ref and o.ref_count <> live.amount`;
  }

  /** Unreferenced files that were not seen for long; large videos go sooner. */
  function collectable(
    workspaceId: string,
    { days = 30, largeVideoDays = 7, largeVideoBytes = 50_000_000, limit = 100 } = {},
  ): Promise<UnusedMedia[]> {
    return sql`
      select blob_ref as "blobRef", origin_url as "originUrl", sha256, content_type as "contentType",
        size_bytes as "sizeBytes", last_seen_at::text as seen
      from media_origin
      where workspace_id = ${workspaceId} and ref_count = 0
        and last_seen_at < clock_timestamp() - interval '1 day' * case
          when content_type like 'video/%' and size_bytes >= ${largeVideoBytes} then ${largeVideoDays}::integer
          else ${days}::integer end
      order by last_seen_at limit ${limit}`;
  }

  /**
   * The row and its file, together or not at all. A concurrent writer of the same file waits at the row, and then
   * writes it anew. False: it was wanted again.
   */
  async function forget(
    workspaceId: string,
    { blobRef, seen }: Pick<UnusedMedia, 'blobRef' | 'seen'>,
    removeFile: () => Promise<void>,
  ): Promise<boolean> {
    return sql.begin(async (tx) => {
      const rows = await tx`
        delete from media_origin
        where workspace_id = ${workspaceId} and blob_ref = ${blobRef} and last_seen_at::text = ${seen} returning 1`;
      if (rows.length === 0) return false;
      await tx`delete from media_blobs where workspace_id = ${workspaceId} and blob_ref = ${blobRef}`;
      await removeFile();
      return true;
    });
  }
}
