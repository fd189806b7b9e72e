import { hash } from 'node:crypto';
import { costOf, type Model, models, tokensIn } from './models.ts';
import type { Mood, Moods } from './moods.ts';
import { moodyChoice, spoiledText } from './spoil.ts';
import { schemaFault } from './strict-schema.ts';
import {
  type ChatCompletion,
  type ChatRequest,
  type Choice,
  PICTURE_HERE,
  type RouterError,
  routerError,
  taskOf,
  textOf,
} from './wire.ts';

/** Who thinks of what the models say. */
export type Author = {
  /** The answer, or a promise of it. */
  writeAnswer(request: { task: string; system: string; user: string; turn: number }): unknown;
  drawPicture(request: { prompt: string; aspectRatio: string; size: string }): Promise<Buffer>;
};

export type Reply = {
  status: number;
  /** The one that answered. */
  model: string | null;
  body: ChatCompletion | RouterError;
  /** To be put where the body says so. */
  picture: Buffer | null;
};
export type Generation = { id: string; model: string; total_cost: number };

export type Router = ReturnType<typeof createRouter>;

const MOST_KEPT = 500;
const TOKENS_OF_A_PICTURE = 1_290;

/** The models behind the router: the first of the chain that does not fail answers, in the mood it is in. */
export function createRouter(author: Author, moods: Moods) {
  const generations = new Map<string, Generation>();
  /** What a mood made of an answer → the answer. A model that is asked to repair one gives it back whole. */
  const spoiled = new Map<string, string>();
  /** How often the same was asked: a model asked twice answers differently. */
  const asked = new Map<string, number>();
  let answered = 0;
  let spent = 0;
  return { complete, generation: (id: string) => generations.get(id) ?? null, spentUsd: () => spent };

  async function complete(request: ChatRequest): Promise<Reply> {
    const task = taskOf(request);
    const prompt = `${textOf(request, 'system')}\n${textOf(request, 'user')}`;
    let failed = refused(400, 'No models provided');
    for (const id of new Set([request.model ?? [], request.models ?? []].flat())) {
      const model = models[id];
      const unfit = model ? unfitFor(request, id, model) : refused(400, `${id} is not a valid model ID`);
      const mood = unfit ? null : moods.take({ task, model: id, prompt });
      const failure = unfit ?? failureOf(mood);
      if (failure === null) return answer(request, model!, mood);
      failed = failure;
    }
    return failed;
  }

  async function answer(request: ChatRequest, model: Model, mood: Mood | null): Promise<Reply> {
    if (mood?.kind === 'error-in-body') return { ...refused(mood.status), status: 200, model: model.dated };
    const picture = taskOf(request) === 'image' && mood?.kind !== 'no-picture' ? await draw(request) : null;
    const message = picture ? shown : said(await write(request, mood));
    const choice = moodyChoice({ index: 0, finish_reason: 'stop', message }, mood);
    const choices = mood?.kind === 'no-choices' ? [] : [choice];
    const drawn = choices[0]?.message.images?.length ?? 0;
    const input = tokensIn(`${textOf(request, 'system')}${textOf(request, 'user')}`);
    const output = tokensIn(choice.message.content ?? '') + drawn * TOKENS_OF_A_PICTURE;
    const cost = costOf(model, input, output, drawn);
    const created = Math.floor(Date.now() / 1_000);
    answered += 1;
    const id = `gen-${created}-${answered}`;
    spent += cost;
    remember(generations, id, { id, model: model.dated, total_cost: cost });
    const body: ChatCompletion = {
      id,
      object: 'chat.completion',
      created,
      model: model.dated,
      choices,
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        ...(mood?.kind !== 'no-cost' && { cost }),
      },
    };
    return { status: 200, model: model.dated, body, picture: drawn > 0 ? picture : null };
  }

  function draw(request: ChatRequest): Promise<Buffer> {
    const { aspect_ratio: aspectRatio = '1:1', image_size: size = '1K' } = request.image_config ?? {};
    return author.drawPicture({ prompt: textOf(request, 'user'), aspectRatio, size });
  }

  async function write(request: ChatRequest, mood: Mood | null): Promise<string> {
    const task = taskOf(request);
    const user = textOf(request, 'user');
    if (task === 'image') return 'К сожалению, картинки не будет.';
    if (task.endsWith('_repair')) return spoiledText(repairOf(user), mood);
    const turn = turnOf(`${task}\n${user}`);
    const written = await author.writeAnswer({ task, system: textOf(request, 'system'), user, turn });
    const whole = typeof written === 'string' ? written : JSON.stringify(written);
    const letOut = spoiledText(whole, mood);
    if (letOut !== whole) remember(spoiled, letOut, whole);
    return letOut;
  }

  function turnOf(question: string): number {
    const key = hash('md5', question);
    const turn = asked.get(key) ?? 0;
    remember(asked, key, turn + 1);
    return turn;
  }

  function repairOf(user: string): string {
    const known = [...spoiled].find(([damaged]) => damaged !== '' && user.includes(damaged));
    return known?.[1] ?? '{}';
  }
}

function unfitFor(request: ChatRequest, id: string, model: Model): Reply | null {
  if (taskOf(request) === 'image') {
    if (model.picture === null) return refused(404, `${id} does not draw`);
    if (request.provider?.require_parameters) return refused(404);
  }
  const fault = schemaFault(request.response_format?.json_schema.schema, id);
  return fault === null ? null : refused(400, `Invalid schema for response_format: ${fault}`);
}

function failureOf(mood: Mood | null): Reply | null {
  if (mood?.kind === 'fails') return refused(mood.status);
  if (mood?.kind === 'moderation') return refused(403, undefined, { reasons: ['violence'] });
  return null;
}

function refused(status: number, message?: string, metadata?: Record<string, unknown>): Reply {
  return { status, model: null, body: routerError(status, message, metadata), picture: null };
}

const shown: Choice['message'] = {
  role: 'assistant',
  content: '',
  refusal: null,
  images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE_HERE}` } }],
};

const said = (content: string): Choice['message'] => ({ role: 'assistant', content, refusal: null });

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
}
