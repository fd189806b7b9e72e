import { describe, expect, it } from 'vitest';
import { articleLength } from '../../../src/services/article/article-length.ts';

describe('the length of an article', () => {
  it('is what the person chose, whatever the competitors write', () => {
    expect(articleLength({ min: 300, max: 700 }, [4_000, 4_000, 4_000])).toEqual({ min: 300, max: 700 });
  });

  it('is a tenth above the median of the competitors', () => {
    expect(articleLength(null, [9_000, 2_000, 100])).toEqual({ min: 2_200, max: 2_700 });
  });

  it('takes the middle of two', () => {
    expect(articleLength(null, [2_000, 3_000])).toEqual({ min: 2_750, max: 3_250 });
  });

  it('is never below 1500 because of short competitors', () => {
    expect(articleLength(null, [300, 400, 500])).toEqual({ min: 1_500, max: 2_000 });
  });

  it('is never above 5000 because of long ones', () => {
    expect(articleLength(null, [20_000])).toEqual({ min: 4_500, max: 5_000 });
  });

  it('is the usual one when no competitor could be read (E31a)', () => {
    expect(articleLength(null, [])).toEqual({ min: 1_500, max: 2_500 });
  });
});
