import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import type { RequestSeen } from './api.ts';
import type { MoodRule, Moods } from './moods.ts';

const MOST_BYTES = 64 * 1024;

/** `/__mood`: POST adds one rule or a list of them, GET lists, DELETE forgets. `/__requests`: what has come. */
export function makeControl(moods: Moods, requests: () => readonly RequestSeen[]): HttpHandler {
  return async (request, response, url) => {
    if (url.pathname === '/__requests') {
      sendJson(response, 200, { requests: requests() });
      return true;
    }
    if (url.pathname !== '/__mood') return false;
    if (request.method === 'DELETE') moods.clear();
    if (request.method === 'POST') {
      try {
        const given: unknown = JSON.parse((await readBody(request, MOST_BYTES)).toString());
        for (const rule of Array.isArray(given) ? given : [given]) moods.add(rule as MoodRule);
      } catch (error) {
        sendJson(response, 400, { error: String(error) });
        return true;
      }
    }
    sendJson(response, 200, { moods: moods.list() });
    return true;
  };
}
