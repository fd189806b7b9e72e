import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { disagreements, keptDeliveries, unexplainedAttempts } from './autopost-accounts.ts';
import { type Ground, prepareGround } from './autopost-ground.ts';
import type { DispatcherProcess } from './dispatcher-process.ts';
import { seeded } from './seeded.ts';

/**
 * Three dispatchers are killed without a warning, one after the other, while posts come in and the messengers lose
 * answers. A full minute with another seed:
 *   AUTOPOST_MATRIX_SECONDS=60 AUTOPOST_MATRIX_SEED=7 npx vitest run --config test/vitest.config.ts test/crash/autopost-matrix
 */
const SECONDS = Number(process.env.AUTOPOST_MATRIX_SECONDS ?? 8);
const SEED = Number(process.env.AUTOPOST_MATRIX_SEED ?? 1);
const DISPATCHERS = 3;
const PATIENCE_MS = patience(90_000);

describe.skipIf(!inject('postgresUrl'))('dispatchers that are killed at random (needs PostgreSQL)', () => {
  it(`lose nothing and send nothing twice in ${SECONDS} s (seed ${SEED})`, {
    timeout: SECONDS * 1000 + PATIENCE_MS + 60_000,
  }, async () => {
    const random = seeded(SEED);
    const ground = await prepareGround({ url: await freshPostgresUrl(), channels: 8 });
    onTestFinished(ground.close);
    const processes = Array.from({ length: DISPATCHERS }, ground.startProcess);
    onTestFinished(async () => void (await Promise.all(processes.map((one) => one.kill()))));
    await Promise.all(processes.map(({ started }) => started));

    const end = performance.now() + SECONDS * 1000;
    const writing = writePosts(ground, end);
    let kills = 0;
    while (performance.now() < end) {
      await sleep(random.between(200, 900));
      ground.addFaults(random);
      kills += await killOne(ground, processes, random.whole(0, DISPATCHERS - 1));
    }
    const posts = await writing;
    ground.calm();
    await untilQuiet(ground);

    const kept = await keptDeliveries(ground.sql);
    const arrived = ground.arrivals();
    console.log(summary(kept, { seed: SEED, kills, posts, arrived: arrived.length }));
    expect(disagreements(kept, arrived, ground.plans)).toEqual([]);
    expect(await unexplainedAttempts(ground.sql)).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });
});

/** Only one that is at work: a process that is killed while it starts proves nothing. */
async function killOne(ground: Ground, processes: DispatcherProcess[], at: number): Promise<number> {
  const victim = processes[at]!;
  const isAtWork = await Promise.race([victim.started.then(() => true), sleep(0).then(() => false)]);
  if (!isAtWork) return 0;
  await victim.kill();
  processes[at] = ground.startProcess();
  return 1;
}

async function writePosts(ground: Ground, end: number): Promise<number> {
  let posts = 0;
  while (performance.now() < end) {
    await ground.post(`Новость ${++posts}`);
    await sleep(250);
  }
  return posts;
}

async function untilQuiet({ sql }: Ground): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await sql<[{ left: number }]>`
      select count(*)::int as left from deliveries where status in ('queued', 'claimed', 'sending', 'retry')`;
    if (row.left === 0) return;
    if (performance.now() > deadline) throw new Error(`${row.left} deliveries are still on their way`);
    await sleep(100);
  }
}

function summary(kept: readonly { status: string }[], about: Record<string, number>): string {
  const count = (status: string) => kept.filter((one) => one.status === status).length;
  return JSON.stringify({
    ...about,
    deliveries: kept.length,
    sent: count('sent'),
    unknown: count('unknown'),
  });
}
