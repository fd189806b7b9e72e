import { describe, expect, it } from 'vitest';
import { databaseKinds, freshDatabase, opening } from '../../support/stores.ts';
import { aPostOffice, type PostOffice, until } from './a-post-office.ts';

const CHANNELS = 20;
const ROUNDS = 4;
const EVERYTHING = '.';

describe.each(databaseKinds)('while a platform is down, dispatchers on %s', (kind) => {
  const database = opening(() => freshDatabase(kind));

  /** A bot with many channels and more posts than may be under way at once. */
  async function aBusyOffice() {
    const office = await aPostOffice(database());
    for (let i = 0; i < CHANNELS; i++) await office.telegramChannel(`t${i}`);
    for (let i = 0; i < ROUNDS; i++) await office.post(`Новость ${i}`);
    return office;
  }

  const attempts = async (office: PostOffice) =>
    (await office.actions()).filter((action) => action === 'send_attempt').length;

  /** So many times the platform was looked at and did not answer: the breaker was opened anew. */
  const lookedAt = (office: PostOffice, times: number) =>
    until(async () => {
      await hurry(office);
      return (await office.actions()).filter((action) => action === 'group_cooldown').length > times;
    });

  /** The breaker's wait is over: what takes minutes in life takes a moment here. */
  const hurry = async ({ sql, id }: PostOffice) => {
    await sql`update platform_limits set cooldown_until = now() where workspace_id = ${id}`;
    await sql`update deliveries set next_retry_at = now() where workspace_id = ${id} and status = 'retry'`;
  };

  it.each([
    [502, 'unknown'],
    [503, 'retry'],
  ] as const)('make no more %i than were under way when it began', async (status, became) => {
    const office = await aBusyOffice();
    office.telegram.faults.add({ match: EVERYTHING, times: null, fault: { kind: 'status', status } });
    await office.startDispatcher({ concurrency: 4 });
    await lookedAt(office, 6);
    expect(await attempts(office)).toBeLessThanOrEqual(4);
    expect(Object.keys(await office.statuses())).toContain(became);
    office.telegram.faults.clear();
    await until(async () => {
      await hurry(office);
      const { queued = 0, retry = 0, claimed = 0, sending = 0 } = await office.statuses();
      return queued + retry + claimed + sending === 0;
    });
    const { sent = 0, unknown = 0, ...others } = await office.statuses();
    expect(others).toEqual({});
    expect(sent + unknown).toBe(CHANNELS * ROUNDS);
    expect(unknown).toBeLessThanOrEqual(status === 502 ? 4 : 0);
    expect(await office.actions()).toContain('group_recovered');
  });

  it('send one post into it at a time where reading works and sending does not', async () => {
    const office = await aBusyOffice();
    const fault = { kind: 'status', status: 502 } as const;
    office.telegram.faults.add({ match: 'sendMessage', times: null, fault });
    await office.startDispatcher({ concurrency: 4 });
    await lookedAt(office, 3);
    const { unknown = 0 } = await office.statuses();
    expect(unknown).toBeLessThanOrEqual(4 + 4);
  });
});
