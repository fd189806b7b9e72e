import { z } from 'zod';
import { makeOperators } from '../../autopost/store/operators.ts';
import type { Sql } from '../../store/database.ts';
import { knownWorkspace } from './known.ts';
import {
  BadArguments,
  count,
  defineSubcommand,
  deliveryIds,
  minutes,
  NothingFound,
  option,
  text,
  workspace,
} from './subcommand.ts';
import { textTable } from './text-table.ts';

const ids = option('id…', 'deliveries', deliveryIds);

export const deliverySubcommands = [
  defineSubcommand({
    name: 'requeue',
    summary: 'send again what died, was refused or is unknown: by ids, or all of a status',
    changes: true,
    positional: 'ids',
    options: {
      workspace,
      ids: { ...ids, schema: deliveryIds.optional() },
      status: option(
        'dead|failed_permanent',
        'all of this status',
        z.enum(['dead', 'failed_permanent']).optional(),
      ),
      channel: option('id', 'with --status: of this channel', text.optional()),
      limit: option('100', 'with --status: at most so many', count.default(100)),
      attempts: option('5', 'how many new attempts', count.default(5)),
    },
    async run({ sql, by }, { workspace: id, ids: given, status, channel, limit, attempts }) {
      if ((given === undefined) === (status === undefined)) {
        throw new BadArguments('Expected the ids of deliveries, or --status, and not both.');
      }
      await knownWorkspace(sql, id);
      const chosen = given ?? (await ofStatus(sql, { id, status: status!, channel: channel ?? null, limit }));
      const outcomes = await makeOperators(sql).requeue(id, chosen, by, { attempts });
      if (!outcomes.some(({ outcome }) => outcome === 'retry'))
        throw new NothingFound(outcomesText(outcomes));
      return { text: outcomesText(outcomes), data: outcomes };
    },
  }),

  defineSubcommand({
    name: 'confirm-sent',
    summary: 'an unknown delivery is there after all',
    changes: true,
    positional: 'ids',
    options: {
      workspace,
      ids: { ...ids, schema: deliveryIds.max(1, 'one at a time: each was looked at') },
      'message-id': option('id', 'its id on the platform', text.optional()),
    },
    async run({ sql, by }, { workspace: id, ids: [delivery], 'message-id': messageId }) {
      const found = await makeOperators(sql).confirmSent(
        id,
        delivery!,
        by.operator,
        messageId ?? null,
        by.reason,
      );
      if (!found) throw new NothingFound(`Delivery ${delivery} of workspace ${id} is not unknown.`);
      return { text: `${delivery} is sent.`, data: { deliveryId: delivery, status: 'sent' } };
    },
  }),

  defineSubcommand({
    name: 'abandon',
    summary: 'give up deliveries that wait or are unknown',
    changes: true,
    positional: 'ids',
    options: { workspace, ids },
    async run({ sql, by }, { workspace: id, ids: given }) {
      const abandoned = await makeOperators(sql).abandon(id, given, by);
      if (abandoned.length === 0)
        throw new NothingFound(`None of them waits or is unknown in workspace ${id}.`);
      return { text: `given up: ${abandoned.length}\n${abandoned.join('\n')}`, data: { abandoned } };
    },
  }),

  defineSubcommand({
    name: 'release-stale',
    summary: 'take deliveries from workers that gave no sign of life; what was being sent becomes unknown',
    changes: true,
    options: { workspace, minutes: option('10', 'for so long', minutes.default(10)) },
    async run({ sql, by }, { workspace: id, minutes: age }) {
      await knownWorkspace(sql, id);
      const reason = by.reason || 'manual_stuck_release';
      const released = await makeOperators(sql).releaseStale(id, age * 60_000, { ...by, reason });
      const table = textTable(
        released,
        [
          ['delivery', ({ deliveryId }) => deliveryId],
          ['was', ({ was }) => was],
          ['became', ({ became }) => became],
        ],
        'nothing is stuck',
      );
      return { text: table, data: released };
    },
  }),
];

type Choice = { id: string; status: string; channel: string | null; limit: number };

/** What an operator may requeue of a status: a refusal of the channel is not the delivery's to be tried again. */
async function ofStatus(sql: Sql, { id, status, channel, limit }: Choice): Promise<string[]> {
  const rows = await sql<{ deliveryId: string }[]>`
    select delivery_id as "deliveryId" from deliveries
    where workspace_id = ${id} and status = ${status} and (${channel}::text is null or channel_id = ${channel})
      and (status = 'dead' or coalesce(last_error ->> 'scope', 'delivery') = 'delivery')
    order by seq limit ${limit}`;
  if (rows.length === 0) {
    const leftOut = status === 'dead' ? '' : '; what a channel refused as a whole is posted anew instead';
    throw new NothingFound(`Nothing to requeue: no such delivery is ${status}${leftOut}.`);
  }
  return rows.map(({ deliveryId }) => deliveryId);
}

const outcomesText = (outcomes: readonly { deliveryId: string; outcome: string }[]): string =>
  textTable(outcomes, [
    ['delivery', ({ deliveryId }) => deliveryId],
    ['outcome', ({ outcome }) => meanings[outcome] ?? outcome],
  ]);

const meanings: Readonly<Record<string, string>> = {
  retry: 'queued again',
  duplicate: 'left: the same content is on its way there, or was sent',
  refused: 'left: not there, or not in a status that may be requeued',
};
