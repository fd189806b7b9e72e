import { BadToken, decrypt, encrypt, readKey } from '../fernet.ts';

export type Sealing = ReturnType<typeof createSealing>;

/** A sealed text that was copied from another place: it is whole, and it does not belong here. */
export class WrongPlace extends Error {
  override readonly name = 'WrongPlace';
}

/**
 * Secrets at rest. What is sealed names the place it belongs to, a row or a dialogue, so that a token copied elsewhere
 * does not open. The first key writes, all of them read: a new key goes in front, and `reseal` retires the old one.
 */
export function createSealing(keyTexts: readonly string[]) {
  const keys = keyTexts.map((text) => {
    const key = readKey(text);
    if (!key) throw new TypeError('Expected keys of 32 bytes in base64url');
    return key;
  });
  const [writing] = keys;
  if (!writing) throw new TypeError('Expected at least one key');
  return { seal, open, reseal };

  function seal(place: string, content: unknown): string {
    return encrypt(writing!, JSON.stringify({ place, content }));
  }

  function open(place: string, token: string): unknown {
    const { place: sealedFor, content } = JSON.parse(opened(token)) as { place?: unknown; content?: unknown };
    if (sealedFor !== place) throw new WrongPlace(`sealed for another place than "${place}"`);
    return content;
  }

  /** The same content under the first key; null when it already is. */
  function reseal(token: string): string | null {
    try {
      decrypt(writing!, token);
      return null;
    } catch (error) {
      if (!(error instanceof BadToken)) throw error;
      return encrypt(writing!, opened(token));
    }
  }

  function opened(token: string): string {
    for (const key of keys) {
      try {
        return decrypt(key, token);
      } catch (error) {
        if (!(error instanceof BadToken)) throw error;
      }
    }
    throw new BadToken('none of the keys opens it');
  }
}
