import { describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

const by = { operator: 'anna', reason: 'looked' };
const later = (ms: number) => new Date(Date.now() + ms);
type Workspace = Awaited<ReturnType<typeof aWorkspace>>;

forEachDatabase((sql) => {
  const channel = async ({ id }: Workspace) => {
    const [row] = await sql()`
      select enabled, error_streak, paused_until > now() as paused from channels
      where workspace_id = ${id} and channel_id = 'c1'`;
    return row;
  };
  const sending = async (more?: Parameters<typeof aWorkspace>[1]) => {
    const workspace = await aWorkspace(sql(), more);
    await workspace.post('Скидки');
    return { workspace, delivery: await workspace.sendOne() };
  };

  describe('a send that succeeded', () => {
    it('is kept with its id, once, however often it is said', async () => {
      const { workspace, delivery } = await sending();
      const said = [{ ...delivery, providerMessageId: '77', meta: { message_ids: [77] } }];
      expect(await workspace.results.markSent(said)).toMatchObject([{ outcome: 'sent' }]);
      expect(await workspace.results.markSent(said)).toMatchObject([{ outcome: 'sent' }]);
      expect(await workspace.actions()).toEqual(['enqueue', 'send_attempt', 'sent']);
      const [row] = await sql()`
        select provider_message_id, sent_at is not null as timed from deliveries where workspace_id = ${workspace.id}`;
      expect(row).toEqual({ provider_message_id: '77', timed: true });
    });

    it('is not overwritten by a worker who comes late, and his word is noted', async () => {
      const { workspace, delivery } = await sending({ allowDuplicates: true });
      await workspace.monitor.releaseStale({ workspaceId: workspace.id, now: later(301_000) });
      const [second] = await workspace.claim({ now: later(400_000) });
      await workspace.claims.begin(workspace.id, [second!], { now: later(400_000) });
      expect(await workspace.results.markSent([{ ...delivery, providerMessageId: 'late' }])).toMatchObject([
        { outcome: 'late' },
      ]);
      expect(await workspace.results.scheduleRetry(delivery, refusal())).toMatchObject({ outcome: 'late' });
      expect(await workspace.results.failPermanent(delivery, refusal())).toBe('late');
      expect(await workspace.results.markUnknown(delivery, refusal())).toBe('late');
      expect(await workspace.statuses()).toEqual(['sending']);
      expect((await workspace.actions()).filter((action) => action === 'late_result')).toHaveLength(3);
    });

    it('forgives the channel its errors', async () => {
      const { workspace, delivery } = await sending();
      await sql()`update channels set error_streak = 2 where workspace_id = ${workspace.id}`;
      await workspace.results.markSent([{ ...delivery, providerMessageId: '1' }]);
      expect(await channel(workspace)).toMatchObject({ error_streak: 0 });
    });
  });

  describe('a passing error', () => {
    it('is tried again later and later, and ends in a dead letter', async () => {
      const { workspace, delivery } = await sending();
      let held = delivery;
      const waits: number[] = [];
      for (let i = 0; i < 4; i++) {
        const at = later(i * 3_600_000);
        const { nextRetryAt } = await workspace.results.scheduleRetry(held, refusal(), { now: at });
        waits.push((nextRetryAt!.getTime() - at.getTime()) / 1000);
        [held] = (await workspace.claim({ now: later((i + 1) * 3_600_000) })) as [typeof held];
        await workspace.claims.begin(workspace.id, [held], { now: later((i + 1) * 3_600_000) });
      }
      expect(await workspace.results.scheduleRetry(held, refusal(), { now: later(5 * 3_600_000) })).toEqual({
        outcome: 'dead',
        nextRetryAt: null,
      });
      for (const [i, base] of [2, 4, 8, 16].entries()) {
        expect(waits[i]).toBeGreaterThanOrEqual(base - 0.001);
        expect(waits[i]).toBeLessThanOrEqual(base * 1.25 + 0.001);
      }
      expect(await workspace.statuses()).toEqual(['dead']);
      expect((await workspace.actions()).at(-1)).toBe('dead_letter');
    });

    it('of a whole group stops the group for as long as the provider asked', async () => {
      const { workspace, delivery } = await sending({ channels: 2 });
      await workspace.results.scheduleRetry(
        delivery,
        refusal({ code: '429', scope: 'platform', retry_after_ms: 30_000 }),
      );
      expect(await workspace.claim()).toEqual([]);
      expect(await workspace.claim({ now: later(60_000) })).toHaveLength(2);
    });

    it('waits for a month at most, whatever the provider says', async () => {
      const { workspace, delivery } = await sending({ expireHours: null });
      const error = refusal({ code: '429', scope: 'platform', retry_after_ms: 1e300 });
      expect(await workspace.results.scheduleRetry(delivery, error)).toMatchObject({ outcome: 'retry' });
      expect(await workspace.claim({ now: later(40 * 86_400_000) })).toHaveLength(1);
    });

    it('keeps what was sent of a series', async () => {
      const { workspace, delivery } = await sending();
      const progress = { sent_items: [0, 1], provider_message_ids: ['5', '6'] };
      expect(await workspace.results.saveSeriesProgress(delivery, progress)).toBe(true);
      await workspace.results.scheduleRetry(delivery, refusal());
      const [again] = await workspace.claim({ now: later(60_000) });
      expect(again!.renderMeta.series_progress).toEqual(progress);
      expect(await workspace.results.saveSeriesProgress(delivery, progress)).toBe(false);
    });

    it('is kept short and without secrets', async () => {
      const { workspace, delivery } = await sending();
      await workspace.results.scheduleRetry(
        delivery,
        refusal({
          message:
            'https://api.telegram.org/bot123456789:AAE-abcdefghijklmnopqrstuvwxyz12345/send, Authorization: Bearer abc.def, mail anna@example.com, call +7 912 345-67-89, 8 (912) 111-22-33 or 89123334455',
          raw: { long: 'x'.repeat(5000) },
        }),
      );
      const [event] = await workspace.monitor.errors(workspace.id);
      const text = JSON.stringify(event);
      for (const secret of ['AAE-abc', 'abc.def', 'anna@example.com', '345-67', '111-22', '3334455'])
        expect(text).not.toContain(secret);
      expect(text.length).toBeLessThan(1500);
    });
  });

  describe('a lasting error', () => {
    it('of the delivery is its own affair', async () => {
      const { workspace, delivery } = await sending();
      await workspace.results.failPermanent(delivery, refusal({ category: 'PERMANENT', code: '400' }));
      expect(await workspace.statuses()).toEqual(['failed_permanent']);
      expect(await channel(workspace)).toEqual({ enabled: true, error_streak: 0, paused: null });
    });

    it('of the channel puts it into quarantine, and the third time switches it off', async () => {
      const { workspace, delivery } = await sending();
      let held = delivery;
      for (let i = 1; i <= 3; i++) {
        await workspace.results.failPermanent(
          held,
          refusal({ category: 'PERMANENT', scope: 'channel', code: '403' }),
        );
        expect(await channel(workspace)).toEqual({ enabled: i < 3, error_streak: i, paused: true });
        if (i === 3) break;
        await sql()`update channels set paused_until = null where workspace_id = ${workspace.id}`;
        await workspace.post(`Скидки ${i}`);
        held = await workspace.sendOne();
      }
      const actions = await workspace.actions();
      expect(actions.filter((action) => action === 'channel_paused')).toHaveLength(3);
      expect(actions.filter((action) => action === 'channel_disabled')).toHaveLength(1);
    });

    it('of the platform cools the group down and counts against no channel', async () => {
      const { workspace, delivery } = await sending({ channels: 2 });
      await workspace.results.failPermanent(delivery, refusal({ category: 'PERMANENT', scope: 'platform' }));
      expect(await channel(workspace)).toEqual({ enabled: true, error_streak: 0, paused: null });
      expect(await workspace.claim()).toEqual([]);
      expect(await workspace.claim({ now: later(120_000) })).toHaveLength(1);
    });
  });

  describe('a worker who died', () => {
    it('with a claim gives it back to the queue', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки');
      const one = await workspace.claimOne();
      const at = (seconds: number) =>
        workspace.monitor.releaseStale({ workspaceId: workspace.id, now: later(seconds * 1000) });
      expect(await at(29)).toEqual([]);
      await workspace.claims.heartbeat({ ...one, deliveryIds: [one.deliveryId], now: later(20_000) });
      expect(await at(31)).toEqual([]);
      expect(await at(51)).toMatchObject([{ was: 'claimed', became: 'queued' }]);
      expect((await workspace.actions()).at(-1)).toBe('claimed_lease_expired');
    });

    it('in mid-send leaves an unknown delivery, which is not repeated', async () => {
      const { workspace } = await sending();
      expect(
        await workspace.monitor.releaseStale({ workspaceId: workspace.id, now: later(301_000) }),
      ).toMatchObject([{ was: 'sending', became: 'unknown' }]);
      expect(await workspace.claim({ now: later(86_400_000) })).toEqual([]);
      expect(await workspace.monitor.unknown(workspace.id)).toHaveLength(1);
      expect((await workspace.monitor.snapshot(workspace.id)).byStatus).toEqual({ unknown: 1 });
    });

    it('and was only slow is believed unless somebody acted meanwhile', async () => {
      const { workspace, delivery } = await sending();
      await workspace.monitor.releaseStale({ workspaceId: workspace.id, now: later(301_000) });
      expect(await workspace.results.markSent([{ ...delivery, providerMessageId: '1' }])).toMatchObject([
        { outcome: 'sent' },
      ]);
      expect(await workspace.statuses()).toEqual(['sent']);
    });
  });

  describe('an operator', () => {
    it('has an unknown delivery sent again, or knows that it is there, or gives it up', async () => {
      for (const [act, expected] of [
        [(w: Workspace, id: string) => w.operators.requeue(w.id, [id], by), 'retry'],
        [(w: Workspace, id: string) => w.operators.confirmSent(w.id, id, 'anna', '7'), 'sent'],
        [(w: Workspace, id: string) => w.operators.abandon(w.id, [id], by), 'dead'],
      ] as const) {
        const { workspace, delivery } = await sending();
        await workspace.results.markUnknown(delivery, refusal());
        await act(workspace, delivery.deliveryId);
        expect(await workspace.statuses()).toEqual([expected]);
      }
    });

    it('requeues a dead delivery with new attempts, but not beside its own repeat', async () => {
      const { workspace, delivery } = await sending();
      await sql()`update deliveries set attempt_limit = 1 where workspace_id = ${workspace.id}`;
      await workspace.results.scheduleRetry(delivery, refusal());
      expect(await workspace.statuses()).toEqual(['dead']);
      await workspace.post('Скидки');
      const requeue = () => workspace.operators.requeue(workspace.id, [delivery.deliveryId], by);
      expect(await requeue()).toMatchObject([{ outcome: 'duplicate' }]);
      const twin = await workspace.sendOne();
      await workspace.results.failPermanent(twin, refusal({ category: 'PERMANENT' }));
      expect(await requeue()).toMatchObject([{ outcome: 'retry' }]);
      expect(await workspace.results.scheduleRetry(await workspace.sendOne(), refusal())).toMatchObject({
        outcome: 'retry',
      });
    });

    it('does not requeue what its channel refused', async () => {
      const { workspace, delivery } = await sending();
      await workspace.results.failPermanent(delivery, refusal({ category: 'PERMANENT', scope: 'channel' }));
      expect(await workspace.operators.requeue(workspace.id, [delivery.deliveryId], by)).toMatchObject([
        { outcome: 'refused' },
      ]);
    });

    it('switches a group off and on, and rotates credentials while nothing is being sent', async () => {
      const { workspace, delivery } = await sending({ channels: 2 });
      const rotate = () =>
        workspace.operators.rotateAuth(workspace.id, delivery.channelId, { authRef: 'new' }, by);
      expect(await rotate()).toBe('busy');
      await workspace.results.markSent([{ ...delivery, providerMessageId: '1' }]);
      expect(await rotate()).toBe('rotated');
      expect(await workspace.operators.disableGroup(workspace.id, 'bot', by)).toHaveLength(2);
      expect(await workspace.claim()).toEqual([]);
      await workspace.operators.enableGroup(workspace.id, 'bot', by);
      await workspace.post('Ещё');
      const refs = (await workspace.claim()).map((one) => [one.channelId, one.authRef]);
      expect(refs).toContainEqual([delivery.channelId, 'new']);
    });
  });

  describe('old rows', () => {
    it('go when their days are over, and nothing goes that is not finished', async () => {
      const { workspace, delivery } = await sending({ channels: 2 });
      await workspace.results.markSent([{ ...delivery, providerMessageId: '1' }]);
      await workspace.monitor.purge({ now: later(91 * 86_400_000) });
      expect(await workspace.statuses()).toEqual(['queued']);
      expect(await workspace.actions()).toEqual([]);
      expect(await workspace.monitor.orphanEvents(workspace.id)).toEqual([]);
    });
  });
});
