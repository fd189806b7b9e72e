import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** The same key on every instance that shares the secret; the secret itself signs nothing that leaves us. */
export const deriveSigningKey = (
  secret: string,
  purpose: 'picture addresses' | 'scheduled calls' | 'index keys',
): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
