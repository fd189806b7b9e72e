import { describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace } from './a-workspace.ts';

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const BY = { operator: 'anna', reason: 'канал починили' };

forEachDatabase((sql) => {
  describe('a post that waits', () => {
    it('is given up after three days, with a reason of its own', async () => {
      const { id, post, monitor, statuses, actions } = await aWorkspace(sql());
      await post('Скидка до пятницы');
      await monitor.releaseStale({ workspaceId: id, now: later(71) });
      expect(await statuses()).toEqual(['queued']);
      await monitor.releaseStale({ workspaceId: id, now: later(73) });
      expect(await statuses()).toEqual(['dead']);
      expect((await actions()).at(-1)).toBe('dead_letter');
      const [row] = await sql()<[{ code: string }]>`
        select last_error ->> 'code' as code from deliveries where workspace_id = ${id}`;
      expect(row.code).toBe('expired');
    });

    it('is not sent by a resumed channel even before anybody has given it up', async () => {
      const { id, post, operators, claim } = await aWorkspace(sql());
      await operators.pauseChannel(id, 'c1', 60_000, BY);
      for (let i = 0; i < 20; i++) await post(`Старая новость ${i}`);
      await post('Свежая новость', { now: later(70) });
      await operators.resumeChannel(id, 'c1', BY);
      const claimed = await claim({ now: later(73), perChannel: 100 });
      expect(claimed.map(({ payload }) => payload.text)).toEqual(['Свежая новость']);
    });

    it('is not begun when its time ended in the hands of a worker', async () => {
      const { id, post, claim, claims } = await aWorkspace(sql(), { expireHours: 1 });
      await post('Скидки');
      const held = await claim({ now: later(0.9) });
      expect(await claims.begin(id, held, { now: later(1.1) })).toMatchObject([{ outcome: 'returned' }]);
    });

    it('waits as long as its channel says, counted from the moment it is planned for', async () => {
      const { id, post, saveChannel, monitor, statuses } = await aWorkspace(sql(), { expireHours: 1 });
      await saveChannel('c2', { expireHours: null });
      await post('Завтра в девять', { scheduledFor: later(24) });
      await monitor.releaseStale({ workspaceId: id, now: later(24.9) });
      expect(await statuses()).toEqual(['queued', 'queued']);
      await monitor.releaseStale({ workspaceId: id, now: later(999) });
      expect(await statuses()).toEqual(['dead', 'queued']);
    });

    it('gets its time anew when an operator requeues it', async () => {
      const { id, post, monitor, operators, statuses } = await aWorkspace(sql());
      await post('Скидки');
      await monitor.releaseStale({ workspaceId: id, now: later(73) });
      const [row] = await sql()<{ id: string }[]>`
        select delivery_id as id from deliveries where workspace_id = ${id}`;
      await sql()`update deliveries set expires_at = now() - interval '1 hour' where workspace_id = ${id}`;
      await operators.requeue(id, [row!.id], BY);
      await monitor.releaseStale({ workspaceId: id });
      expect(await statuses()).toEqual(['retry']);
    });
  });
});
