import { describe, expect, inject, it, type TestContext, vi } from 'vitest';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';
import { type BotProcess, startBot, TOKEN } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { type Outage, startOwnPostgres, startOwnRedis } from './throwaway-servers.ts';

const OUTAGE = 'Сейчас не получается ответить';
const patient = { timeoutMs: patience(30_000) };

type Way = { name: string; take(server: Outage): unknown; giveBack(server: Outage): unknown };

const ways: Way[] = [
  { name: 'is gone', take: (server) => server.end(), giveBack: (server) => server.startAgain() },
  { name: 'does not answer', take: (server) => server.freeze(), giveBack: (server) => server.thaw() },
];

// Side by side: most of it is waiting for somebody who does not answer.
describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  'a person in the wizard while a store is away (needs PostgreSQL and redis-server)',
  { timeout: patience(120_000), concurrent: true },
  () => {
    for (const way of ways) {
      it(`waits while Redis ${way.name}, is told so once, and is answered in order when it is back`, async (context) => {
        const { bot, redis, person } = await personAtCompanyQuestion(context);

        await way.take(redis);
        await healthBecomes(bot, 503);
        person.says('ООО «Ромашка»');
        person.says('Доставка букетов');
        await person.sees(OUTAGE, patient);
        expect(person.pending()).toHaveLength(2);

        await way.giveBack(redis);
        await person.sees('(4/4)', patient);
        await untilTaken(person);
        await person.presses('Пропустить', patient);
        await person.sees('Проект Цветы на Ленина создан', patient);
        expect(toldOfOutage(person)).toBe(1);
        expect(bot.isReady()).toBe(true);
      });

      it(`goes on while PostgreSQL ${way.name}, and what needs it is answered when it is back`, async (context) => {
        const { bot, postgres, person } = await personAtCompanyQuestion(context);

        await way.take(postgres);
        await healthBecomes(bot, 503);
        person.says('ООО «Ромашка»'); // the questions need only Redis
        await person.sees('(3/4)', patient);
        person.says('Меню'); // the dashboard needs the database
        person.says('Где я?');
        await person.sees(OUTAGE, patient);
        expect(person.pending()).toHaveLength(2);

        await way.giveBack(postgres);
        await person.sees('Не понял вас', patient); // asked in the menu, so after it
        await untilTaken(person);
        expect(toldOfOutage(person)).toBe(1);
        expect(bot.isReady()).toBe(true);
      });
    }

    it('can save the project after all when the database comes back', async (context) => {
      const { bot, postgres, person } = await personAtCompanyQuestion(context);
      person.says('ООО «Ромашка»');
      await person.sees('(3/4)', patient);
      person.says('Доставка букетов');
      await person.sees('(4/4)', patient);

      await postgres.end();
      await person.presses('Пропустить', patient);
      await person.sees('Проект пока не создан', patient);
      await person.presses('Повторить', patient);
      await untilTaken(person);

      await postgres.startAgain();
      await healthBecomes(bot, 200);
      await person.presses('Повторить', patient);
      await person.sees('Проект Цветы на Ленина создан', patient);
      const database = await openDatabase({ url: postgres.url, dataDir: '', max: 1 });
      context.onTestFinished(database.close);
      expect(await database.sql`select name, company_name from projects`).toEqual([
        { name: 'Цветы на Ленина', company_name: 'ООО «Ромашка»' },
      ]);
    });
  },
);

async function personAtCompanyQuestion({ onTestFinished }: TestContext) {
  const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis()]);
  onTestFinished(postgres.close);
  onTestFinished(redis.close);
  const telegram = await startTelegramStandIn({ token: TOKEN, redeliveryMs: 50 });
  onTestFinished(telegram.close);
  const bot = await startBot({
    port: await freePort(),
    apiRoot: telegram.url,
    databaseUrl: postgres.url,
    redisUrl: redis.url,
  });
  onTestFinished(bot.kill);
  await bot.started;
  const person = Object.assign(scriptedPerson(telegram), { pending: telegram.pendingUpdates });
  person.says('/start');
  await person.sees('Вам начислено', patient);
  await person.presses('Проекты', patient);
  await person.presses('Создать проект', patient);
  await person.sees('(1/4)', patient);
  person.says('Цветы на Ленина');
  await person.sees('(2/4)', patient);
  return { bot, postgres, redis, person };
}

function toldOfOutage(person: ScriptedPerson): number {
  return person.messages().filter(({ text }) => text?.startsWith(OUTAGE)).length;
}

/** Until Telegram has brought everything the person said, and the bot has dealt with it in one way or another. */
async function untilTaken(person: { pending(): unknown[] }): Promise<void> {
  await vi.waitUntil(() => person.pending().length === 0, { timeout: patience(30_000) });
}

async function healthBecomes(bot: BotProcess, status: number): Promise<void> {
  await vi.waitUntil(async () => (await bot.health()) === status, { timeout: patience(30_000) });
}
