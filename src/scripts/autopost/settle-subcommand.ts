import { z } from 'zod';
import { makeSettleUnknown, type Verdict } from '../../autopost/store/settle-unknown.ts';
import { knownWorkspace } from './known.ts';
import { count, defineSubcommand, NothingFound, option, text, workspace } from './subcommand.ts';

const time = z.iso.datetime({ offset: true, error: 'expected a time as 2026-11-18T09:30:00Z' });

const words: Readonly<Record<Verdict, string>> = {
  sent: 'counted as sent',
  retry: 'queued again',
  abandoned: 'given up',
};

/** After an outage four hundred posts cannot be checked one by one: one look into a channel settles all of them. */
export const settleSubcommand = defineSubcommand({
  name: 'settle',
  summary: 'decide for all deliveries whose answer was lost, by channel and time',
  changes: true,
  options: {
    workspace,
    as: option(
      'sent|retry|abandoned',
      'they are there; they are not, send them; they are not, and shall not be',
      z.enum(['sent', 'retry', 'abandoned']),
    ),
    channel: option('id', 'of this channel alone', text.optional()),
    since: option('2026-11-18T09:00:00Z', 'called at this time or later', time.optional()),
    until: option('2026-11-18T09:30:00Z', 'called at this time or earlier', time.optional()),
    limit: option('10000', 'at most so many', count.default(10_000)),
  },
  async run({ sql, by }, { workspace: id, as: verdict, channel, since, until, limit }) {
    await knownWorkspace(sql, id);
    const choice = {
      ...{ channelId: channel ?? null, limit },
      ...{ since: since ? new Date(since) : null, until: until ? new Date(until) : null },
    };
    const { found, settled } = await makeSettleUnknown(sql)(id, choice, verdict, by);
    if (found === 0) throw new NothingFound('No such delivery is unknown.');
    const left = found - settled.length;
    const rest = left > 0 ? `, left: ${left}, whose content is on its way there or was sent` : '';
    return { text: `${words[verdict]}: ${settled.length}${rest}`, data: { verdict, settled, left } };
  },
});
