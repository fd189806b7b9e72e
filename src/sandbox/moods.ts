import { type HttpHandler, readBody, sendJson } from '../http/server.ts';

export type Moods<Mood extends string> = ReturnType<typeof createMoods<Mood>>;

const MAX_BODY = 64 * 1024;

/**
 * Ways in which a service works and still disappoints: an empty page, a page with traps. Faults are about answers;
 * this is about what they say. The newest mood whose `match` is part of the subject holds, until it is cleared.
 */
export function createMoods<Mood extends string>(known: readonly Mood[]) {
  let rules: { match: string; mood: Mood }[] = [];
  return { set, of, clear, control };

  function set(match: string, mood: Mood): void {
    if (!known.includes(mood)) throw new TypeError(`Expected a mood of ${known.join(', ')}, got ${mood}`);
    rules = [{ match, mood }, ...rules];
  }

  function of(subject: string): Mood | null {
    return rules.find(({ match }) => subject.includes(match))?.mood ?? null;
  }

  function clear(): void {
    rules = [];
  }

  /** `POST /__moods {"match": "shop.example", "mood": "empty"}`, `DELETE /__moods`. */
  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname !== '/__moods') return false;
    if (request.method === 'DELETE') clear();
    if (request.method === 'POST') {
      try {
        const rule: { match: unknown; mood: unknown } = JSON.parse(
          (await readBody(request, MAX_BODY)).toString(),
        );
        set(String(rule.match), String(rule.mood) as Mood);
      } catch (error) {
        sendJson(response, 400, { error: String(error) });
        return true;
      }
    }
    sendJson(response, 200, { moods: rules });
    return true;
  }
}
