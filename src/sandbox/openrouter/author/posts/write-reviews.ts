import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { makeChance } from '../chance.ts';
import { authors, reviewTexts } from '../material/reviews.ts';
import { numberOf, type Tags } from '../read-tags.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 170;

/** Samples that differ in author, date, subject and length; about three in five give the highest rating. */
export function writeReviews(tags: Tags): AnswerTo<'review'> {
  const quantity = numberOf(tags('quantity'), 3);
  const chance = makeChance(
    `review|${tags('company_name')}|${tags('specialization')}|${tags('previous_text')}`,
  );
  const names = chance.shuffled(authors);
  const texts = {
    5: chance.shuffled(reviewTexts[5]),
    4: chance.shuffled(reviewTexts[4]),
    3: chance.shuffled(reviewTexts[3]),
  };
  const today = Date.parse(tags('current_date'));
  const step = Math.max(1, Math.floor(MOST_DAYS / quantity));

  const reviews = chance.shuffled(ratings(quantity)).map((rating, i) => {
    const { text, pros, cons } = next(texts[rating]);
    const date = Number.isNaN(today)
      ? ''
      : new Date(today - (i * step + chance.between(1, step)) * DAY_MS).toISOString().slice(0, 10);
    return { author: names[i % names.length]!, date, rating, text, pros, cons };
  });
  return { reviews };
}

/** More reviews than texts: the first comes round again. */
function next<Item>(queue: Item[]): Item {
  const item = queue.shift()!;
  queue.push(item);
  return item;
}

/** Three: 5, 5, 4. Five: 5, 5, 5, 4, 3. Ten: six, two and two. */
function ratings(quantity: number): (3 | 4 | 5)[] {
  const threes = Math.floor(quantity / 5);
  const fours = quantity < 2 ? 0 : Math.max(1, Math.round(quantity * 0.25) - (quantity >= 10 ? 1 : 0));
  return Array.from({ length: quantity }, (_, i) => (i < threes ? 3 : i < threes + fours ? 4 : 5));
}
