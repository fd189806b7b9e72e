import { Api, HttpError, InputFile, type Transformer } from 'grammy';
import { addressOf, makeCallOnce } from './http/call-once.ts';

type TelegramApiOptions = { apiRoot: string; timeoutSeconds: number };

/**
 * The Bot API by grammY, over calls of our own: its client takes as much of the processor as all the rest of an
 * update, and cannot tell a call that never left from one whose answer was lost.
 */
export function openTelegramApi(token: string, options: TelegramApiOptions): Api {
  const api = new Api(token, options);
  api.config.use(ownCalls(token, options));
  return api;
}

// Not those of the channels: posts that hang must not keep people waiting for their screens.
const callOnce = makeCallOnce({ connections: 50 });

/** An album carries its files in a list of objects. */
function hasFile(value: unknown): boolean {
  if (value instanceof InputFile) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFile);
}

function ownCalls(token: string, { apiRoot, timeoutSeconds }: TelegramApiOptions): Transformer {
  const { origin, path } = addressOf(`${apiRoot}/bot${token}/`);
  return async (grammysOwn, method, payload, signal) => {
    if (hasFile(payload)) return grammysOwn(method, payload, signal);
    try {
      const { text } = await callOnce(
        method,
        { origin, path: `${path}${method}` },
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload),
          timeoutMs: timeoutSeconds * 1_000,
          signal: signal as AbortSignal | undefined,
        },
      );
      return JSON.parse(text);
    } catch (error) {
      throw new HttpError(`${method} was not answered`, error);
    }
  };
}
