import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHtml } from '../../../src/services/quality/read-html.ts';
import {
  fromSigned,
  hammingDistance,
  isSimilar,
  simhash,
  toSigned,
} from '../../../src/services/quality/simhash.ts';
import { badArticle } from './bad-article.ts';
import { goodArticle } from './good-article.ts';

const textOf = (html: string) =>
  readHtml(html)
    .blocks.map(({ text }) => text)
    .join('\n');
const good = textOf(goodArticle.html);
const goodHash = simhash(good);
const hash64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('the fingerprint of a text', () => {
  it('is the same for the same text, and fits 64 bits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(simhash(text)).toBe(simhash(text));
        expect(BigInt.asUintN(64, simhash(text))).toBe(simhash(text));
      }),
    );
  });

  it('does not change between releases: stored ones must stay comparable', () => {
    expect(simhash('Свадебные букеты из пионов')).toBe(9228016388205990336n);
  });

  it('does not mind letter case and grammatical form', () => {
    expect(simhash('Свадебный букет невесты')).toBe(simhash('СВАДЕБНЫЕ букеты невесте'));
  });

  it('E46: is similar when one word of an article changed', () => {
    expect(isSimilar(simhash(good), simhash(good.replace('субботу', 'среду')))).toBe(true);
  });

  it('E46: is near when any one word of an article changed', () => {
    const words = good.split(' ');
    fc.assert(
      fc.property(fc.nat(words.length - 1), (at) => {
        const changed = words.with(at, 'ромашка').join(' ');
        expect(hammingDistance(goodHash, simhash(changed))).toBeLessThanOrEqual(8);
      }),
      { numRuns: 30 },
    );
  });

  it('E46: is not similar for another article', () => {
    expect(isSimilar(simhash(good), simhash(textOf(badArticle.html)))).toBe(false);
  });

  it.each([
    [0b111n, true],
    [0b1111n, false],
  ])('E46: differing in the bits %s is similar: %s', (bits, similar) => {
    expect(isSimilar(simhash(good), simhash(good) ^ bits)).toBe(similar);
  });
});

describe('the distance of fingerprints', () => {
  it('is symmetric, and zero from itself', () => {
    fc.assert(
      fc.property(hash64, hash64, (one, other) => {
        expect(hammingDistance(one, other)).toBe(hammingDistance(other, one));
        expect(hammingDistance(one, one)).toBe(0);
      }),
    );
  });

  it('is the same for the signed form that the database keeps', () => {
    fc.assert(
      fc.property(hash64, hash64, (one, other) => {
        expect(hammingDistance(toSigned(one), toSigned(other))).toBe(hammingDistance(one, other));
      }),
    );
  });
});

it('a fingerprint survives the signed column, as bigint and as text', () => {
  fc.assert(
    fc.property(hash64, (hash) => {
      expect(toSigned(hash)).toBeGreaterThanOrEqual(-(2n ** 63n));
      expect(toSigned(hash)).toBeLessThan(2n ** 63n);
      expect(fromSigned(toSigned(hash))).toBe(hash);
      expect(fromSigned(String(toSigned(hash)))).toBe(hash);
    }),
  );
});
