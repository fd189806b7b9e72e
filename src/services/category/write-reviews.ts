import type { ReviewQuantity, SampleReview } from '../../../machines/review-generation.ts';
import type { RunStage } from '../../engine/operations.ts';
import { AiFailed } from '../../errors.ts';
import type { AnswerTo } from '../ai/answers.ts';
import type { AskModel } from '../ai/ask.ts';
import { toPlainText } from '../posts/plain-text.ts';
import { type Brief, companyFacts, companyVariables, pricesExcerpt } from '../projects/brief.ts';
import { checkFacts, type FactWarning } from '../quality/check-facts.ts';
import { placeholdersIn } from '../quality/validate-content.ts';

type ReviewsWanted = {
  brief: Brief;
  quantity: ReviewQuantity;
  /** Texts of the set that was declined. */
  previous?: readonly string[];
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
};

type WrittenReviews = {
  reviews: SampleReview[];
  /** How many of those asked for did not come: they are not paid for. */
  missing: number;
  warnings: FactWarning[];
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
};

export type WriteReviews = ReturnType<typeof makeWriteReviews>;

export const makeWriteReviews =
  ({ ask, now = () => new Date() }: { ask: AskModel; now?: () => Date }) =>
  ({ brief, quantity, previous = [], userId, stage, signal }: ReviewsWanted): Promise<WrittenReviews> =>
    stage('reviews', async () => {
      const today = now();
      const { company_name, specialization, company_description, advantages, language } =
        companyVariables(brief);
      const answer = await ask('review', {
        userId,
        signal,
        variables: {
          ...{ company_name, specialization, company_description, advantages, language },
          quantity,
          current_date: isoDay(today),
          city: brief.company.city,
          prices_excerpt: pricesExcerpt(brief.topic.prices, 'other'),
          previous_text: previous.join('\n').slice(0, MOST_PREVIOUS),
        },
      });
      const reviews = usableReviews(answer.content.reviews, quantity, today);
      if (reviews.length === 0) throw new AiFailed('unusable', 'none of the reviews can be used');
      const { modelUsed, promptVersion, generationTimeMs } = answer;
      return {
        reviews,
        missing: quantity - reviews.length,
        warnings: reviews.flatMap((review) => checkFacts(spoken(review), companyFacts(brief))),
        modelUsed,
        promptVersion,
        generationTimeMs,
      };
    });

/** Enough to know what not to say again. */
const MOST_PREVIOUS = 2_000;

type WrittenReview = AnswerTo<'review'>['reviews'][number];

function usableReviews(written: readonly WrittenReview[], quantity: number, today: Date): SampleReview[] {
  const texts = new Set<string>();
  const usable = written.map(cleaned).filter((review) => {
    const repeated = texts.has(review.text);
    texts.add(review.text);
    return isUsable(review) && !repeated;
  });
  return usable.slice(0, quantity).map((review, i) => ({
    ...review,
    date: recentDay(review.date, today) ?? spreadDay(i, quantity, today),
    sample: true,
  }));
}

const cleaned = ({ author, date, rating, text, pros, cons }: WrittenReview): WrittenReview => ({
  author: toPlainText(author).replace(/\s+/gu, ' '),
  date: date.trim(),
  rating,
  text: toPlainText(text),
  pros: toPlainText(pros),
  cons: toPlainText(cons),
});

const isUsable = (review: WrittenReview): boolean =>
  review.author !== '' &&
  review.text !== '' &&
  [1, 2, 3, 4, 5].includes(review.rating) &&
  placeholdersIn(`${review.author}\n${spoken(review)}`).length === 0;

const spoken = ({ text, pros, cons }: Pick<WrittenReview, 'text' | 'pros' | 'cons'>): string =>
  [text, pros, cons].join('\n');

const DAY_MS = 86_400_000;
/** Six months, as far as days count. */
const RECENT_DAYS = 183;

/** `2026-03-05` or `05.03.2026`, if it is a day of the last six months. */
function recentDay(date: string, today: Date): string | null {
  const iso = date.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u,
    (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );
  const day = /^\d{4}-\d{2}-\d{2}/u.exec(iso)?.[0];
  const at = day === undefined ? null : new Date(`${day}T00:00:00Z`);
  // 2026-02-30 is read as the second of March.
  if (at === null || Number.isNaN(at.getTime()) || isoDay(at) !== day) return null;
  const age = (Date.parse(isoDay(today)) - at.getTime()) / DAY_MS;
  return age >= 0 && age <= RECENT_DAYS ? day : null;
}

/** Models do not know what day it is. A sample without a usable date gets one of its own from the same months. */
const spreadDay = (index: number, quantity: number, today: Date): string =>
  isoDay(new Date(today.getTime() - Math.ceil(((index + 1) * RECENT_DAYS) / (quantity + 1)) * DAY_MS));

const isoDay = (at: Date): string => at.toISOString().slice(0, 10);
