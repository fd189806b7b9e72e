import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQStash } from '../../../src/clients/qstash.ts';
import { closeServer, createHttpServer, listen } from '../../../src/http/server.ts';
import {
  makeIsSigned,
  neverAgain,
  type SignedAnswer,
  type SignedCall,
  signedCallHandler,
} from '../../../src/http/signed-call.ts';
import { createLog } from '../../../src/log.ts';
import { standInKeys, startQStashStandIn } from '../../../src/sandbox/qstash/start.ts';
import { createEmbeddedSchedules } from '../../../src/services/schedules/embedded-schedules.ts';
import type { Schedules } from '../../../src/services/schedules/schedules.ts';
import { makeScheduledCalls } from '../../../src/store/scheduled-calls.ts';
import { databaseKinds, freshDatabase } from '../../support/stores.ts';

const log = createLog('silent');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Monday, 05:59 in Moscow. */
const START = Date.UTC(2026, 10, 16, 2, 59);

type Arrival = SignedCall & { path: string };
type World = {
  schedules: Schedules;
  /** Lets time pass in steps of a minute, and everything due be delivered. */
  pass(ms: number, stepMs?: number): Promise<void>;
  close(): Promise<void>;
};

/** Our endpoints, as the bot has them, and the calls that were let in. */
async function startEndpoints() {
  const arrivals: Arrival[] = [];
  const answers: SignedAnswer[] = [];
  const server = createHttpServer(
    ['/api/publish', '/api/publish/failure'].map((path) =>
      signedCallHandler(
        path,
        (call) => isSigned(call),
        async (call) => take({ ...call, path }),
        log,
      ),
    ),
    (error) => {
      throw error;
    },
  );
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const isSigned = makeIsSigned({
    publicUrl: url,
    currentKey: standInKeys.current,
    nextKey: standInKeys.next,
  });
  return { url, arrivals, answers, close: () => closeServer(server) };

  function take(arrival: Arrival): SignedAnswer {
    arrivals.push(arrival);
    return answers.shift() ?? { status: 200, body: { status: 'ok' } };
  }
}

type Endpoints = Awaited<ReturnType<typeof startEndpoints>>;

async function openQStash({ url }: Endpoints): Promise<World> {
  let time = START;
  const standIn = await startQStashStandIn({ token: 'stand-in-token', clock: () => time });
  const schedules = createQStash({ baseUrl: standIn.url, token: 'stand-in-token', publicUrl: url });
  return { schedules, pass, close: standIn.close };

  async function pass(ms: number, stepMs = MINUTE): Promise<void> {
    for (const end = time + ms; time < end; ) {
      time += stepMs;
      await standIn.tick();
    }
    await standIn.tick(); // a failure is told by a call of its own
  }
}

const openEmbedded =
  (kind: (typeof databaseKinds)[number]) =>
  async ({ url }: Endpoints): Promise<World> => {
    let time = START;
    const database = await freshDatabase(kind);
    const schedules = createEmbeddedSchedules({
      ...{ store: makeScheduledCalls(database.sql), signingKey: standInKeys.current, publicUrl: url },
      ...{ ownUrl: () => url, log, now: () => time },
    });
    return { schedules, pass, close };

    async function pass(ms: number, stepMs = MINUTE): Promise<void> {
      for (const end = time + ms; time < end; ) {
        time += stepMs;
        await schedules.tick();
        await schedules.settled();
      }
      await schedules.tick();
      await schedules.settled();
    }

    async function close(): Promise<void> {
      await schedules.stop();
      await database.close();
    }
  };

const implementations: Record<string, (endpoints: Endpoints) => Promise<World>> = {
  QStash: openQStash,
  ...Object.fromEntries(
    databaseKinds.map((kind) => [`the embedded scheduler on ${kind}`, openEmbedded(kind)]),
  ),
};

const slot = {
  id: 'slot-1',
  path: '/api/publish',
  cron: '0 6 * * 1,3',
  timeZone: 'Europe/Moscow',
  body: { schedule_id: 1, text: 'Доброе утро' },
  failurePath: '/api/publish/failure',
};

describe.each(Object.entries(implementations))('schedules through %s', (_, open) => {
  let endpoints: Endpoints;
  let world: World;
  beforeAll(async () => {
    endpoints = await startEndpoints();
    world = await open(endpoints);
  });
  afterAll(async () => {
    await world.close();
    await endpoints.close();
  });
  const taken = () => endpoints.arrivals.splice(0);

  it('call at the slot of the person’s own time zone, signed, with the body as it was given', async () => {
    await world.schedules.set(slot);
    expect(await world.schedules.ids()).toEqual(['slot-1']);
    await world.pass(0);
    expect(taken()).toEqual([]);
    await world.pass(MINUTE);
    expect(taken()).toMatchObject([{ path: '/api/publish', body: slot.body, retried: 0 }]);
  });

  it('call on every chosen day and on no other', async () => {
    await world.pass(7 * DAY, 30 * MINUTE);
    expect(taken()).toHaveLength(2); // the Wednesday and the next Monday
  });

  it('keep one call when the same one is set again with another time', async () => {
    await world.schedules.set({ ...slot, cron: '5 6 * * *' });
    expect(await world.schedules.ids()).toEqual(['slot-1']);
    await world.pass(DAY, 5 * MINUTE);
    expect(taken()).toHaveLength(1);
  });

  it('bring a call again that was answered with 503, at the time the answer named', async () => {
    endpoints.answers.push({ status: 503, body: {}, retryAfterSec: 600 });
    await world.pass(DAY, 5 * MINUTE);
    const [first, second, ...more] = taken();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ retried: 0 });
    expect(second).toMatchObject({ retried: 1, messageId: first!.messageId });
  });

  it('give a call up at once that must never come again, and tell of it', async () => {
    endpoints.answers.push(neverAgain('nonsense'));
    await world.pass(DAY, 5 * MINUTE);
    const [first, failure, ...more] = taken();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ path: '/api/publish' });
    expect(failure).toMatchObject({
      path: '/api/publish/failure',
      body: { status: 489, scheduleId: 'slot-1', sourceBody: expect.any(String) },
    });
    const { sourceBody } = failure!.body as { sourceBody: string };
    expect(JSON.parse(Buffer.from(sourceBody, 'base64').toString())).toEqual(slot.body);
  });

  it('give a call up after the last try, and tell of it', async () => {
    endpoints.answers.push(...Array.from({ length: 4 }, () => ({ status: 500 as const, body: {} })));
    await world.pass(DAY, 5 * MINUTE);
    expect(taken().map(({ path, retried }) => ({ path, retried }))).toEqual([
      ...[0, 1, 2, 3].map((retried) => ({ path: '/api/publish', retried })),
      { path: '/api/publish/failure', retried: 0 },
    ]);
  });

  it('make a later call once, however often it is asked for', async () => {
    await world.schedules.remove('slot-1');
    const later = { id: 'again-1', path: '/api/publish', body: { attempt: 1 }, delaySeconds: 3_600 };
    await world.schedules.later(later);
    await world.schedules.later(later);
    await world.pass(50 * MINUTE);
    expect(taken()).toEqual([]);
    await world.pass(20 * MINUTE);
    expect(taken()).toMatchObject([{ body: { attempt: 1 } }]);
  });

  it('call no more what was removed, and remove what is missing without complaint', async () => {
    await world.schedules.remove('slot-1');
    expect(await world.schedules.ids()).toEqual([]);
    await world.pass(2 * DAY, 30 * MINUTE);
    expect(taken()).toEqual([]);
  });
});
