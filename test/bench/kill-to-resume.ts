import { setTimeout as delay } from 'node:timers/promises';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { type BotProcess, startBot, TOKEN } from '../crash/bot-process.ts';
import { startForwarder } from '../crash/forwarder.ts';
import { freePort } from '../crash/free-port.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { scriptedPerson } from '../support/person.ts';
import { median, type Outcome } from './outcome.ts';

const ROUNDS = 2;
const patient = { timeoutMs: 60_000 };

/** Two processes; the one that is busy with a person is killed, and the other goes on. From the kill to the screen. */
export async function killToResume(): Promise<Outcome[]> {
  const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
  const telegram = await startTelegramStandIn({ token: TOKEN, redeliveryMs: 50 });
  const ports = [await freePort(), await freePort()];
  const forwarder = await startForwarder(ports);
  const bots = new Map<number, BotProcess>();
  try {
    for (const port of ports) await start(port);
    const updates: number[] = [];
    const works: number[] = [];
    const screens: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      updates.push(await inAnUpdate());
      works.push(await inWork());
      screens.push(await beforeTheScreen());
    }
    return [
      outcome('an update under way', updates, 'the lock of a dead process expires after 5 s'),
      outcome('work under way', works, 'its lease has 6 to 9 s left, and a sweep comes every 2 s'),
      outcome(
        'a screen decided and not shown',
        screens,
        'it counts as lost after 12 s, and a sweep comes every 2 s',
      ),
    ];
  } finally {
    await Promise.all([...bots.values()].map((bot) => bot.kill()));
    await telegram.close();
    await forwarder.close();
    await redis.close();
    await postgres.close();
  }

  /** Killed under the person's lock, while Telegram takes the screen. */
  async function inAnUpdate(): Promise<number> {
    const person = await atLastQuestion();
    telegram.faults.add({ match: 'sendMessage|editMessageText', times: null, fault: { kind: 'hang' } });
    person.says('нет');
    const victim = await busyOne();
    await delay(300); // the decision is stored, its screen is on the way
    return killed(victim, async () => {
      telegram.faults.clear();
      await person.sees('корректный', patient);
    });
  }

  /** Killed when the update is answered and its work waits for the database. */
  async function inWork(): Promise<number> {
    const person = await atLastQuestion();
    postgres.freeze();
    person.says('https://romashka.ru');
    const victim = await busyOne();
    await delay(1_000);
    return killed(victim, async () => {
      postgres.thaw();
      await person.sees('Проект Цветы на Ленина создан', patient);
    });
  }

  /** Killed when the work's result is stored and Telegram takes its screen. The update was answered before: it does not come again. */
  async function beforeTheScreen(): Promise<number> {
    const person = await atLastQuestion();
    postgres.freeze();
    person.says('https://romashka.ru');
    const victim = await busyOne();
    while (forwarder.inFlight(victim) > 0) await delay(5);
    telegram.faults.add({ match: 'sendMessage|editMessageText', times: null, fault: { kind: 'hang' } });
    postgres.thaw();
    await delay(1_000);
    return killed(victim, async () => {
      telegram.faults.clear();
      await person.sees('Проект Цветы на Ленина создан', patient);
    });
  }

  async function killed(port: number, resumes: () => Promise<void>): Promise<number> {
    const began = performance.now();
    await bots.get(port)!.kill();
    await resumes();
    const seconds = (performance.now() - began) / 1_000;
    await start(port);
    return seconds;
  }

  async function busyOne(): Promise<number> {
    for (;;) {
      const port = ports.find((each) => forwarder.inFlight(each) > 0);
      if (port !== undefined) return port;
      await delay(5);
    }
  }

  async function atLastQuestion() {
    const person = scriptedPerson(telegram, { first_name: 'Анна' });
    person.says('/start');
    await person.presses('Проекты', patient);
    await person.presses('Создать проект', patient);
    for (const [answer, next] of [
      ['Цветы на Ленина', '(2/4)'],
      ['ООО «Ромашка»', '(3/4)'],
      ['Доставка букетов', '(4/4)'],
    ] as const) {
      person.says(answer);
      await person.sees(next, patient);
    }
    // The answer to the webhook comes behind the screen: only the next update may be in flight.
    while (ports.some((port) => forwarder.inFlight(port) > 0)) await delay(5);
    return person;
  }

  async function start(port: number): Promise<void> {
    const bot = await startBot({
      port,
      apiRoot: telegram.url,
      publicUrl: forwarder.url,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
    });
    bots.set(port, bot);
    await bot.started;
  }
}

const outcome = (what: string, seconds: readonly number[], why: string): Outcome => ({
  case: 'kill-to-resume',
  ours: Number(median(seconds).toFixed(1)),
  peer: null,
  ratio: null,
  unit: 's',
  notes: `${what}: from SIGKILL to the person's screen, ${seconds.map((each) => each.toFixed(1)).join(', ')} s; ${why}`,
});
