import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenRouter } from '../../../src/clients/openrouter.ts';
import { AiFailed } from '../../../src/errors.ts';
import type { MoodRule } from '../../../src/sandbox/openrouter/moods.ts';
import { type OpenRouterStandIn, startOpenRouterStandIn } from '../../../src/sandbox/openrouter/start.ts';
import type { ApiCost, NoteCost, RenderPrompt } from '../../../src/services/ai/ask.ts';
import { makeAskModel } from '../../../src/services/ai/ask-model.ts';
import { makeDrawPicture } from '../../../src/services/ai/draw-picture.ts';
import { type TextTask, tasks } from '../../../src/services/ai/tasks.ts';
import { article, type LogLine, outline, post, readableLog, reviews, tinyAuthor } from './tiny-author.ts';

const claude = 'anthropic/claude-sonnet-4.5';
const gpt = 'openai/gpt-5.2';
const deepseek = 'deepseek/deepseek-v3.2';
const drawer = 'google/gemini-3.1-flash-image-preview';
const secondDrawer = 'google/gemini-2.5-flash-image';
const asking = { variables: { keyword: 'шкафы' }, userId: 7 };

let standIn: OpenRouterStandIn;
let lines: LogLine[];
let books: ApiCost[];
let noteCost: NoteCost;

beforeEach(async () => {
  standIn = await startOpenRouterStandIn({ author: tinyAuthor });
  books = [];
  noteCost = async (cost) => void books.push(cost);
});
afterEach(() => standIn.close());

const renderPrompt: RenderPrompt = async (task, { keyword }) => ({
  system: task === 'image' ? null : 'Ты редактор.',
  user: `${task}: ${keyword}`,
  version: `${task}_v1`,
});

function dependencies() {
  const readable = readableLog();
  lines = readable.lines;
  const { log } = readable;
  const openRouter = createOpenRouter({ baseUrl: standIn.url, apiKey: 'key', log, waitMs: () => 1 });
  return { openRouter, renderPrompt, noteCost, log };
}
const ask = (...args: Parameters<ReturnType<typeof makeAskModel>>) => makeAskModel(dependencies())(...args);
const draw = (signal?: AbortSignal) =>
  makeDrawPicture(dependencies())({ ...asking, aspectRatio: '4:3', size: '1K', ...(signal && { signal }) });

const mood = (...rules: MoodRule[]) => rules.forEach(standIn.moods.add);
const asked = () => standIn.requests().map(({ body }) => [body.model, ...(body.models ?? [])]);
const failure = (call: Promise<unknown>): Promise<AiFailed> =>
  call.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error as AiFailed,
  );

describe('an answer', () => {
  it('is checked, and tells who gave it, from which prompt, and what it cost', async () => {
    const answer = await ask('social_post', asking);
    expect(answer).toMatchObject({
      content: post,
      modelUsed: `${deepseek}-20251201`,
      promptVersion: 'social_post_v1',
      fallbackUsed: false,
    });
    expect(answer.costUsd).toBeGreaterThan(0);
    expect(answer.generationTimeMs).toBeGreaterThanOrEqual(0);
    expect(standIn.requests()).toMatchObject([
      { task: 'social_post', system: 'Ты редактор.', user: 'social_post: шкафы' },
    ]);
  });

  it('of a task without a shape is plain text', async () => {
    expect((await ask('description', asking)).content).toBe('Мебель на заказ с 2005 года.');
  });

  it('goes into the books with its model, tokens and cost', async () => {
    const { modelUsed, inputTokens, outputTokens, costUsd } = await ask('article', asking);
    expect(books).toEqual([
      {
        userId: 7,
        operation: 'api_openrouter',
        costUsd,
        description: 'article',
        model: modelUsed,
        inputTokens,
        outputTokens,
      },
    ]);
  });

  it('is not lost when the books cannot be written', async () => {
    noteCost = () => Promise.reject(new Error('the database is away'));
    expect((await ask('article', asking)).content).toEqual(article);
    expect(lines.map(({ msg }) => msg)).toContain('the cost of an answer was not booked');
  });

  it('E12: comes from the next model when the first answers 429, and the log says from which', async () => {
    mood({ kind: 'fails', status: 429, models: [claude], times: null });
    const answer = await ask('article', asking);
    expect(answer).toMatchObject({ content: article, modelUsed: `${gpt}-20251211`, fallbackUsed: true });
    expect(asked()).toEqual([[claude, gpt, deepseek]]);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'a model answered', model: `${gpt}-20251211`, fallbackUsed: true }),
    );
  });

  it('E12: does not come when the whole chain answers 429, and nothing is booked', async () => {
    mood({ kind: 'fails', status: 429, times: null });
    expect(await failure(ask('article', asking))).toMatchObject({ reason: 'unavailable', retryable: true });
    expect(books).toEqual([]);
  });

  it('does not come without credit', async () => {
    standIn.faults.add({ match: '/chat/completions', fault: { kind: 'status', status: 402 } });
    expect(await failure(ask('article', asking))).toMatchObject({ reason: 'no-credit' });
  });
});

