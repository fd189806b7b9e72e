import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/autopost/store/claims.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

type Workspace = Awaited<ReturnType<typeof aWorkspace>>;
const BY = { operator: 'anna', reason: '' };
const later = (ms: number) => new Date(Date.now() + ms);

/** What became of the first of three, which one worker had claimed together. */
const standings: Record<string, (workspace: Workspace, first: ClaimedDelivery) => Promise<unknown>> = {
  'queued, given back by a group that waits': async ({ id, claims, operators }, first) => {
    await operators.coolGroupDown(id, 'telegram', 'bot', 60_000);
    expect(await claims.begin(id, [first])).toMatchObject([{ outcome: 'returned' }]);
    await operators.coolGroupDown(id, 'telegram', 'bot', -1);
  },
  'queued, given back by its worker': ({ claims }, first) =>
    claims.giveBack({ ...first, deliveryIds: [first.deliveryId] }),
  'queued, its lease over': ({ id, monitor }, first) =>
    monitor.releaseStale({ workspaceId: id, claimedLeaseMs: -1, limit: 1 }).then((released) => {
      expect(released).toMatchObject([{ deliveryId: first.deliveryId, became: 'queued' }]);
    }),
  'waiting for its next try': async ({ id, claims, results }, first) => {
    await claims.begin(id, [first]);
    await results.scheduleRetry(first, refusal());
  },
  'being sent': ({ id, claims }, first) => claims.begin(id, [first]),
};

forEachDatabase((sql) => {
  describe('in a channel that sends one at a time', () => {
    it.each(Object.keys(standings))('nothing overtakes the first when it is %s', async (standing) => {
      const workspace = await aWorkspace(sql());
      for (const text of ['1', '2', '3']) await workspace.post(text);
      const [first, ...others] = await workspace.claim();
      await standings[standing]!(workspace, first!);
      const begun = await workspace.claims.begin(workspace.id, others);
      expect(begun.map(({ outcome }) => outcome)).not.toContain('sending');
      const [next = first] = await workspace.claim();
      expect(next!.deliveryId).toBe(first!.deliveryId);
    });

    it('the others go on behind one that is unknown, was given up or has expired', async () => {
      const workspace = await aWorkspace(sql(), { expireHours: 1 });
      for (const text of ['1', '2', '3']) await workspace.post(text);
      const first = await workspace.sendOne();
      await workspace.results.markUnknown(first, refusal());
      const second = await workspace.claimOne();
      await workspace.operators.abandon(workspace.id, [second.deliveryId], BY);
      await workspace.post('4', { now: later(1_800_000) });
      const now = later(3_700_000);
      expect(await workspace.claim({ now })).toMatchObject([{ payload: { text: '4' } }]);
    });
  });
});
