import { randomUUID } from 'node:crypto';
import { makeClaims } from '../../../src/autopost/store/claims.ts';
import type { DeliveryStatus, NormalizedError } from '../../../src/autopost/store/delivery.ts';
import { makeEnqueue, type NewMessage } from '../../../src/autopost/store/enqueue.ts';
import { makeMonitor } from '../../../src/autopost/store/monitor.ts';
import { makeOperators } from '../../../src/autopost/store/operators.ts';
import { makeResults } from '../../../src/autopost/store/results.ts';
import { makeWorkspaces, type NewChannel } from '../../../src/autopost/store/workspaces.ts';
import type { Sql } from '../../../src/store/database.ts';
import { createSealing } from '../../../src/store/sealing.ts';

export const sealing = createSealing(['MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=']);

/** A tenant of its own with channels `c1`, `c2`, …, without limits unless they are asked for. */
export async function aWorkspace(
  sql: Sql,
  { channels = 1, ...every }: { channels?: number } & Partial<NewChannel> = {},
) {
  const id = randomUUID();
  const workspaces = makeWorkspaces(sql, sealing);
  const enqueue = makeEnqueue(sql);
  const claims = makeClaims(sql);
  await workspaces.save(id, 'Окна Плюс');
  for (let i = 1; i <= channels; i++) await saveChannel(`c${i}`);
  return {
    id,
    workspaces,
    claims,
    results: makeResults(sql),
    operators: makeOperators(sql),
    monitor: makeMonitor(sql),
    saveChannel,
    post,
    claim: (options?: Parameters<typeof claims.claim>[2]) => claims.claim(id, 'worker', options),
    claimOne,
    sendOne,
    statuses,
    actions,
  };

  function saveChannel(channelId: string, more: Partial<NewChannel> = {}) {
    const common = { platform: 'telegram', targetId: `@${channelId}`, authRef: 'bot', rateRps: 0 } as const;
    return workspaces.saveChannel(id, { channelId, ...common, ...every, ...more });
  }

  function post(text: string, more: Partial<NewMessage> & { now?: Date } = {}) {
    const { now, ...message } = more;
    const origin = { workspaceId: id, endpointId: null, kind: 'push' as const };
    return enqueue(now ? { ...origin, now } : origin, { payload: { text }, ...message });
  }

  async function claimOne() {
    const [one] = await claims.claim(id, 'worker', { limit: 1 });
    if (!one) throw new Error('nothing could be claimed');
    return one;
  }

  /** Claimed, with the attempt on record: the provider would be called now. */
  async function sendOne() {
    const one = await claimOne();
    const [begun] = await claims.begin(id, [one]);
    if (begun?.outcome !== 'sending') throw new Error(`could not begin: ${begun?.outcome}`);
    return one;
  }

  async function statuses(): Promise<DeliveryStatus[]> {
    const rows = await sql<{ status: DeliveryStatus }[]>`
      select status from deliveries where workspace_id = ${id} order by seq`;
    return rows.map(({ status }) => status);
  }

  async function actions(): Promise<string[]> {
    const rows = await sql<{ action: string }[]>`
      select action from events where workspace_id = ${id} order by ts, id`;
    return rows.map(({ action }) => action);
  }
}

export const refusal = (more: Partial<NormalizedError> = {}): NormalizedError => ({
  category: 'TRANSIENT',
  scope: 'delivery',
  code: '503',
  message: 'Service Unavailable',
  ...more,
});