describe('a refusal', () => {
  it.each(['content-filter', 'refusal', 'no-choices', 'empty-content'] as const)(
    'of the first model (%s) leaves the word to the others, one by one',
    async (kind) => {
      mood({ kind, models: [claude, gpt], times: null });
      const answer = await ask('article', asking);
      expect(answer).toMatchObject({ content: article, fallbackUsed: true });
      expect(asked()).toEqual([[claude, gpt, deepseek], [gpt], [deepseek]]);
      expect(books.map(({ model }) => model!.replace(/-\d+$/u, ''))).toEqual([claude, gpt, deepseek]);
    },
  );

  it('does not bring back a model that has failed already', async () => {
    mood({ kind: 'fails', models: [claude] }, { kind: 'content-filter', models: [gpt] });
    expect(await ask('article', asking)).toMatchObject({ content: article });
    expect(asked()).toEqual([[claude, gpt, deepseek], [deepseek]]);
  });

  it('of all asks the person for other words, and every call is in the books', async () => {
    mood({ kind: 'content-filter', times: null });
    const error = await failure(ask('article', asking));
    expect(error).toBeInstanceOf(AiFailed);
    expect(error).toMatchObject({ reason: 'filtered', userMessage: expect.stringContaining('Измените') });
    expect(books).toHaveLength(3);
  });

  it('by moderation counts as one', async () => {
    mood({ kind: 'moderation', times: null });
    expect(await failure(ask('social_post', asking))).toMatchObject({ reason: 'filtered' });
  });

  it('is what the person hears of, also when the next model cannot be reached', async () => {
    mood(
      { kind: 'content-filter', models: [claude] },
      { kind: 'fails', models: [gpt, deepseek], times: null },
    );
    expect(await failure(ask('article', asking))).toMatchObject({ reason: 'filtered' });
  });

  it('does not hide an empty purse', async () => {
    mood({ kind: 'content-filter', models: [claude] }, { kind: 'fails', status: 402, models: [gpt] });
    expect(await failure(ask('article', asking))).toMatchObject({ reason: 'no-credit' });
  });
});

