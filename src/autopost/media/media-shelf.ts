import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { AddressRefused, AnswerTooLarge, SiteUnreachable } from '../../clients/http/fetch-errors.ts';
import type { FetchedPage, GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import type { MediaType } from '../../platforms/messenger/messenger.ts';
import type { PictureStore } from '../../services/pictures/picture-store.ts';
import type { Media } from '../store/media.ts';
import { looksLikePage, type MediaFormat, mediaFormat } from './media-format.ts';
import { MediaUnavailable } from './media-unavailable.ts';

export type KeptMedia = { blobRef: string; sha256: string; contentType: string; sizeBytes: number };
type ShelvedFile = { bytes: Uint8Array; fileName: string; contentType?: string };

/** The files that posts carry, ours from the moment the post is taken: what stood at their address may go. */
export type MediaShelf = {
  /** The same bytes are kept once. Throws MediaUnavailable. */
  keep(workspaceId: string, url: string, type: MediaType, signal?: AbortSignal): Promise<KeptMedia>;
  /** Null: gone. */
  read(originUrl: string): Promise<ShelvedFile | null>;
  remove(originUrl: string): Promise<void>;
};

type Deps = {
  files: Pick<PictureStore, 'save' | 'read' | 'remove'>;
  fetch: GuardedFetch;
  media: Pick<Media, 'saveOrigin'>;
  mostBytes?: Readonly<Record<MediaType, number>>;
  timeoutMs?: number;
  /** All tenants together: a file is held in memory while it is fetched. */
  atOnce?: number;
};

const MB = 1024 * 1024;
/** Telegram takes no more of a bot. */
const MOST_BYTES = { image: 10 * MB, video: 50 * MB, audio: 50 * MB, file: 50 * MB };

export function makeMediaShelf(deps: Deps): MediaShelf {
  const { files, fetch, media, mostBytes = MOST_BYTES, timeoutMs = 30_000, atOnce = 6 } = deps;
  const queue = new PQueue({ concurrency: atOnce });
  return {
    keep: (workspaceId, url, type, signal) => queue.add(() => keep(workspaceId, url, type, signal)),
    read,
    remove: (originUrl) => files.remove([pathOf(originUrl)]),
  };

  async function keep(workspaceId: string, url: string, type: MediaType, signal?: AbortSignal) {
    const page = await fetched(url, type, signal);
    const format = checked(page, url, type);
    const sha256 = createHash('sha256').update(page.body).digest('hex');
    // The type is part of the name: what Telegram keeps as a photo it does not send as a document.
    const blobRef = `${type}-${sha256}`;
    const path = `autopost/${folderOf(workspaceId)}/${blobRef}.${format.extension}`;
    const kept = { blobRef, sha256, contentType: format.contentType, sizeBytes: page.body.length };
    // Before the file: a concurrent removal of the same one as unused is done then, or leaves it alone.
    await media.saveOrigin(workspaceId, { ...kept, originUrl: addressOf(path, page.url) });
    // Written even if it is known: were the file lost, this is how it comes back.
    await files.save(path, page.body, format.contentType);
    return kept;
  }

  async function fetched(url: string, type: MediaType, signal?: AbortSignal): Promise<FetchedPage> {
    try {
      const call = { headers: { accept: '*/*' }, mostBytes: mostBytes[type], timeoutMs, signal };
      const page = await fetch(url, call);
      const isBusy = page.status >= 500 || page.status === 429 || page.status === 408;
      if (isBusy) throw new MediaUnavailable(url, 'no-answer', `status ${page.status}`);
      if (page.status !== 200) throw new MediaUnavailable(url, 'not-found', `status ${page.status}`);
      return page;
    } catch (error) {
      if (error instanceof AddressRefused) throw new MediaUnavailable(url, 'refused-address', error);
      if (error instanceof AnswerTooLarge) throw new MediaUnavailable(url, 'too-large', error);
      if (error instanceof SiteUnreachable)
        throw new MediaUnavailable(url, error.reason === 'redirects' ? 'not-found' : 'no-answer', error);
      throw error;
    }
  }

  async function read(originUrl: string): Promise<ShelvedFile | null> {
    const path = pathOf(originUrl);
    const bytes = await files.read(path);
    if (bytes === null) return null;
    const fileName = decodeURIComponent(new URL(originUrl).hash.slice(1)) || path.slice(-20);
    const contentType = mediaFormat(bytes)?.contentType;
    return contentType === undefined ? { bytes, fileName } : { bytes, fileName, contentType };
  }
}

/** A file is whatever it is; everything else has to be what it was called. */
function checked({ body }: FetchedPage, url: string, type: MediaType): Omit<MediaFormat, 'type'> {
  if (body.length === 0) throw new MediaUnavailable(url, 'empty');
  const format = mediaFormat(body);
  if (format === null && looksLikePage(body) && !/\.html?$/iu.test(new URL(url).pathname))
    throw new MediaUnavailable(url, 'a-page');
  if (type !== 'file' && format?.type !== type) throw new MediaUnavailable(url, 'wrong-type');
  return format ?? { extension: 'bin', contentType: 'application/octet-stream' };
}

const SCHEME = 'shelf:';
const LONGEST_NAME = 100;

/** With the name the file had: readers of a channel see it. */
function addressOf(path: string, url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = decoded(last)
    .replace(/[\p{Cc}\p{Cs}/\\]/gu, '')
    .slice(-LONGEST_NAME);
  return `${SCHEME}${path}${name === '' ? '' : `#${encodeURIComponent(name.toWellFormed())}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not percent-encoded UTF-8: then it is a name as it stands
  }
}

function pathOf(originUrl: string): string {
  if (!originUrl.startsWith(SCHEME))
    throw new TypeError(`Expected an address on the shelf, got "${originUrl}"`);
  return originUrl.slice(SCHEME.length).replace(/#.*$/u, '');
}

/** Workspaces are named by people; folders are not. */
const folderOf = (workspaceId: string): string =>
  /^[\w-]{1,64}$/u.test(workspaceId)
    ? workspaceId
    : createHash('sha256').update(workspaceId).digest('hex').slice(0, 32);
