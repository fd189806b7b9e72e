import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { cronOf } from '../../src/services/schedules/cron.ts';
import type { Sql } from '../../src/store/database.ts';
import { makeScheduledCalls } from '../../src/store/scheduled-calls.ts';
import {
  type Author,
  at,
  OTHERS,
  prepared,
  QUIET_MS,
  TARGET_MS,
  told,
  WARM_UP_AUTHORS,
  whilePressing,
} from './busy-bot.ts';
import type { Outcome } from './outcome.ts';

const SLOTS = Number(process.env.BENCH_SLOTS ?? 1_000);
const ZONE = 'Europe/Moscow';
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const MEGABYTE = 1024 * 1024;
const PATIENCE_MS = 60 * 60_000;

/** A thousand schedules are due at once: how long one process takes, ten at a time, and what others notice of it. */
export async function dueSlots(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const ground = await prepared(closing, 1);
    const { bot, sql } = ground;
    const authors = ground.authors.slice(WARM_UP_AUTHORS);
    const memory: number[] = [];
    await whilePressing(ground, () => delay(QUIET_MS)); // warms up the menu
    const quiet = await whilePressing(ground, () => delay(QUIET_MS));
    await planAll(sql, authors);
    const before = await rssOf('memory');
    bot.send('start');
    const began = performance.now();
    const busy = await whilePressing(ground, async () => {
      for (let ended = 0; ended < SLOTS; ended = await endedOf(sql)) {
        if (performance.now() - began > PATIENCE_MS)
          throw new Error(`${ended} of ${SLOTS} slots ended in time`);
        if (ended >= (SLOTS / 4) * memory.length) memory.push(await rssOf());
        await delay(1_000);
      }
    });
    const seconds = (performance.now() - began) / 1000;
    memory.push(await rssOf());
    const after = await rssOf('memory');
    const [published] = await sql<[{ n: number }]>`
      select count(*)::int as n from publication_logs where status = 'success'`;
    return {
      case: 'due-slots',
      ours: Number(at(busy.times, 0.99).toFixed(1)),
      ...{ peer: TARGET_MS, ratio: at(busy.times, 0.99) / TARGET_MS },
      unit: 'ms from a press to its screen, p99',
      notes:
        `${SLOTS} schedules due at once, ${published.n} articles published in ${seconds.toFixed(0)} s ` +
        `(${((SLOTS / seconds) * 60).toFixed(0)} a minute), ten at a time; ${busy.times.length} presses of ${OTHERS} others ` +
        `meanwhile: ${told(busy)}; alone ${told(quiet)}; RSS at each quarter ${memory.map(megabytes).join(' → ')} MB, collected before and after ${megabytes(before)} → ${megabytes(after)} MB; target below ${TARGET_MS} ms`,
    };

    /** `memory`: after collecting, which holds everything up. */
    async function rssOf(order: 'rss' | 'memory' = 'rss'): Promise<number> {
      bot.send(order);
      const [{ rss }] = (await once(bot, 'message')) as [{ rss: number }];
      return rss;
    }
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);

async function endedOf(sql: Sql): Promise<number> {
  const [row] = await sql<[{ n: number }]>`
    select count(*)::int as n from operations where kind = 'scheduled-run' and status = 'done'`;
  return row.n;
}

/** Every author gets further categories, and each of them a schedule for this very minute. */
async function planAll(sql: Sql, authors: readonly Author[]): Promise<void> {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: ZONE,
    hour: '2-digit',
    minute: '2-digit',
  }).format();
  const { set } = makeScheduledCalls(sql);
  for (let n = 0; n < SLOTS; n += 1) {
    const { userId, projectId, categoryId, connectionId } = authors[n % authors.length]!;
    if (n < authors.length) await sql`select refund_balance(${userId}, 100000, ${`for the bench:${userId}`})`;
    const [schedule] = await sql<[{ id: number }]>`
      with category as (
        insert into categories (project_id, name, keywords, image_settings)
        select ${projectId}, 'Кухни ' || ${n}::text, keywords, image_settings from categories where id = ${categoryId}
        returning id)
      insert into platform_schedules (category_id, platform_type, connection_id, schedule_days, schedule_times, enabled)
      select id, 'wordpress', ${connectionId}, ${[...days]}, ${[time]}, true from category returning id`;
    const call = { id: `schedule-${schedule.id}`, path: '/api/publish', failurePath: null, timeZone: ZONE };
    const body = JSON.stringify({ schedule_id: schedule.id, user_id: userId, time });
    await set({ ...call, cron: cronOf(days, time), body }, Date.now());
  }
}
