import { type HttpHandler, sendJson } from './server.ts';
import { secretCheck } from './webhook.ts';

export type Check = { name: string; ping(): Promise<unknown> };
type CheckResult = { status: 'ok' | 'down'; latency_ms: number };

const PATIENCE_MS = 3_000;

/** Whether the bot can work. Without the token, nothing but that is told. */
export function healthHandler(deps: {
  checks: Check[];
  token: string | undefined;
  version: string;
  busy(): number;
}): HttpHandler {
  const startedAt = Date.now();
  const isToken = deps.token === undefined ? () => false : secretCheck(deps.token);
  return async (request, response, url) => {
    if (url.pathname !== '/api/health') return false;
    const results = await Promise.all(
      deps.checks.map(async ({ name, ping }) => [name, await timed(ping)] as const),
    );
    const status = results.every(([, result]) => result.status === 'ok') ? 'ok' : 'down';
    const bearer = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    const details = isToken(bearer) && {
      version: deps.version,
      uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
      busy: deps.busy(),
      checks: Object.fromEntries(results),
    };
    sendJson(response, status === 'ok' ? 200 : 503, { status, ...details });
    return true;
  };
}

async function timed(ping: () => Promise<unknown>): Promise<CheckResult> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const outcome = await Promise.race([
    answered(ping),
    new Promise<'down'>((resolve) =>
      timeout.addEventListener('abort', () => resolve('down'), { once: true }),
    ),
  ]);
  return { status: outcome, latency_ms: Math.round(performance.now() - started) };
}

async function answered(ping: Check['ping']): Promise<CheckResult['status']> {
  try {
    await ping();
    return 'ok';
  } catch {
    return 'down';
  }
}
