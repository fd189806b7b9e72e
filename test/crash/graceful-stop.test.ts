import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { scriptedPerson } from '../support/person.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { startBot, TOKEN } from './bot-process.ts';
import { startForwarder } from './forwarder.ts';
import { freePort } from './free-port.ts';
import { ownRedis } from './own-redis.ts';

const REDIS_DATABASE = 12;
const PEOPLE = 12;
// Slow enough that SIGTERM finds every update in the middle of its screen.
const TELEGRAM_TAKES_MS = 1_200;
const patient = { timeoutMs: patience(20_000) };

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  'a process that is asked to stop (needs PostgreSQL and redis-server)',
  () => {
    const closing: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    it('finishes what it has begun, refuses what is new, and leaves with 0', {
      timeout: patience(90_000),
    }, async () => {
      const { telegram, forwarder, database, startProcess } = await setting();
      const first = await startProcess();
      const people = Array.from({ length: PEOPLE }, (_, n) =>
        scriptedPerson(telegram, { first_name: `Человек ${n}` }),
      );
      await Promise.all(people.map((person) => reachWebsiteQuestion(person)));
      telegram.faults.add({
        match: 'sendMessage|editMessageText',
        times: null,
        fault: { kind: 'slow', ms: TELEGRAM_TAKES_MS },
      });

      const before = forwarder.answers.length;
      people.forEach((person, n) => {
        person.says(`https://site-${n}.example.ru`);
      });
      await expect.poll(() => forwarder.inFlight(first.port), { timeout: patience(5_000) }).toBe(PEOPLE);
      const logged = first.log().length;
      first.signal('SIGTERM');
      const latecomers = [];
      while (!forwarder.answers.slice(before).includes(503)) {
        const latecomer = scriptedPerson(telegram, { first_name: 'Опоздавший' });
        latecomer.says('/start');
        latecomers.push(latecomer);
        await delay(50);
      }

      expect(await first.exited).toEqual({ code: 0, signal: null });
      // No connection was cut: each update was answered, with "done" or with "bring it to another".
      expect(forwarder.answers.slice(before)).toContain(200);
      expect(forwarder.cut()).toBe(0);
      expect(first.log().slice(logged)).toEqual([]);

      telegram.faults.clear();
      await startProcess();
      for (const person of people) await person.sees('создан', patient);
      for (const latecomer of latecomers) await latecomer.sees('Вам начислено', patient);
      const rows = await database.sql<
        { url: string }[]
      >`select website_url as url from projects order by user_id`;
      expect(rows.map(({ url }) => url)).toEqual(people.map((_, n) => `https://site-${n}.example.ru`));
    });

    it('leaves at once when nobody is waiting for anything', { timeout: patience(60_000) }, async () => {
      const { startProcess } = await setting();
      const idle = await startProcess();
      idle.signal('SIGTERM');
      expect(await idle.exited).toEqual({ code: 0, signal: null });
    });

    async function setting() {
      const databaseUrl = await freshPostgresUrl();
      const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 1 });
      closing.push(database.close);
      const redis = await ownRedis(REDIS_DATABASE);
      closing.push(redis.close);
      const telegram = await startTelegramStandIn({ token: TOKEN, redeliveryMs: 50 });
      closing.push(telegram.close);
      const port = await freePort();
      const forwarder = await startForwarder([port]);
      closing.push(forwarder.close);
      return { telegram, forwarder, database, startProcess };

      async function startProcess() {
        const bot = await startBot({
          port,
          apiRoot: telegram.url,
          publicUrl: forwarder.url,
          databaseUrl,
          redisUrl: redis.url,
        });
        closing.push(bot.kill);
        await bot.started;
        return bot;
      }
    }
  },
);

async function reachWebsiteQuestion(person: ReturnType<typeof scriptedPerson>): Promise<void> {
  person.says('/start');
  await person.sees('Вам начислено', patient);
  await person.presses('Проекты', patient);
  await person.presses('Создать проект', patient);
  await person.sees('(1/4)', patient);
  person.says('Цветы на Ленина');
  await person.sees('(2/4)', patient);
  person.says('ООО «Ромашка»');
  await person.sees('(3/4)', patient);
  person.says('Доставка букетов');
  await person.sees('(4/4)', patient);
}
