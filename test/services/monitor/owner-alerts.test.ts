import { describe, expect, it } from 'vitest';
import { AiFailed } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import {
  outageTexts,
  ownerAlerts,
  ownerLimits,
  repeatedAlert,
} from '../../../src/screens/pages/owner-alerts.ts';
import { freeShare } from '../../../src/services/monitor/disk.ts';
import { makeModelFailures } from '../../../src/services/monitor/model-failures.ts';
import { makeReportConditions } from '../../../src/services/monitor/report-conditions.ts';
import { makeWatchServices } from '../../../src/services/monitor/watch-services.ts';
import { makeIsFirstToTell } from '../../../src/store/first-to-tell.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';

/** The owner's chat; it can be out of reach. */
function aChat() {
  const chat = {
    messages: [] as string[],
    isAway: false,
    async tell(text: string) {
      if (chat.isAway) throw new Error('Telegram is away');
      chat.messages.push(text);
    },
    read: () => chat.messages.splice(0),
  };
  return chat;
}

describe('an outage of a store', () => {
  const aHouse = (processes: number) => {
    const chat = aChat();
    const store = createMemoryKeyValueStore();
    const world = { now: 0, isUp: true };
    const watches = Array.from({ length: processes }, () =>
      makeWatchServices({
        checkServices: async () => [
          { name: 'database', optional: false, isUp: world.isUp, latencyMs: 1 },
          { name: 'redis', optional: false, isUp: true, latencyMs: 1 },
        ],
        isFirstToTell: makeIsFirstToTell([store]),
        texts: outageTexts,
        tell: chat.tell,
        now: () => world.now,
      }),
    );
    const look = async () => {
      world.now += 15_000;
      for (const watch of watches) await watch();
    };
    const lookFor = async (minutes: number) => {
      for (let i = 0; i < minutes * 4; i += 1) await look();
    };
    return { chat, world, look, lookFor };
  };

  it('is told by one of two processes, not at a hiccup; again when it has doubled; and its end once', async () => {
    const { chat, world, look, lookFor } = aHouse(2);
    world.isUp = false;
    await look();
    world.isUp = true;
    await look();
    expect(chat.read()).toEqual([]);

    world.isUp = false;
    await look();
    await look();
    expect(chat.read()).toEqual([expect.stringMatching(/^🔴 База данных не отвечает\.\n/u)]);
    await lookFor(9);
    expect(chat.read()).toEqual([]);
    await lookFor(35);
    expect(chat.read()).toEqual([
      expect.stringContaining('не отвечает уже 10 минут'),
      expect.stringContaining('не отвечает уже 20 минут'),
      expect.stringContaining('не отвечает уже 40 минут'),
    ]);
    world.isUp = true;
    await look();
    await look();
    expect(chat.read()).toEqual([expect.stringMatching(/^🟢 База данных: снова отвечает/u)]);
  });

  it('is told as soon as the chat can be reached again', async () => {
    const { chat, world, look } = aHouse(1);
    world.isUp = false;
    chat.isAway = true;
    await look();
    await expect(look()).rejects.toThrow('Telegram is away');
    chat.isAway = false;
    await look();
    expect(chat.read()).toHaveLength(1);
  });
});

describe('what waits for the owner', () => {
  const aReporter = () => {
    const chat = aChat();
    const amounts = new Map<string, number>();
    const told = {
      amountOf: async (name: string) => amounts.get(name) ?? 0,
      keep: async (name: string, amount: number) => void amounts.set(name, amount),
      forget: async (name: string) => void amounts.delete(name),
    };
    const words = { limits: ownerLimits, texts: ownerAlerts, repeated: repeatedAlert };
    return { chat, told, words, report: makeReportConditions({ ...words, told, tell: chat.tell }) };
  };

  it('is told once, again when it has doubled, and when it is over', async () => {
    const { chat, report } = aReporter();
    const amounts = [0, 1, 1, 2, 3, 4, 3, 0, 0, 1];
    const told: number[] = [];
    for (const amount of amounts) {
      await report([{ kind: 'unknown', amount }]);
      told.push(chat.read().length);
    }
    expect(told).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it('is not told at every wave around its limit', async () => {
    const { chat, report } = aReporter();
    for (const amount of [310, 290, 310, 290, 310]) await report([{ kind: 'lag', amount }]);
    expect(chat.read()).toEqual([expect.stringContaining('опаздывают на 5 минут')]);
    await report([{ kind: 'lag', amount: 10 }]);
    expect(chat.read()).toEqual(['🟢 Расписания снова идут вовремя.']);
  });

  it('is told at the next look when the chat was out of reach', async () => {
    const { chat, report } = aReporter();
    chat.isAway = true;
    await expect(report([{ kind: 'queue', amount: 900 }])).rejects.toThrow();
    chat.isAway = false;
    await report([{ kind: 'queue', amount: 900 }]);
    expect(chat.read()).toEqual([expect.stringContaining('ждёт отправки 15 минут')]);
  });

  it('is told again after a crash between telling and noting, and says that it may be a repeat', async () => {
    const { chat, told, words, report } = aReporter();
    const dies = makeReportConditions({
      ...words,
      told: {
        ...told,
        keep: async (name, amount) => (name === 'queue' ? new Promise(() => {}) : told.keep(name, amount)),
      },
      tell: chat.tell,
    });
    void dies([{ kind: 'queue', amount: 900 }]);
    await expect.poll(() => chat.messages).toHaveLength(1);
    await report([{ kind: 'queue', amount: 900 }]);
    const [first, second] = chat.read();
    expect(second).toBe(`${first}\nПовторяю на всякий случай: бот перезапускался.`);
    await report([{ kind: 'queue', amount: 900 }]);
    await report([{ kind: 'queue', amount: 0 }]);
    expect(chat.read()).toEqual(['🟢 Автопостинг: очередь снова движется.']);
  });

  it('of a disk is told when little is left, and again when half of that is gone', async () => {
    const { chat, report } = aReporter();
    for (const free of [0.5, 0.14, 0.1, 0.06, 0.4])
      await report([{ kind: 'disk', amount: 1 / free, of: 'srv-1' }]);
    expect(chat.read()).toEqual([
      expect.stringContaining('(srv-1) осталось 14 % места'),
      expect.stringContaining('(srv-1) осталось 6 % места'),
      expect.stringContaining('(srv-1) снова достаточно'),
    ]);
    expect(await freeShare('.')).toBeGreaterThan(0);
    expect(await freeShare('/nowhere/at/all')).toBe(1);
  });
});

describe('models that fail', () => {
  it('are counted while no answer comes in any process; a refused topic is no failure', async () => {
    const counters = createMemoryKeyValueStore();
    const log = createLog('silent', false);
    const [one, two] = [makeModelFailures({ counters, log }), makeModelFailures({ counters, log })];
    let end: 'answers' | 'unavailable' | 'filtered' = 'unavailable';
    const ask = async () => {
      if (end !== 'answers') throw new AiFailed(end, 'no');
      return 'text';
    };
    const asked = [one.watched('texts', ask), two.watched('texts', ask)];
    for (const each of [...asked, ...asked]) await expect(each()).rejects.toThrow(AiFailed);
    end = 'filtered';
    await expect(asked[0]!()).rejects.toThrow(AiFailed);
    expect(await two.inARow('texts')).toBe(4);
    expect(await two.inARow('pictures')).toBe(0);
    end = 'answers';
    expect(await asked[1]!()).toBe('text');
    expect(await one.inARow('texts')).toBe(0);
  });
});
