import { DeliveryFailed } from '../../errors.ts';
import { pictureFormat } from '../../services/pictures/picture-format.ts';
import { toJpeg } from '../../services/pictures/process-picture.ts';
import { checkSize } from '../check-post.ts';
import { asFailure } from '../messenger/failures.ts';
import type { MediaSource, MediaType, SendCall, StepItem } from '../messenger/messenger.ts';
import { fileNames, messengerRules } from '../messenger/rules.ts';
import type { Max, MaxAttachment } from './client.ts';

export type UploadPolicy = Readonly<Record<MediaType, 'upload_required' | 'url_allowed'>>;

export type MaterialOptions = {
  max: Max;
  /** From our own store, or from wherever a source keeps its files. */
  download: (
    url: string,
    signal: AbortSignal | undefined,
  ) => Promise<{ bytes: Uint8Array; contentType: string }>;
  /** Only pictures can be named by their address; for the others MAX has no such field. */
  uploadPolicy?: UploadPolicy;
};

const UPLOAD_ALL: UploadPolicy = {
  image: 'upload_required',
  video: 'upload_required',
  audio: 'upload_required',
  file: 'upload_required',
};

/** A medium as MAX takes it into a message: brought there first, unless it is there. */
export function makeMaterialise({ max, download, uploadPolicy = UPLOAD_ALL }: MaterialOptions) {
  return async function materialise(token: string, item: StepItem, call: SendCall): Promise<MaxAttachment> {
    const { index, type } = item;
    if (!call.media) throw new TypeError(`Expected a source for media ${index}, got none`);
    const source = await call.media(index);
    if ('reference' in source) return { type, payload: { token: source.reference } };
    if ('url' in source && type === 'image' && uploadPolicy.image === 'url_allowed')
      return { type, payload: { url: source.url } };
    const file = await fileOf(type, source, call.signal);
    checkSize(type, file.bytes.length, messengerRules.max);
    const reference = await upload(token, type, file, call.signal);
    await call.onMaterial?.(index, reference);
    return { type, payload: { token: reference } };
  };

  /** A failed upload has shown nothing in the chat: it is safe to retry. */
  async function upload(
    token: string,
    type: MediaType,
    file: MaxUploadFile,
    signal: AbortSignal | undefined,
  ) {
    try {
      return await max.upload(token, type, file, signal);
    } catch (error) {
      throw asFailure('max', error);
    }
  }

  async function fetched(url: string, signal: AbortSignal | undefined) {
    try {
      return await download(url, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw unavailable(error);
    }
  }

  async function fileOf(
    type: MediaType,
    source: Exclude<MediaSource, { reference: string }>,
    signal: AbortSignal | undefined,
  ): Promise<MaxUploadFile> {
    const given = 'url' in source ? await fetched(source.url, signal) : source;
    const { bytes, contentType = 'application/octet-stream' } = given;
    const name = ('fileName' in given && given.fileName) || fileNames[type];
    const isWebp = type === 'image' && pictureFormat(bytes)?.extension === 'webp';
    // WebP is not among the formats that MAX names.
    if (isWebp) return { bytes: await toJpeg(bytes), fileName: 'picture.jpg', contentType: 'image/jpeg' };
    return { bytes, fileName: name, contentType };
  }
}

/** The file is not to be had now; what holds it may answer the next time. */
const unavailable = (cause: unknown): DeliveryFailed =>
  new DeliveryFailed(
    {
      ...{ category: 'TRANSIENT', scope: 'delivery', code: 'media_unavailable' },
      message: 'a file could not be read from where it is kept',
      userMessage: 'Не получилось прочитать вложение. Попробуйте ещё раз позже.',
    },
    cause,
  );

type MaxUploadFile = { bytes: Uint8Array; fileName: string; contentType: string };
