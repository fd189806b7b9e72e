import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSweepLeases } from '../../../src/autopost/queue/sweep-leases.ts';
import { makeConditions } from '../../../src/autopost/store/conditions.ts';
import { makeAutopostHealth } from '../../../src/autopost/store/health.ts';
import { makeJobs } from '../../../src/autopost/store/jobs.ts';
import { makeMedia } from '../../../src/autopost/store/media.ts';
import { makeMonitor } from '../../../src/autopost/store/monitor.ts';
import type { HeldSource } from '../../../src/autopost/store/pull-sources.ts';
import { noteRejectedItem } from '../../../src/autopost/store/rejected-items.ts';
import { makeToldAlerts } from '../../../src/autopost/store/told-alerts.ts';
import { makeListWorkspaces } from '../../../src/autopost/store/workspace-list.ts';
import { makeWatchman, type WatchmanOptions } from '../../../src/autopost/watch/watch.ts';
import { createLog } from '../../../src/log.ts';
import type { Sql } from '../../../src/store/database.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from '../store/a-workspace.ts';

const log = createLog('silent');
const always = { leases: 0, alerts: 0, retention: 0, media: 0, integrity: 0 };
const never = 86_400_000;

/** A watchman of his own process, as it were; what he says of other workspaces is left out. */
function aWatchman(sql: Sql, workspaceId: string, options: WatchmanOptions = {}) {
  const said: string[] = [];
  const removed: string[] = [];
  const monitor = makeMonitor(sql);
  const port = {
    tell: async (text: string) => {
      if (text.includes(workspaceId)) said.push(text);
    },
    remove: async (originUrl: string) => {
      removed.push(originUrl);
    },
  };
  const watchman = makeWatchman({
    jobs: makeJobs(sql),
    conditions: makeConditions(sql),
    told: makeToldAlerts(sql),
    monitor,
    media: makeMedia(sql),
    shelf: { remove: (originUrl) => port.remove(originUrl) },
    sweepLeases: makeSweepLeases({ monitor, log }),
    workspaces: makeListWorkspaces(sql),
    tell: (text) => port.tell(text),
    log,
    options: { every: always, name: randomUUID(), ...options },
  });
  return { ...watchman, said, removed, port };
}

