import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type QStashStandIn, standInKeys, startQStashStandIn } from '../../src/sandbox/qstash/start.ts';
import { patience } from '../support/patience.ts';
import { always, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

const TOKEN = 'qstash-token-of-no-value';

describe('schedules at QStash', () => {
  let qstash: QStashStandIn;
  let played: PlayedBot;
  beforeAll(async () => {
    qstash = await startQStashStandIn({ token: TOKEN, clock: () => Date.now() });
    played = await startPlayedBot('embedded', {
      ...{ QSTASH_TOKEN: TOKEN, QSTASH_URL: qstash.url, PUBLIC_URL: 'http://127.0.0.1:9' },
      ...{ QSTASH_CURRENT_SIGNING_KEY: standInKeys.current, QSTASH_NEXT_SIGNING_KEY: standInKeys.next },
    });
  });
  afterEach(() => qstash.faults.clear());
  afterAll(async () => {
    await played.stop();
    await qstash.close();
  });
  const { sql } = { sql: () => played.bot.app.sql };

  const setThere = async () => {
    const answer = await fetch(`${qstash.url}/v2/schedules`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const list = (await answer.json()) as {
      scheduleId: string;
      flowControlKey: string;
      parallelism: number;
    }[];
    return list.filter(({ scheduleId }) => scheduleId.startsWith('schedule-'));
  };
  const setIds = async () => (await setThere()).map(({ scheduleId }) => scheduleId);
  const rowOf = async ({ categoryId }: { categoryId: number }) => {
    const [row] = await sql()<{ isOn: boolean; triggers: string[] }[]>`
      select enabled as "isOn", qstash_schedule_ids as triggers from platform_schedules where category_id = ${categoryId}`;
    return row;
  };
  const isAway = () =>
    qstash.faults.add({ match: '/v2/schedules', times: always, fault: { kind: 'status', status: 503 } });

  it('are not half saved when it is away: nothing is switched on, and the person is told to try again', async () => {
    const anna = await played.customer();
    isAway();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Планировщик сейчас не отвечает, расписание не изменилось');
    expect((await rowOf(anna))?.isOn ?? false).toBe(false);
    qstash.faults.clear();
    expect(await setIds()).toEqual([]);
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    expect(await setIds()).toEqual((await rowOf(anna))?.triggers);
    expect(await setThere(), 'a thousand at one hour wait there').toMatchObject([
      { flowControlKey: 'api-publish', parallelism: 20 },
    ]);
    await anna.forges(`project:${anna.projectId}:delete`);
    await anna.presses('Да, удалить');
    expect(await setIds()).toEqual([]);
  });

  it('are removed there in the end, also when it was away while their category was deleted (E11)', async () => {
    const anna = await played.customer();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    expect(await setIds()).toHaveLength(1);
    isAway();
    await anna.forges(`category:${anna.categoryId}:delete`);
    await anna.presses('Да, удалить');
    expect(await rowOf(anna)).toBeUndefined();
    qstash.faults.clear();
    expect(await setIds(), 'still there').toHaveLength(1);
    await expect
      .poll(
        async () => {
          await sql()`update operations set run_after = now() where kind = 'remove-trigger'`;
          await played.bot.app.runJobs();
          return setIds();
        },
        { timeout: patience(20_000) },
      )
      .toEqual([]);
  });
});
