import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Fernet tokens: base64url of version ‖ time ‖ IV ‖ AES-128-CBC ‖ HMAC-SHA256. The key's first half signs, its second
 * half encrypts.
 */

const VERSION = 0x80;
const TIME_AT = 1;
const IV_AT = 9;
const BODY_AT = 25;
const BLOCK = 16;
const SIGNATURE = 32;

type FernetKey = { readonly signing: Buffer; readonly encryption: Buffer };

/** A token that this key did not make, or that was changed since. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

/** 32 bytes in base64url, or null for anything else. */
export function readKey(text: string): FernetKey | null {
  const bytes = Buffer.from(text.trim(), 'base64url');
  if (bytes.length !== 32 || !/^[\w-]{43}=?$/u.test(text.trim())) return null;
  return { signing: bytes.subarray(0, 16), encryption: bytes.subarray(16) };
}

export function encrypt(
  key: FernetKey,
  text: string,
  { now = Date.now(), iv = randomBytes(BLOCK) }: { now?: number; iv?: Buffer } = {},
): string {
  const head = Buffer.alloc(IV_AT);
  head[0] = VERSION;
  head.writeBigUInt64BE(BigInt(Math.floor(now / 1_000)), TIME_AT);
  const cipher = createCipheriv('aes-128-cbc', key.encryption, iv);
  const signed = Buffer.concat([head, iv, cipher.update(text, 'utf8'), cipher.final()]);
  return padded(Buffer.concat([signed, signatureOf(key, signed)]));
}

export function decrypt(key: FernetKey, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const bodyLength = bytes.length - BODY_AT - SIGNATURE;
  if (bytes[0] !== VERSION || bodyLength <= 0 || bodyLength % BLOCK !== 0) throw new BadToken('not a token');
  const signed = bytes.subarray(0, -SIGNATURE);
  // The signature first, in constant time: nothing is decrypted that we did not write.
  if (!timingSafeEqual(signatureOf(key, signed), bytes.subarray(-SIGNATURE)))
    throw new BadToken('wrong signature');
  const decipher = createDecipheriv('aes-128-cbc', key.encryption, signed.subarray(IV_AT, BODY_AT));
  return Buffer.concat([decipher.update(signed.subarray(BODY_AT)), decipher.final()]).toString('utf8');
}

const signatureOf = ({ signing }: FernetKey, bytes: Buffer): Buffer =>
  createHmac('sha256', signing).update(bytes).digest();

/** Other implementations insist on the padding. */
const padded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
