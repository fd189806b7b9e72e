import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOpenRouter, type OpenRouterOptions } from '../../src/clients/openrouter.ts';
import type { ModelRequest } from '../../src/clients/openrouter-request.ts';
import { AiFailed } from '../../src/errors.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import type { MoodRule } from '../../src/sandbox/openrouter/moods.ts';
import { type OpenRouterStandIn, startOpenRouterStandIn } from '../../src/sandbox/openrouter/start.ts';
import { answers } from '../../src/services/ai/answers.ts';
import { type LogLine, post, readableLog, tinyAuthor } from '../services/ai/tiny-author.ts';

const apiKey = 'sk-or-v1-test';
const deepseek = 'deepseek/deepseek-v3.2';
const claude = 'anthropic/claude-sonnet-4.5';
const ERROR = 50;

let standIn: OpenRouterStandIn;
let lines: LogLine[];

beforeEach(async () => {
  standIn = await startOpenRouterStandIn({ apiKey, author: tinyAuthor });
});
afterEach(() => standIn.close());

function openRouter(options: Partial<OpenRouterOptions> = {}) {
  const readable = readableLog();
  lines = readable.lines;
  return createOpenRouter({
    baseUrl: standIn.url,
    apiKey,
    referer: 'https://bot.example',
    log: readable.log,
    waitMs: () => 1,
    ...options,
  });
}

const aPost: ModelRequest = {
  models: [deepseek, claude],
  system: 'Ты редактор.',
  user: 'Пост про шкафы',
  maxTokens: 2_000,
  temperature: 0.8,
  timeoutMs: 60_000,
  sort: 'price',
  schema: { name: 'social_post', shape: answers.social_post },
};
const aPicture: ModelRequest = {
  models: ['google/gemini-3.1-flash-image-preview', 'google/gemini-2.5-flash-image'],
  system: null,
  user: 'A wardrobe',
  maxTokens: 4_000,
  timeoutMs: 60_000,
  picture: { aspectRatio: '16:9', size: '2K', references: [] },
};

const strike = (fault: Fault, times = 1) => standIn.faults.add({ match: '/chat/completions', times, fault });
const mood = (rule: MoodRule) => standIn.moods.add(rule);
const faultsLeft = () => standIn.faults.list().length;

const failure = (call: Promise<unknown>): Promise<AiFailed> =>
  call.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error as AiFailed,
  );

async function bodyOf(request: ModelRequest) {
  await openRouter().complete(request);
  return standIn.requests().at(-1)!.body;
}

describe('a request', () => {
  it('names the first model, the others behind it, and sends nothing to those who learn from it', async () => {
    expect(await bodyOf(aPost)).toMatchObject({
      model: deepseek,
      models: [claude],
      max_completion_tokens: 2_000,
      temperature: 0.8,
      provider: { data_collection: 'deny', allow_fallbacks: true, sort: 'price', require_parameters: true },
      plugins: [{ id: 'response-healing' }],
      messages: [
        { role: 'system', content: 'Ты редактор.' },
        { role: 'user', content: 'Пост про шкафы' },
      ],
    });
  });

  it('carries the shape of the answer as a strict schema, without limits that strict modes refuse', async () => {
    const body = await bodyOf(aPost);
    expect(body.response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'social_post',
        strict: true,
        schema: {
          type: 'object',
          properties: {
            text: { type: 'string' },
            hashtags: { type: 'array', items: { type: 'string' } },
            pin_title: { type: 'string' },
          },
          required: ['text', 'hashtags', 'pin_title'],
          additionalProperties: false,
        },
      },
    });
  });

  it.each(Object.entries(answers))('for %s has a schema that Anthropic takes', async (name, shape) => {
    const request = { ...aPost, models: [claude] as const, schema: { name, shape } };
    expect(await openRouter().complete(request)).toMatchObject({ outcome: 'answered' });
  });

  it('leaves out whatever was not asked for', async () => {
    const { schema: _, sort: __, temperature: ___, ...plain } = aPost;
    const body = await bodyOf({ ...plain, models: [deepseek] });
    expect(Object.keys(body).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'provider']);
    expect(body.provider).toEqual({ data_collection: 'deny', allow_fallbacks: true });
  });

  it('caps the price, reasons and searches where the task says so', async () => {
    const maxPrice = { prompt: 5, completion: 15 };
    const body = await bodyOf({ ...aPost, maxPrice, reasoning: true, searchContextSize: 'high' });
    expect(body).toMatchObject({
      provider: { max_price: maxPrice },
      reasoning: { enabled: true },
      web_search_options: { search_context_size: 'high' },
    });
  });

  it('to Anthropic first marks the system part for its cache', async () => {
    const body = await bodyOf({ ...aPost, models: [claude, deepseek] });
    expect(body.messages[0]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Ты редактор.', cache_control: { type: 'ephemeral' } }],
    });
  });

  it('is signed with our key, and says who we are', async () => {
    expect(await failure(openRouter({ apiKey: 'sk-or-v1-wrong' }).complete(aPost))).toMatchObject({
      reason: 'unavailable',
    });
    expect(await openRouter().complete(aPost)).toMatchObject({ outcome: 'answered' });
    expect(standIn.requests()).toMatchObject([{ referer: 'https://bot.example' }]);
  });
});

