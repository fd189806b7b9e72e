import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_REVIEWS, ReviewsRefused, readReviews } from '../../../src/services/category/read-reviews.ts';
import type { RealReview } from '../../../src/services/category/stored-review.ts';

const real = (text: string, author = ''): RealReview => ({ author, text, real: true });

describe('pasted reviews', () => {
  it('are one per paragraph, and lines of one paragraph are one review', () => {
    expect(readReviews('Привезли за час,\nвсё свежее.\r\n\r\n \nСпасибо за букет!')).toEqual([
      real('Привезли за час, всё свежее.'),
      real('Спасибо за букет!'),
    ]);
  });

  it.each([
    ['above', 'Анна К.\nПривезли за час, всё свежее.'],
    ['above, with a colon', 'Анна К.:\nПривезли за час, всё свежее.'],
    ['below, behind a dash', 'Привезли за час, всё свежее.\n— Анна К.'],
  ])('may have their author %s', (_, text) => {
    expect(readReviews(text)).toEqual([real('Привезли за час, всё свежее.', 'Анна К.')]);
  });

  it('do not take a sentence for a name', () => {
    expect(readReviews('Очень понравилось!\nПривезли за час.')[0]).toMatchObject({ author: '' });
  });

  it.each([
    ['', 'нет ни одного отзыва'],
    ['Спасибо за букет!\n\nок', 'Отзыв 2 слишком короткий: «ок»'],
    ['а'.repeat(2_001), 'Отзыв 1 слишком длинный'],
    [Array.from({ length: 51 }, (_, i) => `Отзыв номер ${i}`).join('\n\n'), 'слишком много: 51'],
    ['12345678901', 'слишком короткий'],
  ])('are refused with the reason: %.20j', (text, reason) => {
    expect(() => readReviews(text)).toThrow(
      expect.objectContaining({ userMessage: expect.stringContaining(reason) }),
    );
  });

  it('are read or refused whatever they are, and say the same when they are written down and read again', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\n\n', '\r\n', ' ', '— ', 'Анна К.', 'Анна:', 'Хороший букет', '.', '\u200B'),
      fc.string({ unit: 'binary', maxLength: 15 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let once: RealReview[];
        try {
          once = readReviews(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ReviewsRefused);
          return;
        }
        expect(once.length).toBeLessThanOrEqual(MOST_REVIEWS);
        const printed = once.map(({ author, text }) => (author === '' ? text : `${author}\n${text}`));
        expect(readReviews(printed.join('\n\n'))).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });
});
