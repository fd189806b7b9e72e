import type { MediaType } from '../../platforms/messenger/messenger.ts';
import { pictureFormat } from '../../services/pictures/picture-format.ts';

export type MediaFormat = { type: MediaType; extension: string; contentType: string };

/** By their first bytes in hex: names and headers may lie. Pictures have a table of their own. */
const formats: readonly (MediaFormat & { begins: RegExp })[] = [
  { type: 'audio', extension: 'm4a', contentType: 'audio/mp4', begins: /^.{8}667479704d3441/u },
  { type: 'video', extension: 'mov', contentType: 'video/quicktime', begins: /^.{8}6674797071742020/u },
  { type: 'video', extension: 'mp4', contentType: 'video/mp4', begins: /^.{8}66747970/u },
  { type: 'video', extension: 'webm', contentType: 'video/webm', begins: /^1a45dfa3/u },
  { type: 'video', extension: 'avi', contentType: 'video/x-msvideo', begins: /^52494646.{8}41564920/u },
  { type: 'audio', extension: 'mp3', contentType: 'audio/mpeg', begins: /^(?:494433|fff[23ab])/u },
  { type: 'audio', extension: 'ogg', contentType: 'audio/ogg', begins: /^4f676753/u },
  { type: 'audio', extension: 'wav', contentType: 'audio/wav', begins: /^52494646.{8}57415645/u },
  { type: 'audio', extension: 'flac', contentType: 'audio/flac', begins: /^664c6143/u },
  { type: 'file', extension: 'pdf', contentType: 'application/pdf', begins: /^25504446/u },
];
const LONGEST_BEGINNING = 12;

export function mediaFormat(bytes: Uint8Array): MediaFormat | null {
  const picture = pictureFormat(bytes);
  if (picture) return { type: 'image', ...picture };
  const head = Buffer.from(bytes.subarray(0, LONGEST_BEGINNING)).toString('hex');
  const found = formats.find(({ begins }) => begins.test(head));
  return found ? { type: found.type, extension: found.extension, contentType: found.contentType } : null;
}

/** A page is what a missing file, a login or a notice of a blocked site looks like. */
export const looksLikePage = (bytes: Uint8Array): boolean =>
  /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/iu.test(
    Buffer.from(bytes.subarray(0, 1_024)).toString('latin1').replace(/^ï»¿/u, ''),
  );