forEachDatabase((sql) => {
  describe('the watchman tells', () => {
    it('of a delivery that died, once, with its channel, the reason in words and the command', async () => {
      const workspace = await aWorkspace(sql(), { title: 'Ижевск сегодня' });
      await aDeadOne(workspace);
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      await look();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('Автопостинг «Окна Плюс»');
      expect(said[0]).toContain('Не доставлено после всех попыток: 1 пост.');
      expect(said[0]).toContain('• «Ижевск сегодня» (Telegram) — площадка не отвечала');
      expect(said[0]).toContain(`npm run autopost -- requeue --status dead --workspace ${workspace.id}`);
    });

    it('nothing of a delivery that an operator gave up', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки на окна');
      const one = await workspace.sendOne();
      await workspace.results.markUnknown(one, refusal());
      await workspace.operators.abandon(workspace.id, [one.deliveryId], {
        operator: 'anna',
        reason: 'старое',
      });
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said).toEqual([]);
    });

    it('of an unknown delivery how to settle it, again of a second one, and that all is well again', async () => {
      const workspace = await aWorkspace(sql());
      const first = await anUnknownOne(workspace, 'Скидки на окна');
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said[0]).toMatch(
        /npm run autopost -- settle --as sent --channel c1 --until \d{4}-\S+Z --workspace/u,
      );
      const second = await anUnknownOne(workspace, 'Новые двери');
      await look();
      expect(said).toHaveLength(2);
      expect(said[1]).toContain('судьба 2 постов неизвестна');
      for (const id of [first, second]) await workspace.operators.confirmSent(workspace.id, id, 'anna');
      await look();
      await look();
      expect(said).toHaveLength(3);
      expect(said[2]).toContain('✅ Снова в порядке: судьба всех постов известна.');
    });

    it('the same again when its time is over', async () => {
      const workspace = await aWorkspace(sql());
      await anUnknownOne(workspace, 'Скидки на окна');
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      await sql()`update autopost_alerts set told_at = told_at - interval '61 minutes' where workspace_id = ${workspace.id}`;
      await look();
      await look();
      expect(said).toHaveLength(2);
    });

    it('a process nothing that another one has told, nor anybody after a restart', async () => {
      const workspace = await aWorkspace(sql());
      await anUnknownOne(workspace, 'Скидки на окна');
      const watchmen = [1, 2, 3].map(() => aWatchman(sql(), workspace.id, { leaseMs: 60_000 }));
      await Promise.all(watchmen.map(({ look }) => look()));
      const afterRestart = aWatchman(sql(), workspace.id);
      await afterRestart.look();
      expect([...watchmen, afterRestart].flatMap(({ said }) => said)).toHaveLength(1);
    });

    it('it again when it could not be told', async () => {
      const workspace = await aWorkspace(sql());
      await anUnknownOne(workspace, 'Скидки на окна');
      const { look, said, port } = aWatchman(sql(), workspace.id);
      const { tell } = port;
      port.tell = async () => {
        throw new Error('Telegram does not answer');
      };
      await look();
      port.tell = tell;
      await look();
      expect(said).toHaveLength(1);
    });

    it('of refusals and pauses above their limits only', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3 });
      const rules = {
        ...Object.fromEntries(
          ['dead', 'unknown', 'disabled', 'cooling', 'pull', 'orphans'].map((kind) => [
            kind,
            { over: 0, reminds: false },
          ]),
        ),
        failing: { over: 2, reminds: true },
        paused: { over: 2, reminds: true },
      } as NonNullable<WatchmanOptions['rules']>;
      const { look, said } = aWatchman(sql(), workspace.id, { rules });
      const kicked = refusal({
        category: 'PERMANENT',
        scope: 'channel',
        code: '403',
        message: 'Forbidden: bot was kicked',
      });
      await workspace.post('Скидки на окна');
      for (let i = 0; i < 2; i++) await workspace.results.failPermanent(await workspace.sendOne(), kicked);
      await look();
      expect(said).toEqual([]);
      await workspace.results.failPermanent(await workspace.sendOne(), kicked);
      await look();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('Отказов за последние 10 минут: 3.');
      expect(said[0]).toContain('На паузе 3 канала.');
      expect(said[0]).toContain('бота убрали из канала');
    });

    it('of a channel that its failures switched off, not of one that was switched off by hand', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2, title: 'Кофейня' });
      const by = { operator: 'anna', reason: 'ремонт' };
      await workspace.post('Скидки на окна');
      const kicked = refusal({ category: 'PERMANENT', scope: 'channel', code: '403' });
      await workspace.results.failPermanent(await workspace.sendOne(), kicked, { disableAfter: 1 });
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said[0]).toContain('Отключено после повторных отказов: 1 канал.');
      await workspace.operators.enableGroup(workspace.id, 'bot', by);
      await workspace.operators.disableGroup(workspace.id, 'bot', by);
      await look();
      expect(said).toHaveLength(2);
      expect(said[1]).toContain('✅ Снова в порядке: отключённых из-за отказов каналов нет.');
    });

    it('of a platform that makes a whole group wait for long, once, and that it is over', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3 });
      await workspace.saveChannel('max1', { platform: 'max', targetId: '-71', authRef: 'max' });
      await workspace.post('Скидки на окна');
      const [first, second, inTheOther] = [
        await workspace.sendOne(),
        await workspace.sendOne(),
        (await workspace.claim()).find(({ platform }) => platform === 'max')!,
      ];
      await workspace.results.scheduleRetry(first, tooOften(5 * 3_600_000));
      await workspace.results.scheduleRetry(second, tooOften(5_000));
      await workspace.results.scheduleRetry(inTheOther, tooOften(30_000));
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      await look();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('Площадка надолго остановила отправку: 1 группа каналов.');
      expect(said[0]).toContain('• «bot» (Telegram) ×3 — площадка просит отправлять реже, ждать ещё 5 часов');
      expect(said[0]).toContain(`npm run autopost -- channels --workspace ${workspace.id}`);
      await workspace.operators.coolGroupDown(workspace.id, 'telegram', 'bot', 0);
      await look();
      expect(said).toHaveLength(2);
      expect(said[1]).toContain('✅ Снова в порядке: площадки больше не просят ждать.');
    });

    it('of posts that waited too long, and not as of those whose attempts are used up', async () => {
      const workspace = await aWorkspace(sql(), { title: 'Ижевск сегодня' });
      await workspace.post('Скидка до пятницы');
      await sql()`update deliveries set expires_at = now() where workspace_id = ${workspace.id}`;
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      await look();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('Ждали слишком долго и уже не выйдут: 1 пост.');
      expect(said[0]).toContain('«Ижевск сегодня» (Telegram) — пост ждал дольше, чем разрешено каналу');
      expect(said[0]).not.toContain('после всех попыток');
    });

    it('of a platform that has not answered for minutes, and of its return', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3 });
      await workspace.post('Скидки на окна');
      const first = await workspace.sendOne();
      await workspace.results.scheduleRetry(first, refusal({ scope: 'platform', code: '503' }));
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said).toEqual([]);
      await sql()`
        update platform_limits set failing_since = now() - interval '6 minutes' where workspace_id = ${workspace.id}`;
      await look();
      expect(said[0]).toContain('Площадка не отвечает, посты ждут: 1 группа каналов.');
      expect(said[0]).toContain('• «bot» (Telegram) ×3 — площадка не отвечала');
      expect(said[0]).toContain(`resume-group --group bot --workspace ${workspace.id}`);
      await workspace.operators.resumeGroup(workspace.id, 'bot', null, { operator: 'anna', reason: '' });
      await look();
      expect(said[1]).toContain('✅ Снова в порядке: площадки отвечают.');
    });

    it('of a source that fails again and again', async () => {
      const workspace = await aWorkspace(sql());
      const error = { code: 'no-answer', message: 'the feed does not answer' };
      await sql()`
        insert into pull_sources (workspace_id, source_id, kind, failures) values (${workspace.id}, 'lenta', 'rss', 3)`;
      await sql()`
        insert into events (workspace_id, id, action, result, error, meta)
        values (${workspace.id}, ordered_uuid(), 'pull_failed', 'error', ${JSON.stringify(error)}::text::jsonb,
          '{"source_id": "lenta"}')`;
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said[0]).toContain('Раз за разом не отвечает: 1 источник.');
      expect(said[0]).toContain('• «lenta» ×3 — the feed does not answer');
    });

    it('of an item that can never be posted, once, with its source and the reason', async () => {
      const workspace = await aWorkspace(sql());
      const source = { workspaceId: workspace.id, sourceId: 'lenta' } as HeldSource;
      const error = { code: 'unpostable', message: 'text: нужен текст в кавычках' };
      await sql().begin((tx) =>
        noteRejectedItem(tx, { source, itemId: 'post-7', runId: randomUUID(), error }),
      );
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      await look();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('Источник принёс то, что опубликовать нельзя: 1 запись.');
      expect(said[0]).toContain('• «lenta»');
      expect(said[0]).toContain('text: нужен текст в кавычках');
    });

    it('of events whose delivery does not exist', async () => {
      const workspace = await aWorkspace(sql());
      await sql()`
        insert into events (workspace_id, id, delivery_id, action)
        values (${workspace.id}, ordered_uuid(), gen_random_uuid(), 'sent')`;
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(said[0]).toContain('В журнале 1 запись о том, чего нет в базе');
    });
  });

  describe('the watchman', () => {
    it('does each job in its time, whichever process asks', async () => {
      const workspace = await aWorkspace(sql());
      const options = { every: { ...always, alerts: never } };
      await aWatchman(sql(), workspace.id, options).look();
      await anUnknownOne(workspace, 'Скидки на окна');
      const late = aWatchman(sql(), workspace.id, options);
      await late.look();
      expect(late.said).toEqual([]);
      const [row] = await makeJobs(sql()).list();
      expect(row).toMatchObject({ job: 'alerts', busyUntil: null, report: { told: expect.any(Number) } });
    });

    it('takes a delivery back from a worker who died, and asks a person about one that was being sent', async () => {
      const workspace = await aWorkspace(sql());
      await workspace.post('Скидки на окна');
      await workspace.sendOne();
      await sql()`
        update deliveries set heartbeat_at = null, sending_started_at = now() - interval '1 hour'
        where workspace_id = ${workspace.id}`;
      const { look, said } = aWatchman(sql(), workspace.id);
      await look();
      expect(await workspace.statuses()).toEqual(['unknown']);
      expect(said[0]).toContain('процесс остановился посреди отправки');
    });

    it('removes what is too old, bite by bite, and nothing that waits', async () => {
      const workspace = await aWorkspace(sql());
      for (const text of ['Раз', 'Два', 'Три']) await workspace.post(text);
      for (let i = 0; i < 2; i++) {
        const one = await workspace.sendOne();
        await workspace.results.markSent([{ ...one, providerMessageId: '1' }]);
      }
      await sql()`update deliveries set updated_at = now() - interval '91 days' where workspace_id = ${workspace.id}`;
      await sql()`update events set ts = now() - interval '31 days' where workspace_id = ${workspace.id}`;
      await sql()`
        insert into ingest_runs (workspace_id, run_id, kind, started_at)
        values (${workspace.id}, 'old', 'pull', now() - interval '31 days'), (${workspace.id}, 'new', 'pull', now())`;
      await aWatchman(sql(), workspace.id, { retention: { biteRows: 1, restMs: 0 } }).look();
      expect(await sql()`select run_id from ingest_runs where workspace_id = ${workspace.id}`).toEqual([
        { run_id: 'new' },
      ]);
      expect(await workspace.statuses()).toEqual(['queued']);
      expect(await workspace.actions()).toEqual([]);
    });

    it('keeps what a channel needs to know a repeat, for as long as that channel wants', async () => {
      const workspace = await aWorkspace(sql(), { dedupTtlHours: 24 * 365 });
      await workspace.post('С Новым годом');
      await workspace.results.markSent([{ ...(await workspace.sendOne()), providerMessageId: '1' }]);
      await sql()`
        update deliveries set sent_at = now() - interval '100 days', updated_at = now() - interval '100 days'
        where workspace_id = ${workspace.id}`;
      await aWatchman(sql(), workspace.id).look();
      expect(await workspace.post('С Новым годом')).toMatchObject({ queued: 0, suppressed: 1 });
    });

    it('removes unused files, large videos sooner, and keeps the row of a file that it could not remove', async () => {
      const workspace = await aWorkspace(sql());
      const media = makeMedia(sql());
      const video = { contentType: 'video/mp4', sizeBytes: 60_000_000 };
      const files = [
        { blobRef: 'used', days: 40 },
        { blobRef: 'old', days: 40 },
        { blobRef: 'stuck', days: 40 },
        { blobRef: 'fresh', days: 20 },
        { blobRef: 'large', days: 8, ...video },
      ];
      for (const { blobRef, days, ...more } of files) {
        await media.saveOrigin(workspace.id, { blobRef, originUrl: `shelf:${blobRef}`, ...more });
        await sql()`update media_origin set last_seen_at = now() - ${days} * interval '1 day' where blob_ref = ${blobRef}`;
      }
      await workspace.post('С картинкой', {
        payload: { text: 'С картинкой', media: [{ type: 'image', blob_ref: 'used' }] },
      });
      await sql()`update media_origin set last_seen_at = now() - interval '40 days' where blob_ref = 'used'`;
      const { look, removed, port } = aWatchman(sql(), workspace.id);
      const { remove } = port;
      port.remove = async (originUrl) => {
        if (originUrl === 'shelf:stuck') throw new Error('the store does not answer');
        await remove(originUrl);
      };
      await look();
      expect(removed.sort()).toEqual(['shelf:large', 'shelf:old']);
      const left = await sql()<{ ref: string }[]>`
        select blob_ref as ref from media_origin where workspace_id = ${workspace.id} order by 1`;
      expect(left.map(({ ref }) => ref)).toEqual(['fresh', 'stuck', 'used']);
    });

    it('goes on with the other jobs when one fails', async () => {
      const workspace = await aWorkspace(sql());
      await anUnknownOne(workspace, 'Скидки на окна');
      const { look, port } = aWatchman(sql(), workspace.id);
      port.tell = async () => {
        throw new Error('Telegram does not answer');
      };
      await look();
      const runs = await makeJobs(sql()).list();
      expect(runs.find(({ job }) => job === 'alerts')?.report).toEqual({
        failed: 'Telegram does not answer',
      });
      expect(runs.find(({ job }) => job === 'media')).toMatchObject({ busyUntil: null });
    });
  });

  it('health tells what waits, what failed and how long the last ten minutes took', async () => {
    const workspace = await aWorkspace(sql());
    await workspace.post('Раз');
    await workspace.results.markSent([{ ...(await workspace.sendOne()), providerMessageId: '1' }]);
    await workspace.post('Два');
    const health = await makeAutopostHealth(sql())();
    expect(health.byStatus.queued).toBeGreaterThanOrEqual(1);
    expect(health.oldestDueMs).toBeGreaterThanOrEqual(0);
    expect(health.recent.sent).toBeGreaterThanOrEqual(1);
    expect(health.recent.latencyMs?.p99).toBeGreaterThanOrEqual(health.recent.latencyMs?.p50 ?? 0);
  });

  it.each([
    ['paused', `update channels set paused_until = now() + interval '1 hour'`],
    ['switched off', 'update channels set enabled = false'],
    ['of a workspace that is paused', `update workspaces set status = 'paused'`],
  ])('what waits in a channel that is %s is not overdue', async (_, change) => {
    const workspace = await aWorkspace(sql());
    await workspace.post('Час назад', { now: new Date(Date.now() - 3_600_000) });
    const late = async () => Math.round(((await makeAutopostHealth(sql())()).oldestDueMs ?? 0) / 3_600_000);
    expect(await late()).toBe(1);
    await sql().unsafe(`${change} where workspace_id = '${workspace.id}'`);
    expect(await late()).toBe(0);
  });
});

const tooOften = (retry_after_ms: number) => refusal({ scope: 'platform', code: '429', retry_after_ms });

type Workspace = Awaited<ReturnType<typeof aWorkspace>>;

async function aDeadOne(workspace: Workspace): Promise<void> {
  await workspace.post('Скидки на окна', { attemptLimit: 1 });
  await workspace.results.scheduleRetry(await workspace.sendOne(), refusal());
}

async function anUnknownOne(workspace: Workspace, text: string): Promise<string> {
  await workspace.post(text);
  const one = await workspace.sendOne();
  await workspace.results.markUnknown(one, refusal());
  return one.deliveryId;
}
