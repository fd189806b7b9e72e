import { hash } from 'node:crypto';
import { type Language, russian, stems } from './russian-text.ts';

const BITS = 64;
const SHINGLE_WORDS = 3;

/** Texts this near tell the same thing in the same words (E46). */
export const SIMILAR_WITHIN = 3;

/** A 64-bit fingerprint: near texts have near fingerprints. Grammatical form makes no difference. */
export function simhash(text: string, language: Language = russian): bigint {
  const balance = new Int32Array(BITS);
  for (const shingle of shinglesOf(stems(text, language))) {
    const digest = hash('md5', shingle, 'buffer');
    for (let bit = 0; bit < BITS; bit++) {
      // Little-endian: bit 0 is the lowest of the first byte.
      balance[bit]! += (digest[bit >> 3]! >> (bit & 7)) & 1 ? 1 : -1;
    }
  }
  return balance.reduce((hash, weight, bit) => (weight > 0 ? hash | (1n << BigInt(bit)) : hash), 0n);
}

export function hammingDistance(one: bigint, other: bigint): number {
  let differing = BigInt.asUintN(BITS, one ^ other);
  let distance = 0;
  for (; differing > 0n; differing &= differing - 1n) distance += 1;
  return distance;
}

export const isSimilar = (one: bigint, other: bigint): boolean =>
  hammingDistance(one, other) <= SIMILAR_WITHIN;

/** PostgreSQL has no unsigned bigint. Its text form goes back through here too: a JS number would lose bits. */
export const toSigned = (hash: bigint): bigint => BigInt.asIntN(BITS, hash);
export const fromSigned = (stored: bigint | string): bigint => BigInt.asUintN(BITS, BigInt(stored));

function shinglesOf(parts: readonly string[]): string[] {
  if (parts.length <= SHINGLE_WORDS) return parts.length === 0 ? [] : [parts.join(' ')];
  return parts.slice(SHINGLE_WORDS - 1).map((_, i) => parts.slice(i, i + SHINGLE_WORDS).join(' '));
}
