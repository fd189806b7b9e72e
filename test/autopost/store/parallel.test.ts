import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/autopost/store/claims.ts';
import type { Sql } from '../../../src/store/database.ts';
import { databaseKinds, freshDatabase, opening } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

/** What becomes of a delivery in the hands of a worker. */
const fate = fc.constantFrom(
  'sent',
  'sent',
  'sent',
  'retry',
  'failed',
  'unknown',
  'died claimed',
  'died sending',
);
const setting = fc.record({
  channels: fc.integer({ min: 1, max: 4 }),
  messages: fc.integer({ min: 1, max: 6 }),
  maxParallel: fc.integer({ min: 1, max: 3 }),
  rateRps: fc.constantFrom(0, 200),
  groupRps: fc.constantFrom(null, 300),
  allowDuplicates: fc.boolean(),
  fates: fc.array(fate, { minLength: 4, maxLength: 12 }),
});
type Setting = typeof setting extends fc.Arbitrary<infer Value> ? Value : never;
type Workspace = Awaited<ReturnType<typeof aWorkspace>>;
type Call = { deliveryId: string; channelId: string; at: number; overtakes: boolean };

const WORKERS = 4;
const finished = ['sent', 'failed_permanent', 'dead', 'unknown'];

// Only where there are several connections: on one, nothing happens at the same time.
describe.skipIf(!databaseKinds.includes('PostgreSQL'))('workers at the same time', () => {
  const opened = opening(() => freshDatabase('PostgreSQL'));

  it('lose nothing, send nothing twice, and keep order, slots and parallel sends, whatever dies when', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (given) => {
        const { workspace, calls } = await play(opened().sql, given);
        const statuses = await workspace.statuses();
        expect(statuses).toHaveLength(given.channels * given.messages);
        expect(statuses.filter((status) => !finished.includes(status))).toEqual([]);
        if (!given.allowDuplicates) expectNoRepeats(calls, given);
        if (given.maxParallel === 1) expect(calls.filter(({ overtakes }) => overtakes)).toEqual([]);
        if (given.rateRps > 0) for (const own of byChannel(calls)) expectGaps(own, 1000 / given.rateRps);
        if (given.groupRps) expectGaps(calls, 1000 / given.groupRps);
        expect(await attemptsOnRecord(opened().sql, workspace.id)).toBe(calls.length);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('claim each delivery once', async () => {
    const workspace = await aWorkspace(opened().sql, { channels: 20, maxParallel: 10 });
    for (let i = 0; i < 5; i++) await workspace.post(`Скидки ${i}`);
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => workspace.claim({ limit: 30, perChannel: 10 })),
    );
    const taken = claims.flat().map(({ deliveryId }) => deliveryId);
    expect(taken).toHaveLength(100);
    expect(new Set(taken).size).toBe(100);
  });

  it('begin no more of a channel at once than it allows', async () => {
    const workspace = await aWorkspace(opened().sql, { maxParallel: 3 });
    for (let i = 0; i < 5; i++) await workspace.post(`Скидки ${i}`);
    const held = await workspace.claim();
    const begun = await Promise.all(held.map((one) => workspace.claims.begin(workspace.id, [one])));
    expect(begun.flat().filter(({ outcome }) => outcome === 'sending')).toHaveLength(3);
  });
});

