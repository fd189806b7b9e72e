export type FileKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'pdf' | 'zip' | 'ogg' | 'text' | 'other';

const signatures: readonly (readonly [FileKind, (bytes: Buffer) => boolean])[] = [
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['webp', (bytes) => starts(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['gif', (bytes) => starts(bytes, 'GIF8')],
  ['pdf', (bytes) => starts(bytes, '%PDF-')],
  // Workbooks and documents of Office are archives too; what is inside, their reader finds out.
  ['zip', (bytes) => starts(bytes, 'PK\x03\x04')],
  ['ogg', (bytes) => starts(bytes, 'OggS')],
  ['text', isText],
];

export const everyFileKind: readonly FileKind[] = [...signatures.map(([kind]) => kind), 'other'];

/** What a file is by its bytes, whatever its sender says of it. */
export const fileKind = (bytes: Buffer): FileKind =>
  signatures.find(([, matches]) => matches(bytes))?.[0] ?? 'other';

const names: Record<Exclude<FileKind, 'other'>, string> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  pdf: 'PDF',
  zip: 'файл Excel (.xlsx)',
  ogg: 'голосовое сообщение',
  text: 'текстовый файл (.txt или .csv)',
};

/** For the person: «JPEG, PNG или WebP». */
export function fileKindNames(kinds: readonly FileKind[]): string {
  const words = kinds.filter((kind) => kind !== 'other').map((kind) => names[kind]);
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' или ');
}

const starts = (bytes: Buffer, text: string): boolean => bytes.toString('latin1', 0, text.length) === text;

/** Of any encoding: lists of phrases still come in Windows-1251. Control characters no text has. */
function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
}
