import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenRouterStandIn, startOpenRouterStandIn } from '../../src/sandbox/openrouter/start.ts';
import { post, tinyAuthor } from '../services/ai/tiny-author.ts';

const apiKey = 'sk-or-v1-sandbox';
const deepseek = 'deepseek/deepseek-v3.2';
const claude = 'anthropic/claude-sonnet-4.5';
const drawer = 'google/gemini-2.5-flash-image';

let standIn: OpenRouterStandIn;
beforeEach(async () => {
  standIn = await startOpenRouterStandIn({ apiKey, author: tinyAuthor });
});
afterEach(() => standIn.close());

/** All that any of its answers may hold. */
type Said = {
  id: string;
  model: string;
  choices: {
    finish_reason: string;
    message: { content: string; images: { image_url: { url: string } }[] };
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number };
  data: { total_cost: number; usage: number };
  moods: unknown[];
  requests: unknown[];
};

const call = async (path: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
  const response = await fetch(`${standIn.url}${path}`, { ...init, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Said };
};
const chat = (body: object) => call('/chat/completions', { method: 'POST', body: JSON.stringify(body) });
const order = (rules: unknown) => call('/__mood', { method: 'POST', body: JSON.stringify(rules) });

const schema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};
const json_schema = { name: 'social_post', strict: true, schema };
const aPost = {
  model: deepseek,
  models: [claude],
  messages: [
    {
      role: 'system',
      content: [{ type: 'text', text: 'Ты редактор.', cache_control: { type: 'ephemeral' } }],
    },
    { role: 'user', content: 'Пост про шкафы' },
  ],
  response_format: { type: 'json_schema', json_schema },
};
const aPicture = {
  model: drawer,
  messages: [{ role: 'user', content: 'A wardrobe' }],
  modalities: ['image', 'text'],
  image_config: { aspect_ratio: '4:3', image_size: '1K' },
};

describe('the router on loopback', () => {
  it('refuses a call without the key', async () => {
    const paths = ['/key', '/models', '/generation?id=1'];
    const denied = { status: 401, body: { error: { code: 401, message: 'No auth credentials found' } } };
    for (const path of paths) {
      expect(await call(path, { headers: { authorization: 'Bearer other' } })).toMatchObject(denied);
      expect(await call(path, { headers: { authorization: '' } })).toMatchObject(denied);
    }
  });

  it('answers as a completion with usage, in the name of the dated model', async () => {
    const { status, body } = await chat(aPost);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: `${deepseek}-20251201`,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', refusal: null } }],
    });
    expect(JSON.parse(body.choices[0]!.message.content)).toEqual(post);
    const { prompt_tokens, completion_tokens, total_tokens, cost } = body.usage;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(cost).toBeGreaterThan(0);
  });

  it('remembers what an answer cost, and counts it against the key', async () => {
    const { body } = await chat(aPost);
    expect((await call(`/generation?id=${body.id}`)).body.data.total_cost).toBe(body.usage.cost);
    expect((await call('/generation?id=gen-0-0')).status).toBe(404);
    expect((await call('/key')).body.data.usage).toBe(body.usage.cost);
  });

  it('lists its models with their prices', async () => {
    const { data } = (await call('/models')).body;
    expect(data).toContainEqual(
      expect.objectContaining({ id: deepseek, pricing: { prompt: '0.00000025', completion: '0.00000040' } }),
    );
  });

  it.each([
    ['small', 100],
    ['large', 1_000_001],
  ])('draws a %s picture as a data URI', async (_, bytes) => {
    const picture = Buffer.alloc(bytes, 'пиксели');
    const gallery = await startOpenRouterStandIn({
      apiKey,
      author: { ...tinyAuthor, drawPicture: async () => picture },
    });
    await standIn.close();
    standIn = gallery;
    const { url } = (await chat(aPicture)).body.choices[0]!.message.images[0]!.image_url;
    expect(url === `data:image/png;base64,${picture.toString('base64')}`).toBe(true);
  });

  it.each([
    ['an unknown model', { ...aPost, model: 'acme/unknown', models: [] }, 400],
    ['no model', { ...aPost, model: undefined, models: undefined }, 400],
    ['no messages', { ...aPost, messages: [] }, 400],
    ['a picture of a model that draws none', { ...aPicture, model: deepseek }, 404],
    ['a picture with every parameter required', { ...aPicture, provider: { require_parameters: true } }, 404],
    ['a loose schema', withSchema({ ...schema, additionalProperties: true }), 400],
    ['a schema with an optional key', withSchema({ ...schema, required: [] }), 400],
    [
      'a schema with limits, of Anthropic',
      {
        ...withSchema({ ...schema, properties: { text: { type: 'string', minLength: 1 } } }),
        model: claude,
        models: [],
      },
      400,
    ],
  ])('refuses %s', async (_, body, status) => {
    expect(await chat(body)).toMatchObject({ status, body: { error: { code: status } } });
  });

  function withSchema(given: object) {
    return {
      ...aPost,
      response_format: { type: 'json_schema', json_schema: { ...json_schema, schema: given } },
    };
  }

  it('keeps what was asked, for tests to read', async () => {
    await chat(aPost);
    await chat(aPicture);
    await chat({ model: deepseek, messages: [{ role: 'user', content: 'Опиши мебель' }] });
    expect(standIn.requests()).toMatchObject([
      { task: 'social_post', system: 'Ты редактор.', user: 'Пост про шкафы', status: 200 },
      { task: 'image', system: '', user: 'A wardrobe', model: drawer },
      { task: 'description', user: 'Опиши мебель', model: `${deepseek}-20251201` },
    ]);
    expect((await call('/__requests')).body.requests).toHaveLength(3);
  });

  it('fails in its own words when told to', async () => {
    standIn.faults.add({ match: 'completions', fault: { kind: 'status', status: 429, retryAfter: 7 } });
    const { status, headers, body } = await chat(aPost);
    expect({ status, body }).toMatchObject({ status: 429, body: { error: { code: 429 } } });
    expect(headers.get('retry-after')).toBe('7');
  });
});

