import { type StandIn, startStandIn } from '../stand-in.ts';
import { createApi, type RequestSeen } from './api.ts';
import { drawPicture } from './author/draw-picture.ts';
import { writeAnswer } from './author/write-answer.ts';
import { makeControl } from './control.ts';
import { createMoods, type Moods } from './moods.ts';
import { type Author, createRouter } from './router.ts';
import { routerError } from './wire.ts';

type OpenRouterStandInOptions = {
  /** None: any key is good, so long as there is one. */
  apiKey?: string;
  port?: number;
  /** How long a model thinks. */
  latencyMs?: number;
  /** Unless said, the one who writes whole articles. */
  author?: Author;
};

export type OpenRouterStandIn = StandIn & {
  readonly moods: Moods;
  /** The newest 200, oldest first. */
  requests(): readonly RequestSeen[];
};

/** OpenRouter on loopback; its address is the base URL. Control over HTTP: `/__mood` and `/__requests`. */
export async function startOpenRouterStandIn({
  apiKey,
  port,
  latencyMs = 0,
  author = { writeAnswer, drawPicture },
}: OpenRouterStandInOptions = {}): Promise<OpenRouterStandIn> {
  const moods = createMoods();
  const api = createApi(createRouter(author, moods), apiKey, latencyMs);
  const standIn = await startStandIn({
    name: 'openrouter',
    handle: api.handle,
    control: makeControl(moods, api.requests),
    refusal: (status) => routerError(status),
    ...(port !== undefined && { port }),
  });
  return { ...standIn, moods, requests: api.requests };
}
