import { describe, expect, it } from 'vitest';
import { makeListChannels } from '../../src/store/autopost/channel-list.ts';
import { makeWorkspaces } from '../../src/store/autopost/workspaces.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { aWorkspace, refusal, sealing } from '../store/autopost/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';
import { everythingIn, operate } from './operate.ts';

const signed = ['--operator', 'anna', '--reason', 'checked by hand'];
const by = { operator: 'anna', reason: 'checked by hand' };

forEachDatabase((sql) => {
  describe('the runbook', () => {
    it('counts deliveries by status', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки на окна');
      await workspace.claimOne();
      const { text, data } = await operate(sql(), ['snapshot', '--workspace', workspace.id]);
      expect(data.byStatus).toEqual({ claimed: 1, queued: 1 });
      expect(text).toContain('status   deliveries\nclaimed  1\nqueued   1');
    });

    it('tells what broke and why', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await dead(workspace);
      const { text, data } = await operate(sql(), ['errors', '--workspace', workspace.id]);
      expect(data[0]).toMatchObject({ action: 'dead_letter', channelId: 'c1', deliveryId });
      expect(text).toContain('503: Service Unavailable');
    });

    it('requeues a dead delivery, and counts no attempt for it', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await dead(workspace);
      const { exitCode } = await operate(sql(), [
        'requeue',
        deliveryId,
        '--workspace',
        workspace.id,
        ...signed,
      ]);
      expect(exitCode).toBe(0);
      expect(await workspace.statuses()).toEqual(['retry']);
      expect(await lastEvent(workspace.id)).toEqual({
        ...{ action: 'manual_requeue', channel_id: 'c1', attempt: 1 },
        meta: { ...by, from_status: 'dead' },
      });
    });

    it('requeues of what was refused only what the channel had no part in', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки на окна');
      const permanent = refusal({ category: 'PERMANENT', code: '400' });
      await workspace.results.failPermanent(await workspace.sendOne(), permanent);
      await workspace.results.failPermanent(await workspace.sendOne(), { ...permanent, scope: 'channel' });
      const line = ['requeue', '--status', 'failed_permanent', '--workspace', workspace.id, ...signed];
      expect((await operate(sql(), line)).data).toEqual([
        { deliveryId: expect.any(String), outcome: 'retry' },
      ]);
      expect((await workspace.statuses()).sort()).toEqual(['failed_permanent', 'retry']);
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it('pauses a channel, and resumes it', async () => {
      const { id } = await aWorkspace(sql());
      await operate(sql(), ['pause', '--workspace', id, '--channel', 'c1', '--minutes', '30', ...signed]);
      expect((await theChannel(id)).pausedUntil).not.toBeNull();
      expect(await lastEvent(id)).toMatchObject({
        action: 'channel_paused',
        attempt: 0,
        meta: { ...by, manual: true },
      });
      await operate(sql(), ['resume', '--workspace', id, '--channel', 'c1', ...signed]);
      expect(await theChannel(id)).toMatchObject({ enabled: true, pausedUntil: null, errorStreak: 0 });
      expect(await lastEvent(id)).toMatchObject({ action: 'channel_enabled', meta: by });
    });

    it('switches a group off and on', async () => {
      const { id } = await aWorkspace(sql(), { rateGroup: 'bot-1' });
      await operate(sql(), ['disable-group', '--workspace', id, '--group', 'bot-1', ...signed]);
      expect(await theChannel(id)).toMatchObject({ enabled: false });
      expect(await lastEvent(id)).toMatchObject({
        action: 'channel_disabled',
        meta: { ...by, rate_group: 'bot-1' },
      });
      await operate(sql(), ['enable-group', '--workspace', id, '--group', 'bot-1', ...signed]);
      expect(await theChannel(id)).toMatchObject({ enabled: true });
      expect(await lastEvent(id)).toMatchObject({
        action: 'channel_enabled',
        meta: { ...by, rate_group: 'bot-1' },
      });
    });

    it('rotates credentials, and shows the token to nobody', async () => {
      const { id, workspaces } = await aWorkspace(sql());
      const line = [
        'rotate-auth',
        '--workspace',
        id,
        '--channel',
        'c1',
        '--auth',
        'new',
        '--token',
        '77:the-new-secret',
      ];
      const { text, data } = await operate(sql(), [...line, ...signed]);
      expect(data).toEqual({ channelId: 'c1', outcome: 'rotated' });
      expect(await theChannel(id)).toMatchObject({ authRef: 'new' });
      expect(await workspaces.credential(id, 'new', 'telegram')).toEqual({ token: '77:the-new-secret' });
      expect(await lastEvent(id)).toMatchObject({
        action: 'auth_rotated',
        meta: { old_auth_ref: 'bot', new_auth_ref: 'new' },
      });
      expect(text + JSON.stringify(await everythingIn(sql()))).not.toContain('the-new-secret');
    });

    it('pauses a channel that is sending instead of rotating its credentials', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.workspaces.saveCredential(workspace.id, 'new', 'telegram', { token: '77:other' });
      await workspace.post('Скидки на окна');
      await workspace.sendOne();
      const line = [
        'rotate-auth',
        '--workspace',
        workspace.id,
        '--channel',
        'c1',
        '--auth',
        'new',
        ...signed,
      ];
      expect((await operate(sql(), line)).data.outcome).toBe('busy');
      expect(await theChannel(workspace.id)).toMatchObject({ authRef: 'bot', pausedUntil: expect.any(Date) });
    });

    it('takes deliveries from a worker that is stuck: unsent ones back, the others unknown', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки на окна');
      await workspace.sendOne();
      await workspace.claimOne();
      await sql()`
        update deliveries set heartbeat_at = null, claimed_at = now() - interval '11 minutes',
          sending_started_at = sending_started_at - interval '11 minutes', not_before = now() - interval '12 minutes'
        where workspace_id = ${workspace.id}`;
      const { data } = await operate(sql(), [
        'release-stale',
        '--workspace',
        workspace.id,
        '--operator',
        'anna',
      ]);
      expect(data).toHaveLength(2);
      expect((await workspace.statuses()).sort()).toEqual(['queued', 'unknown']);
      const actions = await workspace.actions();
      for (const action of ['claimed_lease_expired', 'sending_lease_expired'])
        expect(actions).toContain(action);
      expect(await lastEvent(workspace.id)).toMatchObject({
        action: 'manual_requeue',
        meta: { operator: 'anna', reason: 'manual_stuck_release' },
      });
    });
  });

  describe('an unknown delivery', () => {
    it('is listed, and is confirmed by whoever saw it', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await unknown(workspace);
      const listed = await operate(sql(), ['unknown', '--workspace', workspace.id]);
      expect(listed.data[0]).toMatchObject({ deliveryId, channelId: 'c1', text: 'Скидки на окна' });
      const line = ['confirm-sent', deliveryId, '--workspace', workspace.id, '--message-id', '42', ...signed];
      expect((await operate(sql(), line)).exitCode).toBe(0);
      expect(await workspace.statuses()).toEqual(['sent']);
      expect(await lastEvent(workspace.id)).toMatchObject({
        action: 'unknown_resolved',
        meta: { ...by, to: 'sent' },
      });
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it('is given up', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await unknown(workspace);
      await operate(sql(), ['abandon', deliveryId, '--workspace', workspace.id, ...signed]);
      expect(await workspace.statuses()).toEqual(['dead']);
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'dead_letter', meta: by });
    });

    it('tells its whole life, and why it stands where it stands', async () => {
      const workspace = await aWorkspace(sql(), { title: 'Кофейня' });
      const { deliveryId } = await unknown(workspace);
      const { text, data } = await operate(sql(), [
        'events',
        '--workspace',
        workspace.id,
        '--delivery',
        deliveryId,
      ]);
      expect(data.events.map(({ action }: { action: string }) => action)).toEqual([
        'enqueue',
        'send_attempt',
        'result_unknown',
      ]);
      expect(text).toContain('unknown, attempt 1 of 5, to c1 "Кофейня"');
      expect(text).toMatch(/result_unknown +1 +error +503: Service Unavailable/u);
    });
  });

  describe('a workspace', () => {
    it('is set up from the command line, and its entrance opens to the secret that was printed', async () => {
      const id = `w-${crypto.randomUUID()}`;
      const window = '{"mon": [["09:00", "18:00"]]}';
      await operate(sql(), ['add-workspace', '--id', id, '--name', 'Demo', ...signed]);
      const endpoint = await operate(sql(), ['add-endpoint', '--workspace', id, '--rps', '7', ...signed]);
      const channel = [
        'add-channel',
        '--workspace',
        id,
        '--id',
        'c1',
        '--platform',
        'max',
        '--target',
        '-720001',
      ];
      const settings = [
        '--rate',
        '2',
        '--tags',
        'Новости,ru',
        '--filter',
        '{"include_any": ["Акции"]}',
        '--title',
        'Лавка',
      ];
      const hours = ['--timezone', 'Europe/Moscow', '--window', window, '--allow-duplicates'];
      const added = await operate(sql(), [
        ...channel,
        '--token',
        'a-token-of-max',
        ...settings,
        ...hours,
        ...signed,
      ]);
      expect(await theChannel(id)).toMatchObject({
        ...{ channelId: 'c1', platform: 'max', targetId: '-720001', title: 'Лавка', rateRps: 2 },
        ...{
          tags: ['ru', 'новости'],
          routeFilter: { include_any: ['акции'] },
          rateGroup: added.data.auth_ref,
        },
      });
      const { secret, endpointId } = endpoint.data;
      expect(await admitted(secret)).toMatchObject({ outcome: 'accepted', workspaceId: id, endpointId });
      expect(JSON.stringify(await everythingIn(sql()))).not.toContain(secret);

      const rotated = await operate(sql(), [
        'rotate-endpoint',
        '--workspace',
        id,
        '--endpoint',
        endpointId,
        ...signed,
      ]);
      expect(await admitted(secret)).toMatchObject({ outcome: 'unknown_endpoint' });
      expect(await admitted(rotated.data.secret)).toMatchObject({ outcome: 'accepted', workspaceId: id });
      expect(await lastEvent(id)).toMatchObject({
        action: 'configured',
        meta: { ...by, instead_of: endpointId },
      });
    });

    it('shares one limit among the channels of one token', async () => {
      const { id } = await aWorkspace(sql(), { channels: 0 });
      for (const name of ['c1', 'c2']) {
        const where = [
          '--platform',
          'telegram',
          '--target',
          `@${name}`,
          '--token',
          '77:one-token-for-all-of-them',
        ];
        await operate(sql(), ['add-channel', '--workspace', id, '--id', name, ...where]);
      }
      const [first, second] = await makeListChannels(sql())(id);
      expect(first?.rateGroup).toBe(second?.rateGroup);
      await operate(sql(), [
        'limit',
        '--workspace',
        id,
        '--group',
        first!.rateGroup,
        '--rps',
        '20',
        ...signed,
      ]);
      expect(await sql()`select rate_rps from platform_limits where workspace_id = ${id}`).toEqual([
        { rate_rps: 20 },
      ]);
    });

    it('refuses a second channel at the same place', async () => {
      const { id } = await aWorkspace(sql());
      const line = [
        'add-channel',
        '--workspace',
        id,
        '--id',
        'c9',
        '--platform',
        'telegram',
        '--target',
        '@c1',
        '--token',
        '7:x',
      ];
      expect(await operate(sql(), line)).toMatchObject({
        exitCode: 2,
        text: '@c1 is there already, as channel "c1".',
      });
    });

    it('has sources, whose settings are checked and whose secrets are sealed', async () => {
      const { id } = await aWorkspace(sql());
      const line = [
        'add-source',
        '--workspace',
        id,
        '--id',
        'lenta',
        '--kind',
        'rss',
        '--secret',
        '{"authorization": "hush"}',
      ];
      expect((await operate(sql(), [...line, '--config', '{"url": "no address"}'])).exitCode).toBe(2);
      expect(
        (await operate(sql(), [...line, '--config', '{"url": "https://news.example/rss"}'])).exitCode,
      ).toBe(0);
      const { data } = await operate(sql(), ['sources', '--workspace', id]);
      expect(data).toMatchObject([{ sourceId: 'lenta', kind: 'rss', enabled: true, failures: 0 }]);
      expect(JSON.stringify(await everythingIn(sql()))).not.toContain('hush');
    });
  });

  it('the demo has forty channels with one entrance, however often it is made', async () => {
    const first = await operate(sql(), ['demo', ...signed]);
    expect((await admitted(first.data.secret)).outcome).toBe('accepted');
    const again = await operate(sql(), ['demo', ...signed]);
    expect(again.data).toEqual({ workspaceId: 'demo', channels: 40, endpointId: first.data.endpointId });
    const channels = await makeListChannels(sql())('demo');
    expect(channels.filter(({ platform }) => platform === 'telegram')).toHaveLength(24);
    expect(channels.filter(({ platform }) => platform === 'max')).toHaveLength(16);
  });

  it('re-seal retires the old key of every credential', async () => {
    const { id } = await aWorkspace(sql());
    await makeWorkspaces(sql(), sealing).saveCredential(id, 'bot', 'telegram', { token: '77:hush' });
    const keys = [Buffer.alloc(32, 'n').toString('base64url'), oldKey];
    const { data } = await operate(sql(), ['re-seal'], createSealing(keys));
    expect(
      data.find(({ place }: { place: string }) => place === 'credential_bindings.secret_ref').unreadable,
    ).toBe(0);
    const onlyNew = makeWorkspaces(sql(), createSealing(keys.slice(0, 1)));
    expect(await onlyNew.credential(id, 'bot', 'telegram')).toEqual({ token: '77:hush' });
    await operate(sql(), ['re-seal'], createSealing([oldKey, keys[0]!])); // as the other tests know them
  });

  describe('a dry run', () => {
    const lines: [string, (prepared: Prepared) => string[]][] = [
      ['requeue', ({ dead }) => ['requeue', dead]],
      ['confirm-sent', ({ unknown }) => ['confirm-sent', unknown]],
      ['abandon', ({ unknown }) => ['abandon', unknown]],
      ['release-stale', () => ['release-stale', '--minutes', '0.0000001']],
      ['pause', () => ['pause', '--channel', 'c1']],
      ['resume', () => ['resume', '--channel', 'c1']],
      ['disable-group', () => ['disable-group', '--group', 'bot']],
      ['enable-group', () => ['enable-group', '--group', 'bot']],
      ['rotate-auth', () => ['rotate-auth', '--channel', 'c2', '--auth', 'new', '--token', '77:x']],
      ['limit', () => ['limit', '--group', 'bot', '--rps', '3']],
      ['add-endpoint', () => ['add-endpoint']],
      ['rotate-endpoint', () => ['rotate-endpoint', '--endpoint', 'e1']],
      [
        'add-channel',
        () => ['add-channel', '--id', 'c9', '--platform', 'max', '--target', '-72', '--token', 'x'],
      ],
      [
        'add-source',
        () => ['add-source', '--id', 's', '--kind', 'rss', '--config', '{"url":"https://news.example/rss"}'],
      ],
    ];

    it.each(lines)('of %s says what would be, and changes nothing', async (_, line) => {
      const prepared = await prepare();
      const before = await everythingIn(sql());
      const { exitCode, data, text } = await operate(sql(), [
        ...line(prepared),
        '--workspace',
        prepared.id,
        '--dry-run',
      ]);
      expect({ exitCode, data }).toMatchObject({
        exitCode: 0,
        data: { dryRun: true, would: expect.anything() },
      });
      expect(text).toContain('nothing was changed');
      expect(await everythingIn(sql())).toEqual(before);
    });

    async function prepare(): Promise<Prepared> {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.workspaces.saveEndpoint(workspace.id, {
        ...{ endpointId: 'e1', kind: 'webhook_push', secret: workspace.id },
      });
      const lost = await unknown(workspace);
      const died = await dead(workspace);
      return { id: workspace.id, dead: died.deliveryId, unknown: lost.deliveryId };
    }
  });

  const admitted = (secret: string) =>
    makeWorkspaces(sql(), sealing).admit({ kind: 'webhook_push', secret, body: crypto.randomUUID() });

  async function theChannel(workspaceId: string) {
    const [channel] = await makeListChannels(sql())(workspaceId);
    if (!channel) throw new Error('there is no channel');
    return channel;
  }

  async function lastEvent(workspaceId: string) {
    const [event] = await sql()`
      select action, channel_id, attempt, meta from events where workspace_id = ${workspaceId}
      order by ts desc, id desc limit 1`;
    return event;
  }
});

type Workspace = Awaited<ReturnType<typeof aWorkspace>>;
type Prepared = { id: string; dead: string; unknown: string };

const oldKey = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

async function dead(workspace: Workspace) {
  await workspace.post('Новые двери', { attemptLimit: 1, channels: ['c1'] });
  const one = await workspace.sendOne();
  await workspace.results.scheduleRetry(one, refusal());
  return one;
}

async function unknown(workspace: Workspace) {
  await workspace.post('Скидки на окна', { channels: ['c1'] });
  const one = await workspace.sendOne();
  await workspace.results.markUnknown(one, refusal());
  return one;
}
