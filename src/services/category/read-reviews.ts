import { AppError } from '../../errors.ts';
import type { RealReview } from './stored-review.ts';

export const MOST_REVIEWS = 50;
const SHORTEST = 10;
const LONGEST = 2_000;
const LONGEST_AUTHOR = 40;

export class ReviewsRefused extends AppError {
  readonly code = 'REVIEWS_REFUSED';
  readonly userMessage: string;
  constructor(userMessage: string) {
    super('pasted reviews were refused');
    this.userMessage = userMessage;
  }
}

/** Reviews of customers as a person pastes them: one per paragraph, the author on a line of its own if there is one. */
export function readReviews(text: string): RealReview[] {
  const paragraphs = text
    .replace(/\r\n?/gu, '\n')
    .replace(/[\p{Cf}]/gu, '')
    .split(/\n[^\S\n]*\n/u)
    .map((paragraph) => paragraph.split('\n').map(oneLine).filter(Boolean))
    .filter((lines) => lines.length > 0);
  if (paragraphs.length === 0) throw new ReviewsRefused('Здесь нет ни одного отзыва.');
  if (paragraphs.length > MOST_REVIEWS)
    throw new ReviewsRefused(
      `Отзывов слишком много: ${paragraphs.length}. Пришлите до ${MOST_REVIEWS} за раз.`,
    );
  return paragraphs.map((lines, index) => {
    const review = reviewIn(lines);
    const length = [...review.text].length;
    if (length < SHORTEST || !/\p{L}/u.test(review.text))
      throw new ReviewsRefused(
        `Отзыв ${index + 1} слишком короткий: «${review.text}». Отделяйте отзывы пустой строкой.`,
      );
    if (length > LONGEST)
      throw new ReviewsRefused(`Отзыв ${index + 1} слишком длинный: уложитесь в ${LONGEST} символов.`);
    return review;
  });
}

/** «Анна К.» above or «— Анна К.» below the text. */
function reviewIn(lines: string[]): RealReview {
  const [first = '', ...rest] = lines;
  const last = lines.at(-1) ?? '';
  const signature = /^[—–-]\s*(\S.*)$/u.exec(last)?.[1];
  if (lines.length > 1 && signature !== undefined && isName(signature))
    return { author: signature, text: lines.slice(0, -1).join(' '), real: true };
  if (rest.length > 0 && isName(first.replace(/:$/u, '')))
    return { author: first.replace(/:$/u, ''), text: rest.join(' '), real: true };
  return { author: '', text: lines.join(' '), real: true };
}

/** Up to four words, each with a capital letter. */
const isName = (line: string): boolean =>
  [...line].length <= LONGEST_AUTHOR && /^\p{Lu}[\p{L}-]*\.?(?:,? \p{Lu}[\p{L}-]*\.?){0,3}$/u.test(line);

const oneLine = (line: string): string => line.replace(/[\p{Cc}\s]+/gu, ' ').trim();
