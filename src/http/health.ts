import { type HttpHandler, sendJson } from './server.ts';
import { secretCheck } from './webhook.ts';

export type Check = {
  name: string;
  ping(): Promise<unknown>;
  /** Without it the bot still answers, only worse. Asked at most twice a minute: it is somebody else's service. */
  optional?: boolean;
};
type CheckResult = { status: 'ok' | 'down'; latency_ms: number };

const PATIENCE_MS = 3_000;
const OPTIONAL_EVERY_MS = 30_000;

/** Whether the bot can work. Without the token, nothing but that is told. */
export function healthHandler(deps: {
  checks: Check[];
  token: string | undefined;
  version: string;
  busy(): number;
  /** How the queue of autoposting stands. */
  autopost(): Promise<unknown>;
}): HttpHandler {
  const startedAt = Date.now();
  const checks = deps.checks.map((check) => (check.optional ? seldom(check) : check));
  const queue = seldom({ name: 'autopost', ping: deps.autopost });
  const isToken = deps.token === undefined ? () => false : secretCheck(deps.token);
  return async (request, response, url) => {
    if (url.pathname !== '/api/health') return false;
    const bearer = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    const trusted = isToken(bearer);
    const [autopost, ...results] = await Promise.all([
      trusted && answered(queue.ping),
      ...checks.map(async ({ name, ping, optional }) => ({ name, optional, ...(await timed(ping)) })),
    ]);
    const failed = results.filter((result) => result.status === 'down');
    const status =
      failed.length === 0 ? 'ok' : failed.every(({ optional }) => optional) ? 'degraded' : 'down';
    const details = trusted && {
      version: deps.version,
      uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
      busy: deps.busy(),
      autopost,
      checks: Object.fromEntries(
        results.map(({ name, status: state, latency_ms }) => [name, { status: state, latency_ms }]),
      ),
    };
    sendJson(response, status === 'down' ? 503 : 200, { status, ...details });
    return true;
  };
}

function seldom(check: Check): Check {
  let asked: { at: number; answer: Promise<unknown> } | null = null;
  return {
    ...check,
    ping() {
      if (!asked || Date.now() - asked.at > OPTIONAL_EVERY_MS) {
        asked = { at: Date.now(), answer: check.ping() };
        asked.answer.catch(() => undefined); // whoever asked is told; nobody may have waited that long
      }
      return asked.answer;
    },
  };
}

async function timed(ping: Check['ping']): Promise<CheckResult> {
  const started = performance.now();
  const status = (await answered(async () => void (await ping()))) === null ? 'down' : 'ok';
  return { status, latency_ms: Math.round(performance.now() - started) };
}

/** Null for whoever fails, or says nothing for as long as a caller waits. */
async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<null>((resolve) =>
    timeout.addEventListener('abort', () => resolve(null), { once: true }),
  );
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return null;
  }
}
