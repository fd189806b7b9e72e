import { setTimeout as delay } from 'node:timers/promises';
import { type Kept, keptDeliveries } from '../crash/autopost-accounts.ts';
import { type Ground, prepareGround } from '../crash/autopost-ground.ts';
import { startDispatcherProcess } from '../crash/dispatcher-process.ts';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import type { Outcome } from './outcome.ts';

/** Of each of two workspaces. */
const CHANNELS = 12;
const POSTS = ['Первая', 'Вторая', 'Третья'];
/** So long that a dispatcher is killed in the middle of many sends. */
const SLOW_MS = 1_500;
const TARGET_SECONDS = 90;
const PATIENCE_MS = 5 * 60_000;

/** The only dispatcher is killed in the middle of its sends, under production's own leases, and another one starts. */
export async function autopostAfterKill(): Promise<Outcome> {
  const postgres = await startOwnPostgres();
  const ground = await prepareGround({ url: postgres.url, channels: CHANNELS });
  const {
    AUTOPOST_CLAIMED_LEASE_SECONDS: _,
    AUTOPOST_SENDING_LEASE_SECONDS: __,
    ...settings
  } = ground.settings();
  ground.slowDown(SLOW_MS);
  for (const text of POSTS) await ground.post(text);
  const first = startDispatcherProcess(settings);
  let second: typeof first | null = null;
  try {
    await until(ground, (kept) => kept.some(({ status }) => status === 'sent') && kept.some(isHeld));
    await first.kill();
    const held = (await keptDeliveries(ground.sql)).filter(isHeld);
    const killed = performance.now();
    ground.calm();
    second = startDispatcherProcess(settings);
    const kept = await until(ground, (all) => all.every(({ status }) => ended.includes(status)));
    const seconds = (performance.now() - killed) / 1_000;
    const unknown = kept.filter(({ status }) => status === 'unknown').length;
    return {
      case: 'autopost-after-kill',
      ours: Number(seconds.toFixed(1)),
      peer: null,
      ratio: null,
      unit: 's from a kill until every channel has moved',
      notes:
        `${kept.length} deliveries to ${2 * CHANNELS} channels, ${held.length} of them held by the killed process; afterwards ` +
        `${kept.length - unknown} sent and ${unknown} unknown, ${ground.arrivals().length} arrived; target below ${TARGET_SECONDS} s`,
    };
  } finally {
    await Promise.all([first.kill(), second?.kill()]);
    await ground.close();
    await postgres.close();
  }
}

const ended = ['sent', 'unknown'];
const isHeld = ({ status }: Kept): boolean => status === 'claimed' || status === 'sending';

async function until({ sql }: Ground, isSo: (kept: Kept[]) => boolean): Promise<Kept[]> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(100)) {
    const kept = await keptDeliveries(sql);
    if (isSo(kept)) return kept;
  }
  throw new Error('the deliveries did not move in time');
}
