import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/engine/json.ts';
import { AppError, DeliveryFailed } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import type { Desk, Published, RunPlace } from '../../../src/services/schedules/desk.ts';
import { makeRunSlot, type RunReport } from '../../../src/services/schedules/run-slot.ts';

const schedule = {
  ...{ id: 5, userId: 7, connectionId: 3, isOn: true, asksFirst: false },
  ...{ place: 'Наш блог', target: 'romashka.ru' },
};
const slot = { scheduleId: 5, at: 1_000, isSecondTry: false };

class Gone extends AppError {
  readonly code = 'DRAFT_EXPIRED';
  readonly userMessage = 'Черновик устарел.';
}

/** What outlives a process: finished stages, the draft, the count of failures, and what was done under a key. */
function aWorld(publish: (place: string) => Promise<Published>, errorCount = 0, its: object = schedule) {
  const world = { errorCount, offs: 0, refunds: 0, isDraftThere: true, dies: (_: string) => false };
  const stages = new Map<string, Json>();
  const keyed = new Map<string, unknown>();
  const reports: RunReport[] = [];
  const desk: Desk = {
    offer: async () => ({
      offer: {
        ...{ phrase: 'кухни', price: 320, balance: 1_500, isAdmin: false },
        reused: false,
        few: false,
        order: {},
      },
    }),
    write: async () => ({ draftId: 9, title: 'Кухни', spent: 320, images: 1, imagesWanted: 1 }),
    async publish(_, { place }) {
      if (!world.isDraftThere) throw new Gone('9');
      return publish(place);
    },
    keep: async () => undefined,
    async cancel() {
      if (!world.isDraftThere) return null;
      world.isDraftThere = false;
      world.refunds += 1;
      return died('refund', 320);
    },
  };
  const run = makeRunSlot({
    store: { find: async () => its as never },
    noteSuccess: (key) =>
      once(`${key}:success`, () => {
        world.errorCount = 0;
      }),
    countFailure: (key) => once(`${key}:failure`, () => ++world.errorCount),
    connectionStatus: async () => 'active',
    placeUrl: async () => null,
    deskOf: () => desk,
    plannedPhrase: async () => null,
    heldPhrases: async () => [],
    async switchOff() {
      world.offs += 1;
      died('switch off', null);
    },
    callAgain: async () => undefined,
    balanceOf: async () => 1_180,
    report: async (_: string, __: RunPlace, report) => void reports.push(report),
    log: createLog('silent'),
  });
  return {
    world,
    reports,
    run: () => run(slot, { key: 'schedule:5:1000', stage, signal: new AbortController().signal }),
  };

  function died<Value>(where: string, value: Value): Value {
    if (world.dies(where)) throw new Error(`killed behind: ${where}`);
    return value;
  }

  async function stage<Result extends Json>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (stages.has(name)) return stages.get(name) as Result;
    const result = await work();
    stages.set(name, JSON.parse(JSON.stringify(result)) as Json);
    return result;
  }

  async function once<Value>(key: string, work: () => Value): Promise<Value> {
    if (!keyed.has(key)) {
      keyed.set(key, work());
      died(key.endsWith('failure') ? 'count' : 'success', null);
    }
    return keyed.get(key) as Value;
  }
}

const refuses = async (): Promise<Published> => {
  throw new DeliveryFailed({
    ...{ category: 'PERMANENT', scope: 'delivery', code: 'bad-request', message: '400' },
    userMessage: 'Сайт не принял статью.',
  });
};

describe('a scheduled run whose publication was refused', () => {
  it.each(['refund', 'count', 'switch off'])(
    'and whose process died behind the %s gives back once, counts once, stops at the third time and tells the true reason (E55)',
    async (where) => {
      const { world, reports, run } = aWorld(refuses, 2);
      world.dies = (here) => here === where;
      await expect(run()).rejects.toThrow('killed');
      world.dies = () => false;
      expect(await run()).toMatchObject({
        ...{ status: 'error', reason: 'publish_failed', isStopped: true, refunded: 320 },
        why: 'Сайт не принял статью.',
      });
      expect(world).toMatchObject({ refunds: 1, errorCount: 3 });
      expect(world.offs).toBeGreaterThan(0);
      expect(reports).toHaveLength(1);
    },
  );
});

it('a scheduled post whose picture was not taken tells what it cost without the picture (E34)', async () => {
  const warnings = ['Вернулось 30 токенов: пост без картинки.'];
  const { run } = aWorld(async () => ({ outcome: 'sent', url: null, warnings, returned: 30 }));
  expect(await run()).toMatchObject({ kind: 'published', spent: 290, warnings });
});

it('a success that is noted again after a crash does not wipe out a failure that came in between', async () => {
  const { world, run } = aWorld(async () => ({ outcome: 'sent', url: null }), 2);
  world.dies = (here) => here === 'success';
  await expect(run()).rejects.toThrow('killed');
  expect(world.errorCount).toBe(0);
  world.errorCount = 1; // the next slot of the same schedule failed
  world.dies = () => false;
  expect(await run()).toMatchObject({ kind: 'published' });
  expect(world.errorCount).toBe(1);
});

it.each([
  ['of its own, whatever its owner calls it', schedule],
  [
    'that a run of an earlier version knew as its place',
    { ...schedule, place: 'romashka.ru', target: undefined },
  ],
])('a run publishes to the address %s', async (_, its) => {
  const places: string[] = [];
  const { run } = aWorld(
    async (place) => {
      places.push(place);
      return { outcome: 'sent', url: null };
    },
    0,
    its,
  );
  await run();
  expect(places).toEqual(['romashka.ru']);
});