describe('a mood', () => {
  it('of one model lets the next one answer; of all, there is no answer', async () => {
    standIn.moods.add({ kind: 'fails', models: [deepseek], status: 429 });
    expect((await chat(aPost)).body.model).toContain(claude);
    standIn.moods.add({ kind: 'fails', times: 2, status: 503 });
    expect(await chat(aPost)).toMatchObject({ status: 503, body: { error: { code: 503 } } });
    expect((await chat(aPost)).status).toBe(200);
  });

  it.each([
    ['content-filter', { choices: [{ finish_reason: 'content_filter', message: { content: null } }] }],
    ['refusal', { choices: [{ message: { content: null, refusal: expect.any(String) } }] }],
    ['no-choices', { choices: [] }],
    ['length', { choices: [{ finish_reason: 'length' }] }],
    ['error-in-body', { error: { code: 502 } }],
    ['finish-error', { choices: [{ finish_reason: 'error', error: { code: 502 } }] }],
    ['empty-content', { choices: [{ finish_reason: 'stop', message: { content: '' } }] }],
  ] as const)('of the kind %s answers 200 all the same', async (kind, body) => {
    standIn.moods.add({ kind });
    expect(await chat(aPost)).toMatchObject({ status: 200, body });
  });

  it.each(['fenced-json', 'truncated-json', 'broken-json'] as const)(
    'of the kind %s is no JSON, and a request to repair it gets the whole',
    async (kind) => {
      standIn.moods.add({ kind });
      const { content } = (await chat(aPost)).body.choices[0]!.message;
      expect(() => JSON.parse(content)).toThrow(SyntaxError);
      const repair = await chat({
        ...aPost,
        messages: [{ role: 'user', content: `<damaged>\n${content}\n</damaged>` }],
        response_format: { type: 'json_schema', json_schema: { ...json_schema, name: 'social_post_repair' } },
      });
      expect(JSON.parse(repair.body.choices[0]!.message.content)).toEqual(post);
    },
  );

  it('strikes the third picture of four, and no text', async () => {
    standIn.moods.add({ kind: 'fails', task: 'image', skip: 2, status: 400 });
    expect((await chat(aPost)).status).toBe(200);
    const drawn = [];
    for (let n = 0; n < 4; n += 1) drawn.push((await chat(aPicture)).status);
    expect(drawn).toEqual([200, 200, 400, 200]);
  });

  it('strikes what the prompt names, as often as it comes', async () => {
    standIn.moods.add({ kind: 'content-filter', prompt: 'шкафы', times: null });
    const other = { ...aPost, messages: [{ role: 'user', content: 'Пост про столы' }] };
    const reasons = [];
    for (const body of [aPost, other, aPost]) {
      reasons.push((await chat(body)).body.choices[0]!.finish_reason);
    }
    expect(reasons).toEqual(['content_filter', 'stop', 'content_filter']);
  });

  it('can be ordered, listed and forgotten over HTTP', async () => {
    const { body } = await order([{ kind: 'length' }, { kind: 'no-picture', task: 'image', times: null }]);
    expect(body.moods).toMatchObject([
      { kind: 'length', times: 1 },
      { kind: 'no-picture', times: null },
    ]);
    expect((await order({ kind: 'explode' })).status).toBe(400);
    expect((await order({ kind: 'length', tasks: 'a misspelt word' })).status).toBe(400);
    expect((await chat(aPost)).body.choices[0]!.finish_reason).toBe('length');
    await call('/__mood', { method: 'DELETE' });
    expect((await call('/__mood')).body).toEqual({ moods: [] });
  });
});
