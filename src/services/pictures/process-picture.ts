import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createDarkroom } from '../../workers/darkroom.ts';
import { type PictureFormat, pictureFormat, webp } from './picture-format.ts';

type ProcessedPicture = {
  bytes: Buffer;
  width: number;
  height: number;
  extension: string;
  contentType: string;
};

/** The bytes are no picture, or one that no reader could open. */
export class NotAPicture extends AppError {
  readonly code = 'NOT_A_PICTURE';
  readonly userMessage = 'Это не похоже на картинку. Пришлите файл PNG, JPEG или WebP.';
  constructor(why: string, cause?: unknown) {
    super(why);
    this.cause = cause;
  }
}

const darkroom = createDarkroom();

/** Sharper, livelier, as WebP. When that fails, the picture stays as it came (E33). */
export async function processPicture(bytes: Uint8Array, log: Log): Promise<ProcessedPicture> {
  const original = formatOf(bytes);
  try {
    const enhanced = await darkroom.develop('enhance', bytes);
    return { ...enhanced, bytes: asBuffer(enhanced.bytes), ...webp };
  } catch (error) {
    const size = await readableSize(bytes);
    log.warn({ err: error, ...size, format: original.extension }, 'a picture was kept in its own format');
    return { bytes: Buffer.from(bytes), ...size, ...original };
  }
}

/** For the platforms that take no WebP. */
export const toJpeg = (bytes: Uint8Array): Promise<Buffer> => developed('jpeg', bytes);

/** Two to three, whatever shape it was drawn in. */
export const toPin = (bytes: Uint8Array): Promise<Buffer> => developed('pin', bytes);

async function developed(treatment: 'jpeg' | 'pin', bytes: Uint8Array): Promise<Buffer> {
  formatOf(bytes);
  try {
    return asBuffer((await darkroom.develop(treatment, bytes)).bytes);
  } catch (cause) {
    throw new NotAPicture('a picture that cannot be turned into JPEG', cause);
  }
}

/** A person's own photo, to be kept and published as it is. */
export async function toKeptPhoto(
  bytes: Uint8Array,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  formatOf(bytes);
  try {
    const photo = await darkroom.develop('photo', bytes);
    return { ...photo, bytes: asBuffer(photo.bytes) };
  } catch (cause) {
    throw new NotAPicture('a photo that cannot be opened', cause);
  }
}

/** Asked before anything is decoded: the library under sharp also opens documents, vector drawings and the like. */
function formatOf(bytes: Uint8Array): PictureFormat {
  const format = pictureFormat(bytes);
  if (!format) throw new NotAPicture(`${bytes.length} bytes that begin like no picture we know`);
  return format;
}

async function readableSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    const { width, height } = await darkroom.develop('measure', bytes);
    return { width, height };
  } catch (cause) {
    throw new NotAPicture('a picture that cannot be decoded', cause);
  }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