describe('an answer', () => {
  it('comes with the model that gave it, its tokens and its cost', async () => {
    const completion = await openRouter().complete(aPost);
    expect(JSON.parse(completion.text)).toEqual(post);
    expect(completion).toMatchObject({ model: `${deepseek}-20251201`, outcome: 'answered', pictures: [] });
    expect(completion.inputTokens).toBeGreaterThan(0);
    expect(completion.outputTokens).toBeGreaterThan(0);
    const { inputTokens, outputTokens } = completion;
    expect(completion.costUsd).toBeCloseTo((inputTokens * 0.25 + outputTokens * 0.4) / 1_000_000, 10);
  });

  it('that does not say what it cost is looked up', async () => {
    mood({ kind: 'no-cost' });
    expect((await openRouter().complete(aPost)).costUsd).toBeGreaterThan(0);
  });

  it('is not lost when its cost cannot be looked up', async () => {
    mood({ kind: 'no-cost' });
    standIn.faults.add({ match: '/generation', fault: { kind: 'status', status: 404 } });
    expect(await openRouter().complete(aPost)).toMatchObject({ costUsd: 0, outcome: 'answered' });
    expect(lines.map(({ msg }) => msg)).toContain('the cost of an answer is not known: booked as zero');
  });

  it.each([
    ['content-filter', 'refused'],
    ['refusal', 'refused'],
    ['no-choices', 'refused'],
    ['length', 'cut'],
  ] as const)('of the kind %s is %s', async (kind, outcome) => {
    mood({ kind });
    expect(await openRouter().complete(aPost)).toMatchObject({ outcome });
  });
});

describe('a picture', () => {
  it('is asked for in its format and comes as bytes', async () => {
    const { pictures } = await openRouter().complete(aPicture);
    expect(pictures[0]!.subarray(1, 4).toString()).toBe('PNG');
    const { body } = standIn.requests().at(-1)!;
    expect(body).toMatchObject({
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: '16:9', image_size: '2K' },
      messages: [{ role: 'user', content: 'A wardrobe' }],
    });
    expect(body.provider).toEqual({ data_collection: 'deny', allow_fallbacks: true });
  });

  it('takes others as examples', async () => {
    const references = ['https://site.example/a.jpg', 'data:image/png;base64,AAAA'];
    const body = await bodyOf({ ...aPicture, picture: { ...aPicture.picture!, references } });
    expect(body.messages[0]!.content).toEqual([
      { type: 'text', text: 'A wardrobe' },
      { type: 'image_url', image_url: { url: references[0] } },
      { type: 'image_url', image_url: { url: references[1] } },
    ]);
  });

  const uri = `data:image/webp;base64,${Buffer.from('picture').toString('base64')}`;
  it.each([
    ['in an object', { image_url: { url: uri } }, 1],
    ['in an address', { image_url: uri }, 1],
    ['as a bare text', uri, 1],
    ['as an address elsewhere', { image_url: { url: 'https://cdn.example/a.png' } }, 0],
    ['empty', { image_url: { url: 'data:image/png;base64,' } }, 0],
  ])('%s is read as far as it is one', async (_, image, count) => {
    const message = { content: '', images: [image] };
    const body = { id: 'gen-1', model: 'm', choices: [{ message }], usage: { cost: 0 } };
    strike({ kind: 'status', status: 200, body });
    const { pictures } = await openRouter().complete(aPicture);
    expect(pictures.map(String)).toEqual(Array(count).fill('picture'));
  });
});

describe('a failure that may pass', () => {
  it('E12: of one model, as its 429, is left to the next model by the router', async () => {
    mood({ kind: 'fails', status: 429, models: [deepseek], times: null });
    const { model } = await openRouter().complete(aPost);
    expect(model).toContain(claude);
    expect(standIn.requests()).toHaveLength(1);
  });

  it('E12: of every model of the chain ends the matter', async () => {
    mood({ kind: 'fails', status: 429, times: null });
    expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'unavailable' });
    expect(standIn.requests()).toHaveLength(3);
  });

  it.each([
    ['429', { kind: 'status', status: 429 }],
    ['500', { kind: 'status', status: 500 }],
    ['502', { kind: 'status', status: 502 }],
    ['529', { kind: 'status', status: 529 }],
    ['a broken connection', { kind: 'reset' }],
    ['an answer that breaks off', { kind: 'truncated' }],
    ['an answer that is no JSON', { kind: 'malformed' }],
    ['an answer that is no completion', { kind: 'status', status: 200, body: '<html>' }],
  ] satisfies [string, Fault][])('is tried twice more: %s', async (_, fault) => {
    strike(fault, 2);
    expect(await openRouter().complete(aPost)).toMatchObject({ outcome: 'answered' });
    strike(fault, 3);
    expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'unavailable' });
    expect(faultsLeft()).toBe(0);
  });

  it.each(['error-in-body', 'finish-error'] as const)(
    'is one although the status says 200: %s',
    async (kind) => {
      mood({ kind, status: 429, times: 2 });
      expect(await openRouter().complete(aPost)).toMatchObject({ outcome: 'answered' });
      mood({ kind, status: 502, times: 3 });
      expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'unavailable' });
      expect(standIn.requests()).toHaveLength(6);
    },
  );

  it('E12: of a model that had begun to answer is left to the next model by us', async () => {
    mood({ kind: 'error-in-body', status: 429, models: [deepseek], times: null });
    const { model } = await openRouter().complete(aPost);
    expect(model).toContain(claude);
    expect(standIn.requests().map(({ body }) => body.model)).toEqual([deepseek, claude]);
  });

  it('is given the time the router asks for', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 0 });
    const waitMs = () => expect.fail('the router has said how long');
    expect(await openRouter({ waitMs }).complete(aPost)).toMatchObject({ outcome: 'answered' });
  });

  it('is not waited out for longer than the most we wait', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 3_600 });
    expect(await openRouter({ mostWaitMs: 5 }).complete(aPost)).toMatchObject({ outcome: 'answered' });
  });
});

