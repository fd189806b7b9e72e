import { describe, expect, it } from 'vitest';
import type { ReviewQuantity } from '../../../machines/review-generation.ts';
import type { AnswerTo } from '../../../src/services/ai/answers.ts';
import { makeWriteReviews } from '../../../src/services/category/write-reviews.ts';
import { declaredVariables } from '../ai/declared-variables.ts';
import { fakeAsk } from '../ai/fake-ask.ts';
import { keptStages } from '../ai/kept-stages.ts';
import { brief } from '../posts/flower-shop.ts';

type Review = AnswerTo<'review'>['reviews'][number];

const today = new Date('2026-05-20T09:00:00Z');
const review = (part: Partial<Review> = {}): Review => ({
  author: 'Марина К.',
  date: '2026-04-11',
  rating: 5,
  text: 'Привезли вовремя, пионы стояли неделю.',
  pros: 'Свежие',
  cons: '',
  ...part,
});
const three = (part: Partial<Review> = {}) => [
  review(part),
  review({ text: 'Розы.' }),
  review({ text: 'Астры.' }),
];

function reviewing(reviews: Review[]) {
  const { ask, questions } = fakeAsk({ review: [{ reviews }] });
  const writeReviews = makeWriteReviews({ ask, now: () => today });
  const write = (quantity: ReviewQuantity = 3) =>
    writeReviews({
      brief,
      quantity,
      userId: 7,
      stage: keptStages().run,
      signal: new AbortController().signal,
    });
  return { write, questions };
}

describe('reviews', () => {
  it('are written from what is known of the company', async () => {
    const { write, questions } = reviewing(three());
    await write();
    expect(questions).toMatchObject([
      {
        task: 'review',
        variables: {
          quantity: 3,
          current_date: '2026-05-20',
          city: 'Казань',
          advantages: 'Свои теплицы',
          prices_excerpt: brief.topic.prices,
        },
      },
    ]);
    expect(Object.keys(questions[0]?.variables ?? {}).sort()).toEqual(declaredVariables('review_v2'));
  });

  it('are marked as samples, every one of them', async () => {
    const { write } = reviewing(three());
    const { reviews, missing } = await write();
    expect(reviews[0]).toEqual({ ...review(), sample: true });
    expect(reviews.map(({ sample }) => sample)).toEqual([true, true, true]);
    expect(missing).toBe(0);
  });

  it('are no more than were asked for', async () => {
    const { write } = reviewing([...three(), review({ text: 'Лишний.' })]);
    expect((await write()).reviews).toHaveLength(3);
  });

  it('are counted as missing when there are fewer', async () => {
    const { write } = reviewing(three());
    expect((await write(10)).missing).toBe(7);
  });

  it.each<[string, Partial<Review>]>([
    ['with no text', { text: ' <br> ' }],
    ['with no author', { author: '' }],
    ['with half a star', { rating: 4.5 }],
    ['with no stars', { rating: 0 }],
    ['with six stars', { rating: 6 }],
    ['said before', { text: 'Розы.' }],
    ['with places left to fill in', { cons: '[вставьте минусы]' }],
  ])('are missing when one came %s', async (_, part) => {
    const { write } = reviewing(three(part));
    const { reviews, missing } = await write();
    expect(reviews).toHaveLength(2);
    expect(missing).toBe(1);
  });

  it('are a failure when none can be used', async () => {
    const { write } = reviewing([review({ text: '' })]);
    await expect(write()).rejects.toMatchObject({ name: 'AiFailed', reason: 'unusable' });
  });

  it('are plain text', async () => {
    const { write } = reviewing(three({ text: '**Отлично** &mdash; беру ещё', author: '<b>Олег Р.</b>' }));
    expect((await write()).reviews[0]).toMatchObject({ text: 'Отлично — беру ещё', author: 'Олег Р.' });
  });

  it('are warned about when they name a price that is not on the list', async () => {
    const { write } = reviewing(three({ pros: 'Всего 90 руб.' }));
    expect((await write()).warnings).toMatchObject([{ code: 'price-not-listed', rubles: 90 }]);
  });
});

describe('the date of a review', () => {
  it.each([
    ['2026-05-20', '2026-05-20'],
    ['2025-11-20', '2025-11-20'],
    ['5.03.2026', '2026-03-05'],
    ['05.03.2026', '2026-03-05'],
    ['2026-03-05T12:00:00Z', '2026-03-05'],
  ])('%s is %s', async (date, expected) => {
    const { write } = reviewing(three({ date }));
    expect((await write()).reviews[0]?.date).toBe(expected);
  });

  it.each(['2026-05-21', '2023-01-01', '2026-02-30', 'вчера', ''])(
    'is another day of the last six months when the model says %j',
    async (date) => {
      const { write } = reviewing(three().map((one) => ({ ...one, date })));
      const dates = (await write()).reviews.map((one) => one.date);
      expect(dates).toEqual(['2026-04-04', '2026-02-17', '2026-01-02']);
    },
  );
});
