export type DecodedText = { text: string; encoding: 'utf-8' | 'utf-16' | 'windows-1251' };

/** Text of a file: UTF-8 or UTF-16 by its mark, else UTF-8, else what Russian Windows writes. Null: no text. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' };
  if (bytes.includes(0)) return null;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1251').decode(bytes), encoding: 'windows-1251' };
  }
}