describe('a failure that will not pass', () => {
  it.each([400, 401, 403, 404, 408, 422])('is not tried again: %i', async (status) => {
    strike({ kind: 'status', status });
    const error = await failure(openRouter().complete(aPost));
    expect(error).toBeInstanceOf(AiFailed);
    expect(error).toMatchObject({ reason: 'unavailable' });
    expect(standIn.requests()).toHaveLength(0);
  });

  it('is an empty account, and the operator is told', async () => {
    strike({ kind: 'status', status: 402 });
    expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'no-credit' });
    expect(standIn.requests()).toHaveLength(0);
    expect(lines.filter(({ level }) => level === ERROR).map(({ msg }) => msg)).toEqual([
      'OpenRouter has no credit left',
    ]);
  });

  it('is an empty purse inside a 200 as well', async () => {
    mood({ kind: 'error-in-body', status: 402 });
    expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'no-credit' });
    expect(standIn.requests()).toHaveLength(1);
  });

  it('is a topic that moderation refuses, and no fault of our key', async () => {
    mood({ kind: 'moderation', times: null });
    expect(await failure(openRouter().complete(aPost))).toMatchObject({ reason: 'filtered' });
    expect(standIn.requests()).toHaveLength(1);
    expect(lines.some(({ level }) => level === ERROR)).toBe(false);
  });

  it('is an answer that does not come in time: it is not asked for three times', async () => {
    strike({ kind: 'hang' });
    const error = await failure(openRouter().complete({ ...aPost, timeoutMs: 60 }));
    expect(error).toMatchObject({ reason: 'unavailable' });
    expect(standIn.requests()).toHaveLength(0);
  });
});

describe('a caller who leaves', () => {
  const reason = new Error('the person has left');

  it('gets their own reason back, not a failure of the models', async () => {
    const caller = new AbortController();
    strike({ kind: 'hang' });
    const asking = failure(openRouter().complete(aPost, caller.signal));
    await expect.poll(faultsLeft).toBe(0);
    caller.abort(reason);
    expect(await asking).toBe(reason);
  });

  it('ends the wait for the next try', async () => {
    const caller = new AbortController();
    strike({ kind: 'status', status: 503 });
    const waitMs = () => {
      setImmediate(() => caller.abort(reason));
      return 60_000;
    };
    expect(await failure(openRouter({ waitMs }).complete(aPost, caller.signal))).toBe(reason);
    expect(standIn.requests()).toHaveLength(0);
  });

  it('leaves the queue as well', async () => {
    const caller = new AbortController();
    const { complete } = openRouter({ concurrency: 1 });
    strike({ kind: 'hang' });
    const first = failure(complete(aPost, caller.signal));
    await expect.poll(faultsLeft).toBe(0);
    const second = failure(complete(aPost, caller.signal));
    caller.abort(reason);
    expect(await Promise.all([first, second])).toEqual([reason, reason]);
    expect(await complete(aPost)).toMatchObject({ outcome: 'answered' });
    expect(standIn.requests()).toHaveLength(1);
  });
});

it('no more requests are under way at once than the gate lets through', async () => {
  let underWay = 0;
  let most = 0;
  const busy = await startOpenRouterStandIn({
    author: {
      ...tinyAuthor,
      async drawPicture(request) {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 30));
        underWay -= 1;
        return tinyAuthor.drawPicture(request);
      },
    },
  });
  const { complete } = openRouter({ baseUrl: busy.url, concurrency: 3 });
  await Promise.all(Array.from({ length: 9 }, () => complete(aPicture)));
  await busy.close();
  expect(most).toBe(3);
});

it('many requests may be made in the name of one caller', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const { signal } = new AbortController();
  const { complete } = openRouter();
  await Promise.all(Array.from({ length: 12 }, () => complete(aPicture, signal)));
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

it('a schema that a strict mode refuses does not reach a model', async () => {
  const shape = z.object({ text: z.string().optional() });
  const request = { ...aPost, schema: { name: 'social_post', shape } };
  expect(await failure(openRouter().complete(request))).toMatchObject({ reason: 'unavailable' });
});
