import type { SampleReview } from '../../../machines/review-generation.ts';

/** ★★★★☆ */
export const stars = (rating: number): string => '★'.repeat(rating) + '☆'.repeat(5 - rating);

/** A sample as plain text, for the file. */
export const sampleAsText = ({ author, date, rating, text, pros, cons }: SampleReview): string =>
  [
    `${stars(rating)} ${author}, ${date.split('-').reverse().join('.')}`,
    text,
    pros && `Плюсы: ${pros}`,
    cons && `Минусы: ${cons}`,
  ]
    .filter(Boolean)
    .join('\n');

export const shortened = (text: string, most: number): string =>
  [...text].length <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
