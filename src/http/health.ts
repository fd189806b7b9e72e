import type { CheckServices } from '../services/monitor/check-services.ts';
import { answered, seldom } from '../services/monitor/check-services.ts';
import { type HttpHandler, sendJson } from './server.ts';
import { secretCheck } from './webhook.ts';

/** Whether the bot can work. Without the token, nothing but that is told. */
export function healthHandler(deps: {
  checkServices: CheckServices;
  token: string | undefined;
  version: string;
  busy(): number;
  /** How the queue of autoposting stands. */
  autopost(): Promise<unknown>;
}): HttpHandler {
  const startedAt = Date.now();
  const autopostHealth = seldom(deps.autopost);
  const isToken = deps.token === undefined ? () => false : secretCheck(deps.token);
  return async (request, response, url) => {
    if (url.pathname !== '/api/health') return false;
    const bearer = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    const trusted = isToken(bearer);
    const [autopost, results] = await Promise.all([
      trusted && answered(autopostHealth),
      deps.checkServices(),
    ]);
    const failed = results.filter(({ isUp }) => !isUp);
    const status =
      failed.length === 0 ? 'ok' : failed.every(({ optional }) => optional) ? 'degraded' : 'down';
    const details = trusted && {
      version: deps.version,
      uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
      busy: deps.busy(),
      autopost,
      checks: Object.fromEntries(
        results.map(({ name, isUp, latencyMs }) => [
          name,
          { status: isUp ? 'ok' : 'down', latency_ms: latencyMs },
        ]),
      ),
    };
    sendJson(response, status === 'down' ? 503 : 200, { status, ...details });
    return true;
  };
}
