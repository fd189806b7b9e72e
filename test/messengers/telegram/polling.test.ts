import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreAway } from '../../../src/engine/not-applied.ts';
import { startPolling } from '../../../src/messengers/telegram/polling.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { eventually } from '../../engine/eventually.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const [ANNA, BORIS] = [1001, 1002];
let telegram: TelegramStandIn;
const pollers: { stop(): Promise<void> }[] = [];
const soon = { pauseAfterFailureMs: 30, standstillMs: 200 };

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
});
afterEach(async () => {
  telegram.faults.clear();
  await Promise.all(pollers.splice(0).map((poller) => poller.stop()));
  await telegram.close();
});

/** A bot that writes down what it hears; `handle` may fail or take its time. */
function listening(
  handle: (update: Update, times: number) => Promise<void> = async () => undefined,
  options: Parameters<typeof startPolling>[3] = {},
) {
  const heard: string[] = [];
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const poller = startPolling(
    new Api(token, { apiRoot: telegram.url }),
    async (update) => {
      const text = update.message?.text ?? '?';
      heard.push(text);
      await handle(update, heard.filter((each) => each === text).length);
    },
    log,
    { ...soon, ...options },
  );
  pollers.push(poller);
  return { heard, warnings, stop: poller.stop };
}

const pending = () => telegram.pendingUpdates().map(({ message }) => message?.text);
const MANY = Number.POSITIVE_INFINITY;

