import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/autopost/store/claims.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

const texts = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ renderedText }) => renderedText);
const later = (ms: number, from = new Date()) => new Date(from.getTime() + ms);

forEachDatabase((sql) => {
  const begin = async (
    { id, claims }: Awaited<ReturnType<typeof aWorkspace>>,
    held: readonly ClaimedDelivery[],
    now?: Date,
  ) => {
    const rows = await claims.begin(id, held, { leadMs: 200, ...(now && { now }) });
    return rows.map(({ outcome, waitMs }) =>
      outcome === 'sending' || outcome === 'wait' ? `${outcome} ${waitMs}` : outcome,
    );
  };

  describe('attempts of several claims', () => {
    it('begin together, each by the token of its own claim', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3 });
      await workspace.post('Скидки');
      const [first, second, third] = [
        ...(await workspace.claim({ limit: 1 })),
        ...(await workspace.claim({ limit: 2 })),
      ];
      const mistaken = { ...third!, claimToken: first!.claimToken };
      expect(await begin(workspace, [first!, second!, mistaken])).toEqual(['sending 0', 'sending 0', 'lost']);
    });
  });

  describe('a claim', () => {
    it('hands out everything that an adapter needs', async () => {
      const workspace = await aWorkspace(sql(), { settings: { disable_preview: true } });
      await workspace.post('', {
        payload: { text: 'Скидки', meta: { parse_mode: 'HTML' } },
        traceId: 'trace',
        renderings: { telegram: { text: '<b>Скидки</b>' } },
      });
      expect(await workspace.claim()).toMatchObject([
        {
          workspaceId: workspace.id,
          channelId: 'c1',
          platform: 'telegram',
          targetId: '@c1',
          authRef: 'bot',
          payload: { type: 'text', text: 'Скидки' },
          renderedText: '<b>Скидки</b>',
          renderMeta: { parse_mode: 'HTML', disable_preview: true },
          attempt: 0,
          traceId: 'trace',
          waitMs: 0,
        },
      ]);
    });

    it('leaves alone what is switched off, paused, planned for later or taken', async () => {
      const workspace = await aWorkspace(sql(), { channels: 4 });
      const by = { operator: 'anna', reason: 'test' };
      await workspace.post('Скидки');
      await workspace.operators.pauseChannel(workspace.id, 'c1', 60_000, by);
      await sql()`update channels set enabled = false where workspace_id = ${workspace.id} and channel_id = 'c2'`;
      await sql()`update deliveries set not_before = now() + interval '1 hour'
        where workspace_id = ${workspace.id} and channel_id = 'c3'`;
      expect((await workspace.claim()).map(({ channelId }) => channelId)).toEqual(['c4']);
      expect(await workspace.claim()).toEqual([]);
      await workspace.operators.resumeChannel(workspace.id, 'c1', by);
      await workspace.operators.resumeChannel(workspace.id, 'c2', by);
      expect((await workspace.claim()).map(({ channelId }) => channelId).sort()).toEqual(['c1', 'c2']);
    });

    it('takes every channel in turn, however few it may take', async () => {
      const workspace = await aWorkspace(sql(), { channels: 5 });
      await workspace.post('Скидки');
      const taken: string[] = [];
      for (let i = 0; i < 3; i++) {
        taken.push(...(await workspace.claim({ limit: 2 })).map(({ channelId }) => channelId));
      }
      expect(taken.sort()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    });

    it('visits the workspaces in turn', async () => {
      const three = await Promise.all([aWorkspace(sql()), aWorkspace(sql()), aWorkspace(sql())]);
      for (const { post } of three) await post('Скидки');
      const ours = new Set<string>(three.map(({ id }) => id));
      const round: string[] = [];
      while (round.length < 6) {
        const [next] = await three[0].claims.nextWorkspaces('dispatcher', 1);
        if (next && ours.has(next)) round.push(next);
      }
      expect(new Set(round.slice(0, 3))).toEqual(ours);
      expect(round.slice(3)).toEqual(round.slice(0, 3));
    });
  });

  describe('the order of a channel', () => {
    it('is that of its messages', async () => {
      const workspace = await aWorkspace(sql());
      for (const text of ['1', '2', '3']) await workspace.post(text);
      expect(texts(await workspace.claim())).toEqual(['1', '2', '3']);
    });

    it('is kept when the first must be tried again: what follows waits for it', async () => {
      const workspace = await aWorkspace(sql());
      for (const text of ['1', '2']) await workspace.post(text);
      const held = await workspace.claim();
      expect(await begin(workspace, held)).toEqual(['sending 0', 'wait null']);
      await workspace.results.scheduleRetry(held[0]!, refusal({ retry_after_ms: 60_000 }));
      expect(await begin(workspace, held.slice(1))).toEqual(['returned']);
      expect(await workspace.claim()).toEqual([]);
      expect(texts(await workspace.claim({ now: later(120_000) }))).toEqual(['1', '2']);
    });

    it('does not hold back others behind one that is unknown or planned for later', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('1', { scheduledFor: later(3_600_000) });
      await workspace.post('2');
      await workspace.results.markUnknown(await workspace.sendOne(), refusal());
      await workspace.post('3');
      expect(texts(await workspace.claim())).toEqual(['3']);
    });

    it('with several at once, is the order of starts: a retry does not hold back the others', async () => {
      const workspace = await aWorkspace(sql(), { maxParallel: 2 });
      for (const text of ['1', '2', '3']) await workspace.post(text);
      const held = await workspace.claim();
      expect(await begin(workspace, held)).toEqual(['sending 0', 'sending 0', 'wait null']);
      await workspace.results.scheduleRetry(held[0]!, refusal({ retry_after_ms: 60_000 }));
      expect(await begin(workspace, held.slice(2))).toEqual(['sending 0']);
    });
  });

  describe('a slot', () => {
    const now = later(0);

    it('is given one by one at the rate of the channel, and no further than the horizon', async () => {
      const workspace = await aWorkspace(sql(), { rateRps: 2 });
      for (const text of ['1', '2', '3', '4', '5']) await workspace.post(text, { now: later(-1000, now) });
      const claimed = await workspace.claim({ now, horizonMs: 1000 });
      expect(claimed.map(({ waitMs }) => waitMs)).toEqual([0, 500, 1000]);
    });

    it.each([1e-300, 1e9, Number.POSITIVE_INFINITY, Number.NaN])(
      'is given at a rate of %d as well: no channel stops the others',
      async (rateRps) => {
        const workspace = await aWorkspace(sql(), { channels: 2 });
        await workspace.saveChannel('c1', { rateRps });
        await workspace.post('Скидки', { now: later(-1000, now) });
        expect(await workspace.claim({ now })).toHaveLength(2);
      },
    );

    it('obeys the group before the channel', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3, rateRps: 100 });
      await workspace.workspaces.saveLimit(workspace.id, 'telegram', 'bot', 4);
      await workspace.post('Скидки', { now: later(-1000, now) });
      const claimed = await workspace.claim({ now });
      expect(claimed.map(({ waitMs }) => waitMs)).toEqual([0, 250, 500]);
      expect(await begin(workspace, claimed, later(400, now))).toEqual(['sending 0', 'wait 250', 'wait 500']);
    });

    it('that was missed does not shorten the gap to the next, which begins with the end of the call', async () => {
      const workspace = await aWorkspace(sql(), { rateRps: 1 });
      for (const text of ['1', '2']) await workspace.post(text, { now: later(-1000, now) });
      const [first, second] = await workspace.claim({ now });
      expect(await begin(workspace, [first!], later(900, now))).toEqual(['sending 0']);
      const end = later(950, now);
      await workspace.results.markSent([{ ...first!, providerMessageId: '1' }], { now: end });
      expect(await begin(workspace, [second!], later(1000, now))).toEqual(['wait 950']);
      expect(await begin(workspace, [second!], later(1800, now))).toEqual(['sending 150']);
    });

    it.each([
      ['refused', 'scheduleRetry'],
      ['refused for good', 'failPermanent'],
      ['lost', 'markUnknown'],
    ] as const)('keeps its distance to a call that was %s as well', async (_, conclude) => {
      const workspace = await aWorkspace(sql(), { rateRps: 1 });
      for (const text of ['1', '2']) await workspace.post(text, { now: later(-1000, now) });
      const [first] = await workspace.claim({ now });
      await begin(workspace, [first!], now);
      await workspace.results[conclude](first!, refusal(), { now: later(700, now) });
      const [channel] = await sql()<{ at: Date }[]>`
        select last_send_at as at from channels where workspace_id = ${workspace.id}`;
      expect(channel?.at).toEqual(later(700, now));
    });

    it('is still found when the clock is set back by an hour', async () => {
      const workspace = await aWorkspace(sql(), { rateRps: 1 });
      for (const text of ['1', '2']) await workspace.post(text, { now });
      const [first, second] = await workspace.claim({ now });
      await begin(workspace, [first!], now);
      await workspace.results.markSent([{ ...first!, providerMessageId: '1' }], { now });
      const back = later(-3_600_000, now);
      expect(await begin(workspace, [second!], back)).toEqual(['wait 3601000']);
      await workspace.post('3', { now });
      await workspace.monitor.releaseStale({ workspaceId: workspace.id, now: later(120_000, back) });
      expect(await begin(workspace, [second!], later(121_000, back))).toEqual(['sending 0']);
    });
  });

  describe('an attempt', () => {
    it('is on record before the provider is called', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки');
      const { deliveryId } = await workspace.sendOne();
      const [event] = await sql()`
        select action, attempt, meta ->> 'idempotency_key' as key from events
        where workspace_id = ${workspace.id} and action = 'send_attempt'`;
      expect(event).toEqual({ action: 'send_attempt', attempt: 1, key: deliveryId });
    });

    it('is not begun with credentials, or at a place, that the channel had when it was claimed', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки');
      const [old] = await workspace.claim();
      const by = { operator: 'anna', reason: 'the token leaked' };
      await workspace.operators.rotateAuth(workspace.id, 'c1', { authRef: 'new' }, by);
      expect(await begin(workspace, [old!])).toEqual(['lost']);
      const [again] = await workspace.claim();
      await sql()`update channels set target_id = '@moved' where workspace_id = ${workspace.id}`;
      expect(await begin(workspace, [again!])).toEqual(['lost']);
      expect(await workspace.claimOne()).toMatchObject({ authRef: 'new', targetId: '@moved', attempt: 0 });
    });

    it('is not begun in a channel or group that was stopped meanwhile', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки');
      const held = await workspace.claim();
      await workspace.operators.pauseChannel(workspace.id, 'c1', 60_000, {
        operator: 'anna',
        reason: 'test',
      });
      expect((await begin(workspace, held)).sort()).toEqual(['returned', 'sending 0']);
      await workspace.post('Ещё');
      const [other] = await workspace.claim();
      expect(other).toBeUndefined();
      await workspace.operators.coolGroupDown(workspace.id, 'telegram', 'bot', 60_000);
      expect(await workspace.statuses()).toEqual(expect.arrayContaining(['queued', 'sending']));
    });

    it('belongs to the claim: another one, or one that was given back, begins nothing', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки');
      const one = await workspace.claimOne();
      expect(await begin(workspace, [{ ...one, claimToken: 'stranger' }])).toEqual(['lost']);
      await workspace.claims.giveBack({ ...one, deliveryIds: [one.deliveryId] });
      expect(await begin(workspace, [one])).toEqual(['lost']);
      expect(await workspace.statuses()).toEqual(['queued']);
    });
  });
});
