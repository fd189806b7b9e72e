import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { lastSlot, nextSlot } from '../../services/schedules/cron.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { type Calls, createCalls } from './calls.ts';

/** Visibly no secrets: they open nothing but a bot on this machine. */
export const standInKeys = {
  current: 'sig_stand-in-current-of-no-value',
  next: 'sig_stand-in-next-of-no-value',
};

export type QStashStandIn = StandIn & {
  calls: Calls;
  /** Calls what is due by the clock. */
  tick(): Promise<void>;
  /** A schedule's call now, whatever its cron line says. */
  fireNow(scheduleId: string): Promise<void>;
  /** From now on deliveries are signed with the next key, as in the middle of a change of keys. */
  rollKeys(): void;
};

type Schedule = {
  scheduleId: string;
  cron: string;
  createdAt: number;
  destination: string;
  method: 'POST';
  header: Record<string, string[]>;
  body: string;
  retries: number;
  failureCallback?: string;
  flowControlKey?: string;
  parallelism?: number;
  isPaused: boolean;
};

const MOST_BYTES = 1024 * 1024;
const TICK_MS = 1_000;

/** QStash on loopback: its base URL is the stand-in's own. With a clock of its own it ticks only when told to. */
export async function startQStashStandIn({
  token,
  port = 0,
  clock,
}: {
  token: string;
  port?: number;
  clock?: () => number;
}): Promise<QStashStandIn> {
  const now = clock ?? Date.now;
  const schedules = new Map<string, Schedule & { next: number }>();
  let signsWithNext = false;
  const calls = createCalls({ key: () => (signsWithNext ? standInKeys.next : standInKeys.current), now });
  const standIn = await startStandIn({ name: 'qstash', port, handle });
  const timer = clock ? null : setInterval(() => void tick(), TICK_MS);
  return { ...standIn, calls, tick, fireNow, rollKeys, close };

  function rollKeys(): void {
    signsWithNext = true;
  }

  async function close(): Promise<void> {
    if (timer) clearInterval(timer);
    await standIn.close();
  }

  async function tick(): Promise<void> {
    for (const schedule of schedules.values()) {
      if (schedule.next > now()) continue;
      if (!schedule.isPaused) queue(schedule);
      schedule.next = nextSlot(...cronAndZone(schedule.cron), now());
    }
    await calls.deliverDue();
  }

  async function fireNow(scheduleId: string): Promise<void> {
    queue(schedules.get(scheduleId)!);
    await calls.deliverDue();
  }

  function queue({ scheduleId, destination, body, header, retries, failureCallback }: Schedule): void {
    const headers = Object.fromEntries(Object.entries(header).map(([name, values]) => [name, values[0]!]));
    calls.add(
      {
        ...{ url: destination, body, headers, notBefore: now(), scheduleId },
        maxRetries: retries,
        failureCallback: failureCallback ?? null,
      },
      null,
    );
  }

  async function handle(...[request, response, { pathname }]: Parameters<HttpHandler>): Promise<boolean> {
    if (request.headers.authorization !== `Bearer ${token}`)
      return answer(401, { error: 'unauthorized: invalid token' });
    const [, kind, rest = ''] = /^\/v2\/(publish|schedules|keys)(?:\/(.*))?$/su.exec(pathname) ?? [];
    const { method } = request;
    if (kind === 'keys' && method === 'GET') return answer(200, standInKeys);
    if (kind === 'publish' && method === 'POST') return publish(rawDestination(request, '/v2/publish/'));
    if (kind !== 'schedules') return answer(404, { error: 'not found' });
    if (method === 'POST' && /^https?:/u.test(rest))
      return schedule(rawDestination(request, '/v2/schedules/'));
    if (method === 'GET' && rest === '') return answer(200, [...schedules.values()].map(told));
    const [id = '', verb] = rest.split('/');
    const found = schedules.get(id);
    if (!found) return answer(404, { error: `schedule ${id} not found` });
    if (method === 'DELETE') schedules.delete(id);
    else if (method === 'PATCH' || method === 'POST') found.isPaused = verb === 'pause';
    return answer(200, told(found));

    function answer(status: number, body: unknown): true {
      sendJson(response, status, body);
      return true;
    }

    async function publish(url: string): Promise<true> {
      const message = { url, body: await bodyOf(request), ...commonOf(request), scheduleId: null };
      const notBefore = now() + seconds(header(request, 'upstash-delay')) * 1_000;
      const taken = calls.add({ ...message, notBefore }, header(request, 'upstash-deduplication-id'));
      return answer(taken.deduplicated ? 202 : 201, { ...taken, url });
    }

    async function schedule(destination: string): Promise<true> {
      const cron = header(request, 'upstash-cron') ?? '';
      try {
        lastSlot(...cronAndZone(cron), now());
      } catch (error) {
        return answer(400, { error: `invalid cron: ${String(error)}` });
      }
      const scheduleId = header(request, 'upstash-schedule-id') ?? `scd_${schedules.size + 1}`;
      const { headers, maxRetries, failureCallback } = commonOf(request);
      schedules.set(scheduleId, {
        ...{ scheduleId, cron, createdAt: now(), destination, method: 'POST', isPaused: false },
        header: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        body: await bodyOf(request),
        retries: maxRetries,
        ...(failureCallback && { failureCallback }),
        ...flowOf(request),
        next: nextSlot(...cronAndZone(cron), now()),
      });
      return answer(200, { scheduleId });
    }
  }
}

const told = ({ next, ...schedule }: Schedule & { next: number }) => ({
  ...schedule,
  nextScheduleTime: next,
});

/** From the request line as it came: a parsed address has lost one of its two slashes. */
const rawDestination = (request: IncomingMessage, prefix: string): string =>
  (request.url ?? '').slice(prefix.length);

const bodyOf = async (request: IncomingMessage): Promise<string> =>
  (await readBody(request, MOST_BYTES)).toString('utf8');

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function commonOf(request: IncomingMessage) {
  const forwarded = Object.entries(request.headers).flatMap(([name, value]) =>
    name.startsWith('upstash-forward-') && typeof value === 'string'
      ? [[name.slice('upstash-forward-'.length), value]]
      : [],
  );
  const type = header(request, 'content-type');
  return {
    headers: { ...(type && { 'content-type': type }), ...Object.fromEntries(forwarded) } as Record<
      string,
      string
    >,
    maxRetries: Number(header(request, 'upstash-retries') ?? 3),
    failureCallback: header(request, 'upstash-failure-callback'),
  };
}

/** How many calls of one key are open at once. Told of a schedule; the stand-in itself brings its calls one by one. */
function flowOf(request: IncomingMessage): Pick<Schedule, 'flowControlKey' | 'parallelism'> {
  const flowControlKey = header(request, 'upstash-flow-control-key');
  const parallelism = /parallelism=(\d+)/u.exec(header(request, 'upstash-flow-control-value') ?? '')?.[1];
  return flowControlKey && parallelism ? { flowControlKey, parallelism: Number(parallelism) } : {};
}

/** `CRON_TZ=Europe/Moscow 0 9 * * 1` → the line and its zone. */
function cronAndZone(text: string): [cron: string, timeZone: string] {
  const [, zone = 'UTC', cron = ''] = /^(?:CRON_TZ=(\S+) )?(.*)$/u.exec(text) ?? [];
  return [cron, zone];
}

function seconds(duration: string | null): number {
  const [, amount = '0', unit = 's'] = /^(\d+)([smhd])?$/u.exec(duration ?? '') ?? [];
  return Number(amount) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
}