describe('long polling', () => {
  it('hears what was said before it came and what is said later', async () => {
    telegram.people.say(ANNA, 'раз');
    const { heard } = listening();
    await eventually(() => heard).toEqual(['раз']);
    telegram.people.say(ANNA, 'два');
    await eventually(() => heard).toEqual(['раз', 'два']);
  });

  it('confirms an update when it was applied, not when it was heard', async () => {
    const doors = new Map<string, () => void>();
    const { heard } = listening(({ message }) => new Promise((done) => doors.set(message!.text!, done)));
    telegram.people.say(ANNA, 'раз');
    await eventually(() => heard).toEqual(['раз']);
    expect(pending()).toEqual(['раз']);
    doors.get('раз')!();
    await eventually(pending).toEqual([]);
  });

  it('takes an update again whose handler failed', async () => {
    const { heard, warnings } = listening(async ({ message }, times) => {
      if (message?.text === 'раз' && times === 1) throw new Error('the store is away');
    });
    telegram.people.say(ANNA, 'раз');
    await eventually(() => heard.filter((text) => text === 'раз')).toHaveLength(2);
    await eventually(pending).toEqual([]);
    expect(warnings).toContain('an update will be taken again');
  });

  it('does not confirm what failed by confirming what came after it', async () => {
    let works = false;
    const { heard } = listening(async ({ message }) => {
      if (message?.text === 'раз' && !works) throw new Error('the store is away');
    });
    telegram.people.say(ANNA, 'раз');
    telegram.people.say(BORIS, 'два');
    await eventually(() => heard.filter((text) => text === 'раз').length).toBeGreaterThan(1);
    expect(pending()).toContain('раз');
    works = true;
    await eventually(pending).toEqual([]);
  });

  it('does not confirm an update that is still being worked on', { timeout: 20_000 }, async () => {
    let finish: () => void = () => undefined;
    const { heard } = listening(({ message }) =>
      message?.text === 'долго' ? new Promise((done) => (finish = done)) : Promise.resolve(),
    );
    telegram.people.say(ANNA, 'долго');
    await eventually(() => heard).toEqual(['долго']);
    telegram.people.say(BORIS, 'быстро');
    // One person's slow update holds nobody else back …
    await eventually(() => heard).toContain('быстро');
    // … and is not lost if the process dies now.
    expect(pending()).toContain('долго');
    expect(heard.filter((text) => text === 'долго')).toHaveLength(1);
    finish();
    await eventually(pending).toEqual([]);
  });

  it('takes again what failed only after a long while', async () => {
    const fail: { now: (error: Error) => void } = { now: () => undefined };
    const { heard } = listening(({ message }, times) =>
      message?.text === 'долго' && times === 1
        ? new Promise((_, reject) => {
            fail.now = reject;
          })
        : Promise.resolve(),
    );
    telegram.people.say(ANNA, 'долго');
    await eventually(() => heard).toEqual(['долго']);
    telegram.people.say(BORIS, 'быстро');
    await eventually(() => heard).toContain('быстро');
    fail.now(new Error('not admitted'));
    await eventually(() => heard).toEqual(['долго', 'быстро', 'долго']);
    await eventually(pending).toEqual([]);
  });

  it('does not let one update stand before everybody for ever', async () => {
    const { heard } = listening(({ message }) =>
      message?.text === 'никогда' ? Promise.reject(new Error('a defect')) : Promise.resolve(),
    );
    telegram.people.say(ANNA, 'никогда');
    await eventually(() => heard).toEqual(['никогда']);
    for (let each = 0; each < 150; each += 1) telegram.people.say(BORIS, `слово ${each}`);
    await eventually(() => heard).toContain('слово 149');
    await eventually(pending).toEqual([]);
  });

  it('gives nothing up while a store is away, however many wait behind it', async () => {
    let isAway = true;
    const applied: string[] = [];
    const { heard } = listening(async ({ message }) => {
      if (isAway) throw new StoreAway('Redis is away');
      applied.push(message!.text!);
    });
    const words = Array.from({ length: 120 }, (_, each) => `слово ${each}`);
    for (const word of words) telegram.people.say(BORIS, word);
    // Four standstills long.
    const [first] = words;
    await eventually(() => heard.filter((word) => word === first).length).toBeGreaterThan(25);
    expect(pending()).toEqual(words);
    isAway = false;
    await eventually(pending).toEqual([]);
    expect(applied).toEqual(words);
  });

  it('outlasts a Telegram that is away for a while', async () => {
    telegram.faults.add({ match: 'getUpdates', times: 2, fault: { kind: 'status', status: 502 } });
    const { heard, warnings } = listening();
    telegram.people.say(ANNA, 'раз');
    await eventually(() => heard).toEqual(['раз']);
    expect(warnings).toContain('Telegram could not be asked for updates');
  });

  it('comes back after another process took its place', async () => {
    const first = listening();
    await eventually(() => telegram.status().connected).toBe(true);
    const second = listening();
    await eventually(() => first.warnings).toContain('Telegram could not be asked for updates'); // 409
    await second.stop();
    telegram.people.say(ANNA, 'раз');
    await eventually(() => [...first.heard, ...second.heard]).toContain('раз');
  });

  it('confirms what it has applied when it stops, and leaves the rest', async () => {
    const { heard, stop } = listening();
    telegram.people.say(ANNA, 'раз');
    await eventually(() => heard).toEqual(['раз']);
    await stop();
    telegram.people.say(ANNA, 'два');
    expect(pending()).toEqual(['два']);
  });

  it('stops at once while nothing happens', async () => {
    const { stop } = listening();
    await eventually(() => telegram.status().connected).toBe(true);
    await stop();
  });

  it('waits for news again when an update that failed was confirmed by somebody else', async () => {
    const asked: (number | undefined)[][] = [];
    const answers = [[{ update_id: 7 }], [], [{ update_id: 9 }]];
    const telegramOfTwo = {
      getUpdates({ offset, timeout }: { offset?: number; timeout?: number }, signal?: AbortSignal) {
        asked.push([offset, timeout]);
        const answer = answers.shift();
        if (answer) return Promise.resolve(answer);
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    } as unknown as Api;
    const failsOnce = async ({ update_id }: Update) => {
      if (update_id === 7) throw new Error('the store is away');
    };
    pollers.push(
      startPolling(telegramOfTwo, failsOnce, pino({ level: 'silent' }), { ...soon, lastPatienceMs: 10 }),
    );
    await eventually(() => asked).toEqual([
      [0, 25],
      [7, 0],
      [7, 0],
      [10, 25],
    ]);
  });

  it('stops though Telegram has gone silent', async () => {
    const { heard, stop } = listening(undefined, { lastPatienceMs: 100 });
    telegram.people.say(ANNA, 'раз');
    await eventually(() => heard).toEqual(['раз']);
    telegram.faults.add({ match: 'getUpdates', times: MANY, fault: { kind: 'hang' } });
    await stop();
  });

  it('stops though Telegram is away', async () => {
    telegram.faults.add({ match: 'getUpdates', times: MANY, fault: { kind: 'reset' } });
    const { stop, warnings } = listening();
    await eventually(() => warnings.length).toBeGreaterThan(0);
    await stop();
  });
});
