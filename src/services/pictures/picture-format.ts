export type PictureFormat = { extension: string; contentType: string };

/** Kinds of picture that models draw and people send, with their first bytes in hex: names and headers may lie. */
const formats: readonly (PictureFormat & { begins: RegExp })[] = [
  { extension: 'png', contentType: 'image/png', begins: /^89504e470d0a1a0a/u },
  { extension: 'jpg', contentType: 'image/jpeg', begins: /^ffd8ff/u },
  { extension: 'webp', contentType: 'image/webp', begins: /^52494646.{8}57454250/u },
  { extension: 'gif', contentType: 'image/gif', begins: /^474946383[79]61/u },
];
const LONGEST_BEGINNING = 12;

export const webp: PictureFormat = { extension: 'webp', contentType: 'image/webp' };

export function pictureFormat(bytes: Uint8Array): PictureFormat | null {
  const head = Buffer.from(bytes.subarray(0, LONGEST_BEGINNING)).toString('hex');
  const found = formats.find(({ begins }) => begins.test(head));
  return found ? { extension: found.extension, contentType: found.contentType } : null;
}
