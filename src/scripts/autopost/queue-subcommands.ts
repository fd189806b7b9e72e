import { z } from 'zod';
import { type DeliveryLife, makeDeliveryLife } from '../../autopost/store/delivery-life.ts';
import { type AutopostHealth, makeAutopostHealth } from '../../autopost/store/health.ts';
import type { Hold } from '../../autopost/store/holds.ts';
import { makeMonitor } from '../../autopost/store/monitor.ts';
import { knownWorkspace } from './known.ts';
import { count, defineSubcommand, minutes, NothingFound, option, text, workspace } from './subcommand.ts';
import { minuteOf, secondOf, textTable } from './text-table.ts';

const MINUTE_MS = 60_000;

export const queueSubcommands = [
  defineSubcommand({
    name: 'snapshot',
    summary: 'how many deliveries stand where, and what fails most; without a workspace, of all of them',
    options: { workspace: { ...workspace, schema: text.optional() } },
    async run({ sql }, { workspace: id }) {
      if (id === undefined) {
        const health = await makeAutopostHealth(sql)();
        return { text: healthText(health), data: health };
      }
      await knownWorkspace(sql, id);
      const snapshot = await makeMonitor(sql).snapshot(id);
      const tables = [
        statusTable(snapshot.byStatus),
        `refused in the last 10 minutes: ${snapshot.failedRecently}, paused channels: ${snapshot.pausedChannels}`,
        errorTable(snapshot.topErrors),
      ];
      return { text: tables.join('\n\n'), data: snapshot };
    },
  }),

  defineSubcommand({
    name: 'errors',
    summary: 'what broke lately, the newest first',
    options: {
      workspace,
      minutes: option('30', 'how far back', minutes.default(30)),
      limit: option('200', 'at most so many', count.default(200)),
    },
    async run({ sql }, { workspace: id, minutes: back, limit }) {
      await knownWorkspace(sql, id);
      const errors = await makeMonitor(sql).errors(id, { recentMs: back * MINUTE_MS, limit });
      const table = textTable(
        errors,
        [
          ['time', ({ ts }) => ts],
          ['action', ({ action }) => action],
          ['channel', ({ channelId }) => channelId],
          ['delivery', ({ deliveryId }) => deliveryId],
          ['attempt', ({ attempt }) => attempt],
          ['why', ({ error, meta }) => whyOf(error, meta)],
        ],
        'no errors',
      );
      return { text: table, data: errors };
    },
  }),

  defineSubcommand({
    name: 'unknown',
    summary: 'deliveries whose answer was lost, the oldest first',
    options: { workspace, limit: option('200', 'at most so many', count.default(200)) },
    async run({ sql }, { workspace: id, limit }) {
      await knownWorkspace(sql, id);
      const deliveries = await makeMonitor(sql).unknown(id, { limit });
      const table = textTable(
        deliveries,
        [
          ['delivery', ({ deliveryId }) => deliveryId],
          ['channel', ({ channelId }) => channelId],
          ['sent at', ({ startedAt }) => startedAt],
          ['attempt', ({ attempt }) => attempt],
          ['text', (one) => one.text],
        ],
        'none: the fate of every delivery is known',
      );
      return { text: table, data: deliveries };
    },
  }),

  defineSubcommand({
    name: 'events',
    summary: 'the life of one delivery, and why it stands where it stands',
    options: { workspace, delivery: option('id', 'the delivery', z.uuid('expected the id of a delivery')) },
    async run({ sql }, { workspace: id, delivery }) {
      const life = await makeDeliveryLife(sql)(id, delivery);
      if (!life) throw new NothingFound(`No delivery ${delivery} in workspace ${id}.`);
      const channel = life.channelTitle ? `${life.channelId} "${life.channelTitle}"` : life.channelId;
      const table = textTable(life.events, [
        ['time', ({ ts }) => ts],
        ['action', ({ action }) => action],
        ['attempt', ({ attempt }) => attempt],
        ['result', ({ result }) => result],
        ['why', ({ error, meta }) => whyOf(error, meta)],
      ]);
      const state = `${life.status}, attempt ${life.attempt} of ${life.attemptLimit}, to ${channel}`;
      const waits = waitOf(life, new Date());
      return { text: `${state}${waits && `\nwaits: ${waits}`}\n\n${table}`, data: life };
    },
  }),
];

function healthText({ workspaces, channels, byStatus, oldestDueMs, recent }: AutopostHealth): string {
  const { latencyMs, topErrors } = recent;
  return [
    `${workspaces} workspaces; channels: ${channels.enabled} on, ${channels.paused} of them paused, ${channels.disabled} off`,
    statusTable(byStatus),
    oldestDueMs === null
      ? 'nothing waits that could go'
      : `the oldest that could go has waited for ${Math.round(oldestDueMs / 100) / 10} s`,
    `in the last 10 minutes: ${recent.sent} sent, ${recent.failed} failed`,
    latencyMs
      ? `on their way: ${latencyMs.p50} ms at the median, ${latencyMs.p95} at p95, ${latencyMs.p99} at p99`
      : '',
    errorTable(topErrors),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const statusTable = (byStatus: AutopostHealth['byStatus']): string =>
  textTable(
    Object.entries(byStatus).sort(),
    [
      ['status', ([status]) => status],
      ['deliveries', ([, amount]) => amount],
    ],
    'no deliveries',
  );

const errorTable = (errors: AutopostHealth['recent']['topErrors']): string =>
  textTable(
    errors,
    [
      ['error', ({ code }) => code],
      ['count', (one) => one.count],
    ],
    'no errors',
  );

/** Empty: it does not wait, or its turn comes. */
function waitOf(life: DeliveryLife, now: Date): string {
  const { status, hold, holdUntil, notBefore, nextRetryAt, behind } = life;
  if (status !== 'queued' && status !== 'retry') return '';
  if (hold !== null) return `${holdTexts[hold]}${holdUntil ? ` until ${minuteOf(holdUntil)}` : ''}`;
  if (notBefore > now)
    return `not before ${minuteOf(notBefore)}: the channel's window, or the time it was given`;
  if (nextRetryAt !== null && nextRetryAt > now) return `next try at ${secondOf(nextRetryAt)}`;
  return behind === null ? '' : `behind ${behind}: the channel keeps their order`;
}

const holdTexts: Readonly<Record<Hold, string>> = {
  workspace: 'the workspace is paused or disabled',
  off: 'the channel is off',
  paused: 'the channel is paused',
  group: 'the group of the channel waits',
};

type Told = { code?: string; message?: string } | null;

function whyOf(error: Told, meta: object): string {
  const said = error ? [error.code, error.message].filter(Boolean).join(': ') : '';
  const more = Object.entries(meta).filter(([name]) => name !== 'trace_id' && name !== 'ingest_run_id');
  return [
    said,
    ...more.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ]
    .filter(Boolean)
    .join(' ');
}