/** Workers take and send until nothing is left, each delivery meeting the next fate of the list. */
async function play(sql: Sql, { channels, messages, groupRps, fates, ...every }: Setting) {
  const workspace = await aWorkspace(sql, { channels, ...every });
  if (groupRps) await workspace.workspaces.saveLimit(workspace.id, 'telegram', 'bot', groupRps);
  for (let i = 0; i < messages; i++) await workspace.post(`${i}`);
  const calls: Call[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: WORKERS }, () => work()));
  return { workspace, calls };

  async function work() {
    for (let idle = 0; idle < 3; ) {
      const held = await workspace.claim({ limit: 3, perChannel: 2, horizonMs: 20 });
      if (held.length > 0) await handle(held);
      else if (await tidyUp(sql, workspace)) idle++;
    }
  }

  async function handle(held: readonly ClaimedDelivery[]) {
    let mine = [...held];
    while (mine.length > 0) {
      const destiny = fates[next++ % fates.length]!;
      if (destiny === 'died claimed') return;
      const begun = await workspace.claims.begin(workspace.id, mine, { leadMs: 50 });
      const outcomes = new Map(begun.map((one) => [one.deliveryId, one]));
      for (const one of mine) {
        const { outcome } = outcomes.get(one.deliveryId)!;
        if (outcome === 'sending') await send(one, destiny);
      }
      mine = mine.filter(({ deliveryId }) => outcomes.get(deliveryId)!.outcome === 'wait');
    }
  }

  async function send(one: ClaimedDelivery, destiny: string) {
    const [row] = await sql<[{ at: number; overtakes: boolean }]>`
      select (extract(epoch from d.sending_started_at) * 1000)::double precision as at, exists (
        select from deliveries e where e.workspace_id = d.workspace_id and e.channel_id = d.channel_id
          and e.seq < d.seq and e.is_in_hand) as overtakes
      from deliveries d where d.workspace_id = ${one.workspaceId} and d.delivery_id = ${one.deliveryId}`;
    calls.push({ deliveryId: one.deliveryId, channelId: one.channelId, ...row });
    if (destiny === 'sent') await workspace.results.markSent([{ ...one, providerMessageId: '1' }]);
    if (destiny === 'retry') await workspace.results.scheduleRetry(one, refusal({ retry_after_ms: 1 }));
    if (destiny === 'failed') await workspace.results.failPermanent(one, refusal({ category: 'PERMANENT' }));
    if (destiny === 'unknown') await workspace.results.markUnknown(one, refusal());
  }
}

/** Leases of the dead run out at once here, and no retry waits. True: nothing is left to do. */
async function tidyUp(sql: Sql, { id, monitor }: Workspace): Promise<boolean> {
  await monitor.releaseStale({ workspaceId: id, claimedLeaseMs: 300, sendingLeaseMs: 300 });
  await sql`update deliveries set next_retry_at = clock_timestamp()
    where workspace_id = ${id} and status = 'retry' and next_retry_at > clock_timestamp()`;
  const [row] = await sql<[{ left: number }]>`
    select count(*)::integer as left from deliveries where workspace_id = ${id} and (is_waiting or is_in_hand)`;
  return row.left === 0;
}

/** A provider is called again only after it refused. */
function expectNoRepeats(calls: readonly Call[], { fates }: Setting) {
  const most = fates.includes('retry') ? 5 : 1;
  const counts = grouped(calls, ({ deliveryId }) => deliveryId);
  for (const own of counts.values()) expect(own.length).toBeLessThanOrEqual(most);
}

function expectGaps(calls: readonly Call[], gapMs: number) {
  const times = calls.map(({ at }) => at).sort((a, b) => a - b);
  for (let i = 1; i < times.length; i++)
    expect(times[i]! - times[i - 1]!).toBeGreaterThanOrEqual(gapMs - 0.01);
}

const byChannel = (calls: readonly Call[]): Call[][] => [
  ...grouped(calls, ({ channelId }) => channelId).values(),
];

function grouped(calls: readonly Call[], keyOf: (call: Call) => string): Map<string, Call[]> {
  const groups = new Map<string, Call[]>();
  for (const call of calls) groups.set(keyOf(call), [...(groups.get(keyOf(call)) ?? []), call]);
  return groups;
}

async function attemptsOnRecord(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql<[{ amount: number }]>`
    select count(*)::integer as amount from events where workspace_id = ${workspaceId} and action = 'send_attempt'`;
  return row.amount;
}
