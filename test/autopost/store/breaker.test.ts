import { describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

const outage = (more: object = {}) => refusal({ scope: 'platform', code: '503', ...more });
const later = (ms: number) => new Date(Date.now() + ms);

forEachDatabase((sql) => {
  /** Four channels of one bot with a post each, all in hand and on record: the platform is called. */
  async function underWay() {
    const workspace = await aWorkspace(sql(), { channels: 4 });
    await workspace.post('Скидки');
    const held = await workspace.claim();
    await workspace.claims.begin(workspace.id, held);
    const group = async () => {
      const [row] = await sql()<[{ failures: number; waitMs: number | null }]>`
        select failures, (extract(epoch from cooldown_until - clock_timestamp()) * 1000)::double precision as "waitMs"
        from platform_limits where workspace_id = ${workspace.id}`;
      return row;
    };
    return { ...workspace, held, group };
  }

  describe('an outage of a platform', () => {
    it('stops the whole group, and what failed together counts once', async () => {
      const { held, results, group, claim } = await underWay();
      for (const one of held) await results.scheduleRetry(one, outage());
      expect(await group()).toMatchObject({ failures: 1 });
      expect((await group())?.waitMs).toBeLessThanOrEqual(2_500);
      expect(await claim()).toEqual([]);
    });

    it('is also one when answers are lost: then the posts are unknown and the group is stopped', async () => {
      const { held, results, group, statuses } = await underWay();
      await results.markUnknown(held[0]!, outage({ code: 'answer_lost' }));
      expect(await group()).toMatchObject({ failures: 1 });
      expect((await statuses()).filter((status) => status === 'unknown')).toHaveLength(1);
    });

    it('is over when one probe gets through, and only one at a time is made', async () => {
      const { id, held, results, claim, claims, group, actions } = await underWay();
      for (const one of held) await results.scheduleRetry(one, outage());
      const now = later(10_000);
      const probes = await claim({ now });
      expect(probes).toMatchObject([{ isProbe: true }]);
      expect(await claim({ now })).toEqual([]);
      await claims.begin(id, probes, { now });
      await results.markSent([{ ...probes[0]!, providerMessageId: '1' }], { now });
      expect(await group()).toMatchObject({ failures: 0 });
      expect(await actions()).toContain('group_recovered');
      expect(await claim({ now })).toMatchObject([{ isProbe: false }, {}, {}]);
    });

    it('is looked at less and less often, at least once a minute, and costs no attempt', async () => {
      const { held, results, claim, claims, statuses } = await underWay();
      for (const one of held) await results.scheduleRetry(one, outage());
      const waits: number[] = [];
      let at = Date.now() + 10_000;
      for (let i = 0; i < 8; i++) {
        const [probe] = await claim({ now: new Date(at) });
        expect(probe).toMatchObject({ isProbe: true, attempt: 1 });
        const [row] = await sql()<[{ until: Date }]>`
          select fail_probe(${probe!.workspaceId}, ${probe!.deliveryId}, ${probe!.claimToken},
            ${JSON.stringify(outage())}::text::jsonb, ${new Date(at)}) as until`;
        waits.push((row.until.getTime() - at) / 1000);
        at = row.until.getTime() + 1;
      }
      for (const [i, base] of [4, 8, 16, 32, 60, 60, 60, 60].entries()) {
        expect(waits[i]).toBeGreaterThanOrEqual(base - 0.01);
        expect(waits[i]).toBeLessThanOrEqual(base * 1.25 + 0.01);
      }
      expect(await claims.nextWorkspaces('anyone', 1)).toHaveLength(1);
      expect(new Set(await statuses())).toEqual(new Set(['retry', 'queued']));
    });

    it('of a day kills nothing: what the platform did not take is tried until it expires', async () => {
      const { id, held, results, claim, claims, statuses } = await underWay();
      const [first] = held;
      await results.scheduleRetry(first!, outage());
      for (let hour = 1; hour < 24; hour++) {
        const now = later(hour * 3_600_000);
        const probes = await claim({ now });
        await claims.begin(id, probes, { now });
        for (const one of probes) await results.scheduleRetry(one, outage(), { now });
      }
      expect(await statuses()).not.toContain('dead');
    });

    it('lets only the probe begin what was claimed before it', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3 });
      await workspace.post('Скидки');
      const [first, second] = await workspace.claim();
      await workspace.claims.begin(workspace.id, [first!]);
      await workspace.results.scheduleRetry(first!, outage());
      const now = later(10_000);
      const [begun] = await workspace.claims.begin(workspace.id, [second!], { now });
      expect(begun).toMatchObject({ outcome: 'returned' });
    });

    it.each([
      ['is given back', 'give back'],
      ['says nothing of the platform', 'refuse'],
    ] as const)('is probed by the next delivery at once when the probe %s', async (_, end) => {
      const { id, held, results, claim, claims } = await underWay();
      for (const one of held) await results.scheduleRetry(one, outage());
      const now = later(10_000);
      const [probe] = await claim({ now });
      if (end === 'give back') await claims.giveBack({ ...probe!, deliveryIds: [probe!.deliveryId], now });
      else {
        await claims.begin(id, [probe!], { now });
        await results.failPermanent(probe!, refusal({ category: 'PERMANENT', code: '400' }), { now });
      }
      expect(await claim({ now })).toMatchObject([{ isProbe: true }]);
    });

    it('is probed by another worker within a minute when the one with the probe died', async () => {
      const { held, results, claim } = await underWay();
      for (const one of held) await results.scheduleRetry(one, outage());
      const now = Date.now() + 10_000;
      await claim({ now: new Date(now) });
      expect(await claim({ now: new Date(now + 44_000) })).toEqual([]);
      expect(await claim({ now: new Date(now + 46_000) })).toMatchObject([{ isProbe: true }]);
    });

    it('is declared over by an operator: everything goes at once', async () => {
      const { id, held, results, operators, claim, actions } = await underWay();
      const by = { operator: 'anna', reason: 'платформа снова работает' };
      await results.scheduleRetry(held[0]!, outage({ retry_after_ms: 3_600_000 }));
      for (const one of held.slice(1)) await results.scheduleRetry(one, outage());
      expect(await claim()).toEqual([]);
      expect(await operators.resumeGroup(id, 'bot', null, by)).toEqual(['telegram']);
      expect(await claim()).toHaveLength(4);
      expect(await actions()).toContain('group_resumed');
      expect(await operators.resumeGroup(id, 'bot', null, by)).toEqual([]);
    });
  });
});