describe('an answer that is of no use', () => {
  it('for its length ends the matter: another model would write as much', async () => {
    mood({ kind: 'length', task: 'article' });
    expect(await failure(ask('article', asking))).toMatchObject({ reason: 'too-long' });
    expect(asked()).toHaveLength(1);
    expect(books).toHaveLength(1);
  });

  it.each(['fenced-json', 'truncated-json'] as const)('at first sight is mended here: %s', async (kind) => {
    mood({ kind });
    expect((await ask('article_outline', asking)).content).toEqual(outline);
    expect(asked()).toHaveLength(1);
  });

  it.each(['broken-json', 'wrong-shape'] as const)('is repaired once by a cheap model: %s', async (kind) => {
    mood({ kind });
    const answer = await ask('article', asking);
    expect(answer).toMatchObject({ content: article, modelUsed: `${claude}-20250929`, fallbackUsed: false });
    expect(standIn.requests()[1]).toMatchObject({
      task: 'article_repair',
      body: { model: deepseek, temperature: 0 },
    });
    expect(books.map(({ description }) => description)).toEqual(['article', 'article_repair']);
  });

  it.each([
    ['is still damaged', { kind: 'broken-json', task: 'review_repair' }],
    ['is refused', { kind: 'content-filter', task: 'review_repair' }],
    ['fails', { kind: 'fails', task: 'review_repair', times: null }],
    ['is cut off', { kind: 'length', task: 'review_repair' }],
  ] satisfies [string, MoodRule][])('is given up when the repair %s', async (_, rule) => {
    mood({ kind: 'wrong-shape', task: 'review' }, rule);
    expect(await failure(ask('review', asking))).toMatchObject({ reason: 'unusable' });
    expect(new Set(standIn.requests().map(({ task }) => task))).toEqual(new Set(['review', 'review_repair']));
  });

  it('and long is not repaired', async () => {
    const long = { reviews: [{ ...reviews.reviews[0]!, text: 'слово '.repeat(400) }] };
    const wordy = await startOpenRouterStandIn({ author: { ...tinyAuthor, writeAnswer: () => long } });
    wordy.moods.add({ kind: 'broken-json' });
    await standIn.close();
    standIn = wordy;
    expect(await failure(ask('review', asking))).toMatchObject({ reason: 'unusable' });
    expect(asked()).toHaveLength(1);
  });
});

describe('a caller who leaves', () => {
  const reason = new Error('the person has left');

  it('gets their own reason back from a text', async () => {
    const caller = new AbortController();
    standIn.faults.add({ match: '/chat/completions', fault: { kind: 'hang' } });
    const waiting = failure(ask('article', { ...asking, signal: caller.signal }));
    await expect.poll(() => standIn.faults.list()).toEqual([]);
    caller.abort(reason);
    expect(await waiting).toBe(reason);
  });

  it('gets their own reason back from a repair', async () => {
    const caller = new AbortController();
    mood({ kind: 'broken-json' });
    noteCost = async () => caller.abort(reason);
    expect(await failure(ask('article', { ...asking, signal: caller.signal }))).toBe(reason);
  });

  it('gets their own reason back from a picture', async () => {
    expect(await failure(draw(AbortSignal.abort(reason)))).toBe(reason);
  });
});

describe('a picture', () => {
  it('is drawn, and booked', async () => {
    const { content, modelUsed, promptVersion, fallbackUsed } = await draw();
    expect(content.subarray(1, 4).toString()).toBe('PNG');
    expect({ modelUsed, promptVersion, fallbackUsed }).toEqual({
      modelUsed: `${drawer}-20260226`,
      promptVersion: 'image_v1',
      fallbackUsed: false,
    });
    expect(books).toMatchObject([{ description: 'image', operation: 'api_openrouter' }]);
  });

  it.each(['no-picture', 'content-filter', 'no-choices'] as const)(
    'that did not come (%s) is asked of the next model',
    async (kind) => {
      mood({ kind, models: [drawer] });
      expect(await draw()).toMatchObject({ modelUsed: secondDrawer, fallbackUsed: true });
      expect(asked()).toEqual([[drawer, secondDrawer], [secondDrawer]]);
      expect(books).toHaveLength(2);
    },
  );

  it.each([
    ['no-picture', 'unusable'],
    ['content-filter', 'filtered'],
  ] as const)('that no model gives (%s) has failed as %s', async (kind, reason) => {
    mood({ kind, times: null });
    expect(await failure(draw())).toMatchObject({ reason });
  });
});

describe('the models of the sandbox', () => {
  beforeEach(async () => {
    await standIn.close();
    standIn = await startOpenRouterStandIn();
  });

  it.each(Object.keys(tasks).filter((task) => task !== 'image'))('know what %s asks for', async (task) => {
    const { content } = await ask(task as TextTask, asking);
    expect(JSON.stringify(content).length).toBeGreaterThan(2);
    expect(standIn.requests()).toHaveLength(1);
  });

  it('draw', async () => {
    expect((await draw()).content.subarray(1, 4).toString()).toBe('PNG');
  });
});
