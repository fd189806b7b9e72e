import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { articleEstimate, postEstimate, settled, textPrice, total } from '../src/prices.ts';

describe('prices', () => {
  it('count every hundred words begun', () => {
    expect([0, 1, 100, 101, 2_000].map(textPrice)).toEqual([0, 10, 10, 20, 200]);
  });

  it('of a usual article are 320 tokens', () => {
    expect(total(articleEstimate({ min: 1_500, max: 2_500 }, 4))).toBe(320);
  });

  it('of a usual post are 40 tokens', () => {
    expect(total(postEstimate({ min: 100, max: 300 }, 1))).toBe(40);
  });

  it('return what a shorter text and missing pictures did not cost', () => {
    const confirmed = articleEstimate({ min: 1_500, max: 2_500 }, 4);
    expect(settled(confirmed, { words: 1_640, images: 3 })).toEqual({ text: 170, images: 90 });
  });

  it('never settle above what was confirmed, nor below nothing', () => {
    const count = fc.nat(10_000);
    fc.assert(
      fc.property(count, count, fc.nat(10), count, fc.nat(20), (low, more, pictures, words, images) => {
        const confirmed = articleEstimate({ min: low, max: low + more }, pictures);
        const due = settled(confirmed, { words, images });
        expect(due.text).toBeLessThanOrEqual(confirmed.text);
        expect(due.images).toBeLessThanOrEqual(confirmed.images);
        expect(Math.min(due.text, due.images)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
