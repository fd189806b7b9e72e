import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadToken, decrypt, encrypt, readKey } from '../../src/fernet.ts';
import { createSealing, WrongPlace } from '../../src/store/sealing.ts';

const aKey = () => randomBytes(32).toString('base64url');

describe('a Fernet token', () => {
  // The example of the Fernet specification: what others write, we read, and the other way round.
  const key = readKey('cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=')!;
  const token =
    'gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA==';

  it('is read as others write it', () => {
    expect(decrypt(key, token)).toBe('hello');
  });

  it('is written as others read it', () => {
    const iv = Buffer.from([...Array(16).keys()]);
    expect(encrypt(key, 'hello', { now: 499_162_800_000, iv })).toBe(token);
  });

  it('is refused after any change', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(token, 'base64url');
        bytes[at % bytes.length]! ^= change;
        expect(() => decrypt(key, bytes.toString('base64url'))).toThrow(BadToken);
      }),
    );
  });

  it('needs a key of 32 bytes', () => {
    for (const text of ['', 'short', randomBytes(31).toString('base64url'), 'ы'.repeat(43)])
      expect(readKey(text)).toBeNull();
  });
});

describe('a sealed secret', () => {
  it('opens where it belongs and nowhere else', () => {
    const sealing = createSealing([aKey()]);
    const sealed = sealing.seal('connection:7', { password: 'abcd efgh' });
    expect(sealed).not.toContain('abcd');
    expect(sealing.open('connection:7', sealed)).toEqual({ password: 'abcd efgh' });
    expect(() => sealing.open('connection:8', sealed)).toThrow(WrongPlace);
  });

  it('opens under an old key, and is sealed anew under the first', () => {
    const [old, fresh] = [aKey(), aKey()];
    const sealed = createSealing([old]).seal('connection:7', 'secret');
    const both = createSealing([fresh, old]);
    expect(both.open('connection:7', sealed)).toBe('secret');

    const resealed = both.reseal(sealed)!;
    expect(createSealing([fresh]).open('connection:7', resealed)).toBe('secret');
    expect(both.reseal(resealed)).toBeNull();
  });

  it('does not open without its key', () => {
    const sealed = createSealing([aKey()]).seal('connection:7', 'secret');
    expect(() => createSealing([aKey()]).open('connection:7', sealed)).toThrow(BadToken);
  });

  it('needs at least one key, and only whole ones', () => {
    expect(() => createSealing([])).toThrow(TypeError);
    expect(() => createSealing([aKey(), 'no key'])).toThrow(TypeError);
  });
});
