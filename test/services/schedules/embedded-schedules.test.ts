import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { closeServer, createHttpServer, listen, readBody, sendJson } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log.ts';
import { createEmbeddedSchedules } from '../../../src/services/schedules/embedded-schedules.ts';
import { makeScheduledCalls } from '../../../src/store/scheduled-calls.ts';
import { forEachDatabase } from '../../support/stores.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 1);

forEachDatabase((sql) => {
  /** An endpoint that notes the ids of the calls; several schedulers share its clock and the database. */
  async function world(processes: number) {
    await sql()`delete from scheduled_calls`;
    await sql()`delete from queued_calls`;
    const arrived: string[] = [];
    const clock = { now: START };
    const server = createHttpServer(
      [
        async (request, response) => {
          await readBody(request, 10_000);
          arrived.push(String(request.headers['upstash-message-id']));
          await sleep(1);
          sendJson(response, 200, {});
          return true;
        },
      ],
      (error) => {
        throw error;
      },
    );
    const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    const schedulers = Array.from({ length: processes }, () =>
      createEmbeddedSchedules({
        ...{ store: makeScheduledCalls(sql()), signingKey: 'sig_of-no-value', publicUrl: url },
        ...{ ownUrl: () => url, log: createLog('silent'), now: () => clock.now },
      }),
    );
    return { arrived, clock, schedulers, tick, close: () => closeServer(server) };

    async function tick(): Promise<void> {
      await Promise.all(schedulers.map((each) => each.tick()));
      await Promise.all(schedulers.map((each) => each.settled()));
    }
  }

  const daily = (id: string, hour: number) => ({
    ...{ id, path: '/api/publish', body: {}, timeZone: 'Europe/Berlin' },
    cron: `0 ${hour} * * *`,
  });

  it('two processes play a month of schedules, summer time in it, and every slot is called once', async () => {
    const { arrived, clock, schedulers, tick, close } = await world(2);
    for (let hour = 6; hour < 11; hour += 1) await schedulers[0]!.set(daily(`s${hour}`, hour));
    for (let hours = 0; hours < 31 * 24; hours += 1) {
      clock.now += HOUR;
      await tick();
    }
    await close();
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(arrived).toHaveLength(31 * 5);
  });

  it('after days without a process only the last missed slot is called', async () => {
    const { arrived, clock, schedulers, tick, close } = await world(1);
    await schedulers[0]!.set(daily('s9', 9));
    clock.now += 4 * 24 * HOUR;
    await tick();
    await tick();
    await close();
    expect(arrived).toEqual([`s9@${Date.UTC(2026, 2, 4, 8)}`]);
  });

  it('a delivery whose process died is made by another one when its lease has ended', async () => {
    const { arrived, clock, schedulers, tick, close } = await world(1);
    await schedulers[0]!.later({ id: 'once', path: '/api/publish', body: {}, delaySeconds: 0 });
    await makeScheduledCalls(sql()).claim(10, clock.now, 60_000); // the one that died
    await tick();
    expect(arrived).toEqual([]);
    clock.now += 61_000;
    await tick();
    await close();
    expect(arrived).toEqual(['once']);
  });
});
