import { beforeEach, expect, it } from 'vitest';
import type { KeyValueStore } from '../../../src/engine/key-value-store.ts';
import { RateLimited } from '../../../src/errors.ts';
import {
  type LimitedAction,
  makeRateLimits,
  rateLimits,
  SANDBOX_TIMES,
} from '../../../src/services/money/rate-limits.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';

const PERSON = 1;
const MINUTE = 60_000;

let now: number;
let limits: ReturnType<typeof makeRateLimits>;
let store: KeyValueStore;

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  store = createMemoryKeyValueStore(() => now);
  limits = makeRateLimits(store, { now: () => now });
});

it('E25: refuses the eleventh text of an hour before a model is called, and says how long to wait', async () => {
  let calls = 0;
  const write = async () => {
    await limits.take('text_generation', PERSON);
    calls += 1;
  };
  for (let text = 0; text < 10; text += 1) await write();
  now += 25 * MINUTE;

  await expect(write()).rejects.toMatchObject({
    code: 'RATE_LIMIT',
    retryAfterSec: 35 * 60,
    userMessage: 'Слишком часто: не больше 10 текстов в час. Попробуйте снова через 35 минут.',
  });
  expect(calls).toBe(10);
});

it.each([
  [1, 'не чаще 1 раза в сутки. Попробуйте снова через 24 часа.'],
  [10, 'не чаще 10 раз в сутки. Попробуйте снова через 24 часа.'],
])('tells a wait of a day in hours, also where the limit is %i times as loose', async (times, words) => {
  const loose = makeRateLimits(store, { times, now: () => now });
  await loose.take('site_refresh', PERSON, times);
  await expect(loose.take('site_refresh', PERSON)).rejects.toMatchObject({
    userMessage: `Слишком часто: данные сайта обновляются ${words}`,
  });
});

it('lets the person go on when the hour is over', async () => {
  await limits.take('keyword_generation', PERSON, 5);
  now += 60 * MINUTE;
  await limits.take('keyword_generation', PERSON, 5);
});

it('takes all pictures of an article at once or none', async () => {
  await limits.take('image_generation', PERSON, 55);
  await expect(limits.take('image_generation', PERSON, 6)).rejects.toThrow(RateLimited);
  await limits.take('image_generation', PERSON, 5);
  await expect(limits.take('image_generation', PERSON)).rejects.toThrow(RateLimited);
  await limits.take('image_generation', PERSON, 0);
});

it('does not let refusals lengthen the wait', async () => {
  await limits.take('token_purchase', PERSON, 5);
  for (let press = 0; press < 20; press += 1) {
    await expect(limits.take('token_purchase', PERSON)).rejects.toThrow(RateLimited);
  }
  now += 10 * MINUTE;
  await limits.take('token_purchase', PERSON, 5);
});

it('gives back what an action took that another limit refused', async () => {
  await limits.take('text_generation', PERSON, 9);
  await limits.take('image_generation', PERSON, 58);
  const article = { text_generation: 1, image_generation: 3 };
  await expect(limits.reserve('article', PERSON, article)).rejects.toThrow(/image_generation/u);
  await limits.reserve('article', PERSON, { text_generation: 1, image_generation: 2 });
  await expect(limits.take('text_generation', PERSON)).rejects.toThrow(RateLimited);
});

it('counts an action once, however often it comes under its key', async () => {
  for (let time = 0; time < 3; time += 1) await limits.reserve('article', PERSON, { text_generation: 10 });
  await expect(limits.reserve('another', PERSON, { text_generation: 1 })).rejects.toThrow(RateLimited);
});

it('counts only what came of it, and gives the rest back once', async () => {
  await limits.reserve('article', PERSON, { text_generation: 1, image_generation: 10 });
  await limits.take('image_generation', PERSON, 50);
  for (let time = 0; time < 3; time += 1) await limits.settle('article', PERSON, { image_generation: 7 });
  await limits.take('text_generation', PERSON, 10);
  await limits.take('image_generation', PERSON, 3);
  await expect(limits.take('image_generation', PERSON)).rejects.toThrow(RateLimited);
});

it('gives nothing back to a later hour: what was taken there still counts', async () => {
  await limits.reserve('article', PERSON, { text_generation: 1, image_generation: 10 });
  now += 61 * MINUTE;
  await limits.take('image_generation', PERSON, 60);
  await limits.settle('article', PERSON, {});
  await expect(limits.take('image_generation', PERSON)).rejects.toThrow(RateLimited);
});

it('gives nothing back that a dying process had not taken yet', async () => {
  await limits.take('text_generation', PERSON, 10);
  const dying = makeRateLimits({
    ...store,
    increment: () => Promise.reject(new Error('killed')),
    delete: async () => {},
  });
  await expect(dying.reserve('article', PERSON, { text_generation: 1 })).rejects.toThrow('killed');
  await limits.settle('article', PERSON, {});
  await expect(limits.take('text_generation', PERSON)).rejects.toThrow(RateLimited);
});

it('is ten times looser in the sandbox, and says so', async () => {
  const loose = makeRateLimits(store, { times: SANDBOX_TIMES });
  await loose.take('image_generation', PERSON, 600);
  await expect(loose.take('image_generation', PERSON)).rejects.toMatchObject({
    userMessage: expect.stringContaining('не больше 600 картинок в час'),
  });
});

it('counts people and actions apart', async () => {
  await limits.take('platform_connection', PERSON, 10);
  await limits.take('platform_connection', 2, 10);
  await limits.take('text_generation', PERSON, 10);
});

it.each(Object.keys(rateLimits) as LimitedAction[])('tells the limit of %s as it is', (action) => {
  const { max, told } = rateLimits[action];
  expect(told(max)).toContain(` ${max} `);
});
