import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeListChannels } from '../../src/autopost/store/channel-list.ts';
import { type HeldSource, makePullSources } from '../../src/autopost/store/pull-sources.ts';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { aWorkspace, refusal, sealing } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';
import { everythingIn, operate } from './operate.ts';

const signed = "--operator anna --reason 'checked by hand'";
const by = { operator: 'anna', reason: 'checked by hand' };

forEachDatabase((sql) => {
  describe('the runbook', () => {
    it('counts deliveries by status', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки на окна');
      await workspace.claimOne();
      const { text, data } = await operate(sql(), `snapshot --workspace ${workspace.id}`);
      expect(data.byStatus).toEqual({ claimed: 1, queued: 1 });
      expect(text).toContain('status   deliveries\nclaimed  1\nqueued   1');
    });

    it('tells what broke and why', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await dead(workspace);
      const { text, data } = await operate(sql(), `errors --workspace ${workspace.id}`);
      expect(data[0]).toMatchObject({ action: 'dead_letter', channelId: 'c1', deliveryId });
      expect(text).toContain('503: Service Unavailable');
    });

    it('requeues a dead delivery, and counts no attempt for it', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await dead(workspace);
      const { exitCode } = await operate(
        sql(),
        `requeue ${deliveryId} --workspace ${workspace.id} ${signed}`,
      );
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
      const line = `requeue --status failed_permanent --workspace ${workspace.id} ${signed}`;
      expect((await operate(sql(), line)).data).toEqual([
        { deliveryId: expect.any(String), outcome: 'retry' },
      ]);
      expect((await workspace.statuses()).sort()).toEqual(['failed_permanent', 'retry']);
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it('pauses a channel, and resumes it', async () => {
      const { id } = await aWorkspace(sql());
      await operate(sql(), `pause --workspace ${id} --channel c1 --minutes 30 ${signed}`);
      expect((await theChannel(id)).pausedUntil).not.toBeNull();
      const meta = { ...by, manual: true };
      expect(await lastEvent(id)).toMatchObject({ action: 'channel_paused', attempt: 0, meta });
      await operate(sql(), `resume --workspace ${id} --channel c1 ${signed}`);
      expect(await theChannel(id)).toMatchObject({ enabled: true, pausedUntil: null, errorStreak: 0 });
      expect(await lastEvent(id)).toMatchObject({ action: 'channel_enabled', meta });
    });

    it('shows a channel whose whole group was told to wait', async () => {
      const { id, operators } = await aWorkspace(sql());
      await operators.coolGroupDown(id, 'telegram', 'bot', 3_600_000);
      expect((await operate(sql(), `channels --workspace ${id}`)).text).toContain('its group waits until 20');
    });

    it("ends a group's wait", async () => {
      const { id, operators, post, claim } = await aWorkspace(sql());
      await post('Скидки на окна');
      await operators.coolGroupDown(id, 'telegram', 'bot', 3_600_000);
      expect(await claim()).toEqual([]);
      const line = `resume-group --workspace ${id} --group bot ${signed}`;
      expect((await operate(sql(), line)).data).toEqual({ rateGroup: 'bot', resumed: ['telegram'] });
      expect(await lastEvent(id)).toMatchObject({ action: 'group_resumed', meta: by });
      expect(await claim()).toHaveLength(1);
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it.each([
      ['sent', 'sent'],
      ['retry', 'retry'],
      ['abandoned', 'dead'],
    ])('settles as %s all that is unknown in a channel up to a time', async (verdict, status) => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки на окна');
      await workspace.post('Скидки на двери');
      for (let i = 0; i < 4; i++) await workspace.results.markUnknown(await workspace.sendOne(), refusal());
      await sql()`
        update deliveries set sending_started_at = now() + interval '1 hour'
        where workspace_id = ${workspace.id} and channel_id = 'c2' and rendered_text = 'Скидки на двери'`;
      const until = new Date(Date.now() + 60_000).toISOString();
      const line = `settle --as ${verdict} --workspace ${workspace.id} --until ${until} ${signed}`;
      expect((await operate(sql(), `${line} --channel c1`)).data.settled).toHaveLength(2);
      expect((await operate(sql(), line)).data.settled).toHaveLength(1);
      expect((await workspace.statuses()).sort()).toEqual(['unknown', status, status, status].sort());
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it('switches a group off and on', async () => {
      const { id } = await aWorkspace(sql(), { rateGroup: 'bot-1' });
      const meta = { ...by, rate_group: 'bot-1' };
      await operate(sql(), `disable-group --workspace ${id} --group bot-1 ${signed}`);
      expect(await theChannel(id)).toMatchObject({ enabled: false });
      expect(await lastEvent(id)).toMatchObject({ action: 'channel_disabled', meta });
      await operate(sql(), `enable-group --workspace ${id} --group bot-1 ${signed}`);
      expect(await theChannel(id)).toMatchObject({ enabled: true });
      expect(await lastEvent(id)).toMatchObject({ action: 'channel_enabled', meta });
    });

    it('rotates credentials, and shows the token to nobody', async () => {
      const { id, workspaces } = await aWorkspace(sql());
      const line = `rotate-auth --workspace ${id} --channel c1 --auth new --token 77:the-new-secret ${signed}`;
      const { text, data } = await operate(sql(), line);
      expect(data).toEqual({ channelId: 'c1', outcome: 'rotated' });
      expect(await theChannel(id)).toMatchObject({ authRef: 'new' });
      expect(await workspaces.credential(id, 'new', 'telegram')).toEqual({ token: '77:the-new-secret' });
      const meta = { ...by, old_auth_ref: 'bot', new_auth_ref: 'new' };
      expect(await lastEvent(id)).toMatchObject({ action: 'auth_rotated', meta });
      expect(text + JSON.stringify(await everythingIn(sql()))).not.toContain('the-new-secret');
    });

    it('pauses a channel that is sending instead of rotating its credentials', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.workspaces.saveCredential(workspace.id, 'new', 'telegram', { token: '77:other' });
      await workspace.post('Скидки на окна');
      await workspace.sendOne();
      const line = `rotate-auth --workspace ${workspace.id} --channel c1 --auth new ${signed}`;
      expect(await operate(sql(), line)).toMatchObject({ exitCode: 3, data: { outcome: 'busy' } });
      expect(await theChannel(workspace.id)).toMatchObject({ authRef: 'bot', pausedUntil: expect.any(Date) });
      const meta = { ...by, manual: true };
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'channel_paused', meta });
    });

    it('shortens no pause of a channel that is sending', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки на окна');
      await workspace.sendOne();
      await operate(sql(), `pause --workspace ${workspace.id} --channel c1 --minutes 600 ${signed}`);
      const { pausedUntil } = await theChannel(workspace.id);
      await operate(sql(), `rotate-auth --workspace ${workspace.id} --channel c1 --auth new --token 7:x`);
      expect(await theChannel(workspace.id)).toMatchObject({ pausedUntil });
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
      const { data } = await operate(sql(), `release-stale --workspace ${workspace.id} --operator anna`);
      expect(data).toHaveLength(2);
      expect((await workspace.statuses()).sort()).toEqual(['queued', 'unknown']);
      const expired = ['claimed_lease_expired', 'sending_lease_expired'];
      expect(await workspace.actions()).toEqual(expect.arrayContaining(expired));
      const meta = { operator: 'anna', reason: 'manual_stuck_release' };
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'manual_requeue', meta });
    });
  });

  describe('an unknown delivery', () => {
    it('is listed, and is confirmed by an operator who saw it', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await unknown(workspace);
      const listed = await operate(sql(), `unknown --workspace ${workspace.id}`);
      expect(listed.data[0]).toMatchObject({ deliveryId, channelId: 'c1', text: 'Скидки на окна' });
      const line = `confirm-sent ${deliveryId} --workspace ${workspace.id} --message-id 42 ${signed}`;
      expect((await operate(sql(), line)).exitCode).toBe(0);
      expect(await workspace.statuses()).toEqual(['sent']);
      const meta = { ...by, to: 'sent' };
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'unknown_resolved', meta });
      expect((await operate(sql(), line)).exitCode).toBe(1);
    });

    it('is given up', async () => {
      const workspace = await aWorkspace(sql());
      const { deliveryId } = await unknown(workspace);
      await operate(sql(), `abandon ${deliveryId} --workspace ${workspace.id} ${signed}`);
      expect(await workspace.statuses()).toEqual(['dead']);
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'dead_letter', meta: by });
    });

    it('tells its whole life, and why it stands where it stands', async () => {
      const workspace = await aWorkspace(sql(), { title: 'Кофейня' });
      const { deliveryId } = await unknown(workspace);
      const { text, data } = await operate(
        sql(),
        `events --workspace ${workspace.id} --delivery ${deliveryId}`,
      );
      const actions = data.events.map(({ action }: { action: string }) => action);
      expect(actions).toEqual(['enqueue', 'send_attempt', 'result_unknown']);
      expect(text).toContain('unknown, attempt 1 of 5, to c1 "Кофейня"');
      expect(text).toMatch(/result_unknown +1 +error +503: Service Unavailable/u);
    });
  });

  describe('a delivery that waits', () => {
    const reason = async (workspace: Awaited<ReturnType<typeof aWorkspace>>, place = 1) => {
      const [row] = await sql()<{ id: string }[]>`
        select delivery_id as id from deliveries where workspace_id = ${workspace.id} order by seq offset ${place - 1}`;
      const { text } = await operate(sql(), `events --workspace ${workspace.id} --delivery ${row?.id}`);
      return /^waits: (.*)$/mu.exec(text)?.[1];
    };
    const state = async (workspace: Awaited<ReturnType<typeof aWorkspace>>) =>
      (await operate(sql(), `channels --workspace ${workspace.id}`)).text;

    it('says who keeps it: a hand, its workspace, its platform', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки');
      expect(await reason(workspace)).toBeUndefined();
      await operate(sql(), `pause --workspace ${workspace.id} --channel c1`);
      expect(await reason(workspace)).toMatch(/^the channel is paused until 20/u);
      await operate(sql(), `disable --workspace ${workspace.id} --channel c1 ${signed}`);
      expect(await reason(workspace)).toBe('the channel is off');
      expect(await lastEvent(workspace.id)).toMatchObject({ action: 'channel_disabled', meta: by });
      await operate(sql(), `resume --workspace ${workspace.id} --channel c1`);
      await workspace.operators.coolGroupDown(workspace.id, 'telegram', 'bot', 60_000);
      expect(await reason(workspace)).toMatch(/^the group of the channel waits until 20/u);
      await operate(sql(), `add-workspace --id ${workspace.id} --status paused`);
      expect(await reason(workspace)).toBe('the workspace is paused or disabled');
      expect(await state(workspace)).toContain('its workspace is paused or disabled');
    });

    it('says when its channel opens, as does the channel', async () => {
      const workspace = await aWorkspace(sql(), { channels: 0 });
      const yesterday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].at(new Date().getUTCDay() - 1)!;
      await workspace.saveChannel('c1', { postingWindow: { [yesterday]: [['00:00', '00:01']] } });
      await workspace.post('Скидки');
      expect(await reason(workspace)).toMatch(/^not before 20\d\d-\d\d-\d\d 00:00/u);
      expect(await state(workspace)).toMatch(/on, opens at 20\d\d-\d\d-\d\d 00:00/u);
    });

    it('says behind which one it stands, and when that is tried again', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Раз');
      const first = await workspace.sendOne();
      await workspace.results.scheduleRetry(first, refusal({ retry_after_ms: 60_000 }));
      await workspace.post('Два');
      expect(await reason(workspace, 1)).toMatch(/^next try at 20/u);
      expect(await reason(workspace, 2)).toBe(`behind ${first.deliveryId}: the channel keeps their order`);
    });
  });

  describe('a workspace', () => {
    it('has an entrance that opens to the secret that was printed, until it is rotated', async () => {
      const id = randomUUID();
      await operate(sql(), `add-workspace --id ${id} --name Demo ${signed}`);
      const { secret, endpointId } = (await operate(sql(), `add-endpoint --workspace ${id} ${signed}`)).data;
      expect(await admitted(secret)).toMatchObject({ outcome: 'accepted', workspaceId: id, endpointId });
      expect(JSON.stringify(await everythingIn(sql()))).not.toContain(secret);
      const rotation = `rotate-endpoint --workspace ${id} --endpoint ${endpointId} ${signed}`;
      const rotated = await operate(sql(), rotation);
      expect(await admitted(secret)).toMatchObject({ outcome: 'unknown_endpoint' });
      expect(await admitted(rotated.data.secret)).toMatchObject({ outcome: 'accepted', workspaceId: id });
      const meta = { ...by, instead_of: endpointId };
      expect(await lastEvent(id)).toMatchObject({ action: 'configured', meta });
    });

    it('has channels with all their settings', async () => {
      const { id } = await aWorkspace(sql(), { channels: 0 });
      const where = `--workspace ${id} --id c1 --platform max --target -720001 --token a-token-of-max`;
      const which = `--tags Новости,ru --filter '{"include_any": ["Акции"]}'`;
      const when = `--timezone Europe/Moscow --window '{"mon": [["09:00", "18:00"]]}'`;
      const { data } = await operate(sql(), `add-channel ${where} ${which} ${when} --rate 2 --title Лавка`);
      expect(await theChannel(id)).toMatchObject({
        ...{ channelId: 'c1', platform: 'max', targetId: '-720001', title: 'Лавка', rateRps: 2 },
        ...{ tags: ['ru', 'новости'], routeFilter: { include_any: ['акции'] }, rateGroup: data.auth_ref },
      });
      expect(
        await sql()`select timezone, window_mode, posting_window from channels where workspace_id = ${id}`,
      ).toEqual([
        { timezone: 'Europe/Moscow', window_mode: 'windowed', posting_window: { mon: [['09:00', '18:00']] } },
      ]);
    });

    it('has channels that are changed in what is given, and in nothing else', async () => {
      const { id, saveChannel, post, claimOne, workspaces } = await aWorkspace(sql(), { channels: 0 });
      await workspaces.saveCredential(id, 'bot', 'telegram', { token: '7:old' });
      const window = { postingWindow: { mon: [['00:00', '24:00']] as const } };
      const routeFilter = { include_any: ['акции'] };
      const more = { routeFilter, rateRps: 2, dedupTtlHours: 5, sendMode: 'text', ...window } as const;
      await saveChannel('c1', { ...more, rateGroup: 'shared', allowDuplicates: true });
      const where = `add-channel --workspace ${id} --id c1 --platform telegram --target @c1`;
      await operate(sql(), `${where} --title Лавка --settings '{"parse_mode": "HTML"}'`);
      const kept = { ...more, title: 'Лавка', authRef: 'bot', rateGroup: 'shared', allowDuplicates: true };
      expect(await workspaces.channel(id, 'c1')).toMatchObject({ ...kept, settings: { parse_mode: 'HTML' } });

      await operate(sql(), `rotate-auth --workspace ${id} --channel c1 --auth new --token 7:new`);
      const changes = `--filter null --window null --no-allow-duplicates --token 7:newest`;
      const { auth_ref: authRef } = (await operate(sql(), `${where} ${changes}`)).data;
      const changed = { routeFilter: null, postingWindow: null, allowDuplicates: false, authRef };
      expect(await workspaces.channel(id, 'c1')).toMatchObject({ ...kept, ...changed });
      await post('Скидки');
      expect((await claimOne()).authRef).toBe(authRef);
    });

    it.each([
      ['#Ёлка', 'ёлка'],
      [' Е\u0308лка ', 'ёлка'], // two characters, as macOS writes it
    ])('has a channel whose filter "%s" takes the tag "%s"', async (typed, tag) => {
      const { id, post } = await aWorkspace(sql(), { channels: 0 });
      const where = `--workspace ${id} --id c1 --platform telegram --target @c1 --token 7:x`;
      await operate(sql(), `add-channel ${where} --filter '{"include_any": ["${typed}"]}'`);
      expect(await post('Ставим', { tags: [tag] })).toMatchObject({ queued: 1 });
    });

    it('has entrances that are listed, limited anew and closed', async () => {
      const { id } = await aWorkspace(sql());
      const { secret } = (await operate(sql(), `add-endpoint --workspace ${id} --id e1 --rps 0 ${signed}`))
        .data;
      const limited = `add-endpoint --workspace ${id} --id e1 --max-bytes 10 --drop-repeats 0 ${signed}`;
      expect((await operate(sql(), limited)).text).not.toContain('secret   ');
      const line = { endpointId: 'e1', kind: 'webhook_push', ingressRps: 0, maxPayloadBytes: 10 };
      const open = { ...line, hashDropWindowSec: 0, enabled: true };
      const { data, text } = await operate(sql(), `endpoints --workspace ${id}`);
      expect(data).toMatchObject([open]);
      expect(text).toMatch(/e1 +webhook_push +open +no limit +10 bytes +0 s/u);
      expect(await admitted(secret)).toMatchObject({ outcome: 'ingress_payload_rejected' });
      const close = `close-endpoint --workspace ${id} --endpoint e1 ${signed}`;
      expect((await operate(sql(), close)).exitCode).toBe(0);
      expect(await lastEvent(id)).toMatchObject({ meta: { ...by, endpoint: 'e1', enabled: false } });
      expect(await admitted(secret)).toMatchObject({ outcome: 'unknown_endpoint' });
      expect((await operate(sql(), close)).exitCode).toBe(1);
    });

    it("leaves a bot's entrance to the command of the bots", async () => {
      const { id, workspaces } = await aWorkspace(sql());
      await workspaces.saveEndpoint(id, { endpointId: 'bot', kind: 'bot_webhook', secret: `of-${id}` });
      for (const line of ['close-endpoint', 'rotate-endpoint'])
        expect(await operate(sql(), `${line} --workspace ${id} --endpoint bot`)).toMatchObject({
          exitCode: 2,
          text: expect.stringContaining('npm run shop-bot'),
        });
    });

    it('shows no secret of an entrance that is only rehearsed', async () => {
      const { id } = await aWorkspace(sql());
      const { text, data } = await operate(sql(), `add-endpoint --workspace ${id} --id e1 --dry-run`);
      expect(text).toContain('nothing was changed');
      expect(text).not.toContain('ap_');
      expect(data.would).toEqual({ endpointId: 'e1', secret: null });
    });

    it('is renamed without being started, and stopped without being named', async () => {
      const id = randomUUID();
      expect((await operate(sql(), `add-workspace --id ${id}`)).text).toContain('give its --name');
      await operate(sql(), `add-workspace --id ${id} --name Окна --status paused`);
      expect((await operate(sql(), `add-workspace --id ${id} --name Двери`)).data.status).toBe('paused');
      const stopped = await operate(sql(), `add-workspace --id ${id} --status disabled`);
      expect(stopped.data).toEqual({ id, name: 'Двери', status: 'disabled' });
    });

    it('has channels with a limit, a kind of posts and a memory of their own, changed by their name alone', async () => {
      const { id, workspaces } = await aWorkspace(sql(), { channels: 0 });
      const where = `--platform telegram --target @c1 --token 7:x`;
      await operate(sql(), `add-channel --workspace ${id} --id c1 ${where} --group town --mode media`);
      await operate(sql(), `add-channel --workspace ${id} --id c1 --dedup 24 --rate 3`);
      const kept = { targetId: '@c1', rateGroup: 'town', sendMode: 'media' };
      expect(await workspaces.channel(id, 'c1')).toMatchObject({ ...kept, dedupTtlHours: 24, rateRps: 3 });
    });

    it.each([
      ['--platform telegram', 'give its --platform and --target'],
      [
        '--platform telegram --target https://t.me/news',
        '--target: expected an id as -1001234567890, or a @name',
      ],
      ['--platform max --target @news', '--target: expected an id as -71234567890'],
      ["--platform max --target -7 --window '{}'", 'expected at least one time'],
    ])('refuses a channel that could never be posted to: %s', async (where, why) => {
      const { id } = await aWorkspace(sql());
      const line = `add-channel --workspace ${id} --id c9 --token 7:x ${where}`;
      const told = await operate(sql(), line).catch((error: Error) => ({ text: error.message }));
      expect(told.text).toContain(why);
    });

    it('keeps a channel on its platform: what waits for it is laid out for that one', async () => {
      const { id } = await aWorkspace(sql());
      const line = `add-channel --workspace ${id} --id c1 --platform max --target -7 --token x`;
      const text = expect.stringContaining('"c1" is a channel of telegram');
      expect(await operate(sql(), line)).toMatchObject({ exitCode: 2, text });
    });

    it('refuses a second entrance of the same name', async () => {
      const { id } = await aWorkspace(sql());
      await operate(sql(), `add-endpoint --workspace ${id} --id e1`);
      expect(await operate(sql(), `add-endpoint --workspace ${id} --id e1`)).toMatchObject({
        exitCode: 2,
        text: expect.stringContaining('rotate-endpoint'),
      });
    });

    it.each([
      'pause --channel c1 --minutes 1e300',
      'add-endpoint --max-bytes 99999999999',
      'errors --limit 1e12',
    ])('understands no number that nothing could be: %s', async (line) => {
      await expect(operate(sql(), `${line} --workspace w1`)).rejects.toThrow('Too big');
    });

    it('shares one limit among the channels of one token', async () => {
      const { id } = await aWorkspace(sql(), { channels: 0 });
      for (const name of ['c1', 'c2']) {
        const where = `--platform telegram --target @${name} --token 77:one-token-for-both`;
        await operate(sql(), `add-channel --workspace ${id} --id ${name} ${where}`);
      }
      const [first, second] = await makeListChannels(sql())(id);
      expect(first?.rateGroup).toBe(second?.rateGroup);
      await operate(sql(), `limit --workspace ${id} --group ${first?.rateGroup} --rps 20 ${signed}`);
      const limits = await sql()`select rate_rps from platform_limits where workspace_id = ${id}`;
      expect(limits).toEqual([{ rate_rps: 20 }]);
    });

    it('refuses a second channel at the same place', async () => {
      const { id } = await aWorkspace(sql());
      const line = `add-channel --workspace ${id} --id c9 --platform telegram --target @c1 --token 7:x`;
      const text = expect.stringContaining('@c1 is there already, as channel "c1".');
      expect(await operate(sql(), line)).toMatchObject({ exitCode: 2, text });
    });

    it('has sources, whose settings are checked and whose secrets are sealed', async () => {
      const { id } = await aWorkspace(sql());
      const line = `add-source --workspace ${id} --id lenta --kind rss --secret '{"authorization": "hush"}'`;
      const wrong = await operate(sql(), `${line} --config '{"url": "no address"}'`);
      expect(wrong.exitCode).toBe(2);
      const right = await operate(sql(), `${line} --config '{"url": "https://news.example/rss"}'`);
      expect(right.exitCode).toBe(0);
      const { data } = await operate(sql(), `sources --workspace ${id}`);
      expect(data).toMatchObject([{ sourceId: 'lenta', kind: 'rss', enabled: true, failures: 0 }]);
      expect(JSON.stringify(await everythingIn(sql()))).not.toContain('hush');
    });

    it('has sources that stay off while they are changed, until they are switched on', async () => {
      const { id } = await aWorkspace(sql());
      const line = `add-source --workspace ${id} --id lenta`;
      expect((await operate(sql(), line)).text).toContain('give its --kind and --config');
      await operate(sql(), `${line} --kind rss --config '{"url": "https://news.example/rss"}' --disabled`);
      const changed = await operate(sql(), `${line} --config '{"url": "https://news.example/atom"}'`);
      expect(changed.data).toEqual({ sourceId: 'lenta', kind: 'rss', enabled: false });
      expect((await operate(sql(), `${line} --no-disabled`)).data).toMatchObject({ enabled: true });
    });

    it('has sources that get the secret as it was typed: headers, or where the database is', async () => {
      const { id } = await aWorkspace(sql());
      const sources = makePullSources(sql(), sealing);
      const secretOf = (sourceId: string) => sources.secretOf({ workspaceId: id, sourceId } as HeldSource);
      const line = `add-source --workspace ${id} --id`;
      const feed = `${line} lenta --kind rss --config '{"url": "https://news.example/rss"}'`;
      const table = `${line} table --kind db --config '{"query": "select 1 as id"}'`;
      await operate(sql(), `${feed} --secret '{"authorization": "hush"}'`);
      await operate(sql(), `${table} --secret postgres://reader:hush@db.example/news`);
      expect(await secretOf('lenta')).toEqual({ headers: { authorization: 'hush' } });
      expect(await secretOf('table')).toEqual({ url: 'postgres://reader:hush@db.example/news' });
      for (const wrong of [`${feed} --secret hush`, `${table} --secret mysql:hush`]) {
        const { exitCode, text } = await operate(sql(), wrong);
        expect([exitCode, text.includes('hush')]).toEqual([2, false]);
      }
    });
  });

  it('the demo has forty channels with one entrance, however often it is made', async () => {
    const first = await operate(sql(), `demo ${signed}`);
    expect((await admitted(first.data.secret)).outcome).toBe('accepted');
    const again = await operate(sql(), `demo ${signed}`);
    expect(again.data).toEqual({ workspaceId: 'demo', channels: 40, endpointId: first.data.endpointId });
    const channels = await makeListChannels(sql())('demo');
    expect(channels.filter(({ platform }) => platform === 'telegram')).toHaveLength(24);
    expect(channels.filter(({ platform }) => platform === 'max')).toHaveLength(16);
  });

  it('re-seal retires the old key of every credential', async () => {
    const { id } = await aWorkspace(sql());
    const [oldKey, newKey] = ['o', 'n'].map((letter) => Buffer.alloc(32, letter).toString('base64url'));
    const secret = { token: '77:hush' };
    await makeWorkspaces(sql(), createSealing([oldKey!])).saveCredential(id, 'bot', 'telegram', secret);
    const { data } = await operate(sql(), 're-seal', createSealing([newKey!, oldKey!]));
    const counted = data.find(({ place }: { place: string }) => place === 'credential_bindings.secret_ref');
    expect(counted).toMatchObject({ resealed: 1, current: 0 });
    const onlyNew = makeWorkspaces(sql(), createSealing([newKey!]));
    expect(await onlyNew.credential(id, 'bot', 'telegram')).toEqual(secret);
  });

  describe('a dry run', () => {
    const lines: [string, (prepared: Prepared) => string][] = [
      ['requeue', (prepared) => prepared.dead],
      ['confirm-sent', (prepared) => prepared.unknown],
      ['abandon', (prepared) => prepared.unknown],
      ['settle', () => '--as sent'],
      ['release-stale', () => ''],
      ['pause', () => '--channel c1'],
      ['resume', () => '--channel c1'],
      ['disable-group', () => '--group bot'],
      ['enable-group', () => '--group bot'],
      ['rotate-auth', () => '--channel c2 --auth new --token 77:x'],
      ['limit', () => '--group bot --rps 3'],
      ['add-endpoint', () => ''],
      ['rotate-endpoint', () => '--endpoint e1'],
      ['add-channel', () => '--id c9 --platform max --target -72 --token x'],
      ['add-source', () => `--id s --kind rss --config '{"url":"https://news.example/rss"}'`],
    ];

    it.each(lines)('of %s says what would be, and changes nothing', async (name, options) => {
      const prepared = await prepare();
      const before = await everythingIn(sql());
      const line = `${name} ${options(prepared)} --workspace ${prepared.id} --dry-run`;
      const { exitCode, data, text } = await operate(sql(), line);
      expect({ exitCode, data }).toMatchObject({
        exitCode: 0,
        data: { dryRun: true, would: expect.anything() },
      });
      expect(text).toContain('nothing was changed');
      expect(await everythingIn(sql())).toEqual(before);
    });

    async function prepare(): Promise<Prepared> {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      const endpoint = { endpointId: 'e1', kind: 'webhook_push', secret: workspace.id } as const;
      await workspace.workspaces.saveEndpoint(workspace.id, endpoint);
      const lost = await unknown(workspace);
      const died = await dead(workspace);
      await workspace.post('Шторы', { channels: ['c1'] });
      await workspace.claimOne();
      await sql()`
        update deliveries set heartbeat_at = null, claimed_at = now() - interval '1 hour'
        where workspace_id = ${workspace.id} and status = 'claimed'`;
      return { id: workspace.id, dead: died.deliveryId, unknown: lost.deliveryId };
    }
  });

  const admitted = (secret: string) =>
    makeWorkspaces(sql(), sealing).admit({ kind: 'webhook_push', secret, body: randomUUID() });

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
