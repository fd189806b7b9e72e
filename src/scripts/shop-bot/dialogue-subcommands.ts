import { z } from 'zod';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeLogs } from '../../shop-bot/store/logs.ts';
import { makeOutbox } from '../../shop-bot/store/outbox.ts';
import { knownWorkspace } from '../autopost/known.ts';
import { count, defineSubcommand, NothingFound, option, text, workspace } from '../autopost/subcommand.ts';
import { textTable } from '../autopost/text-table.ts';

const command = 'shop-bot' as const;
const limit = option('20', 'how many', count.default(20));

export const dialogueSubcommands = [
  defineSubcommand({
    ...{
      command,
      name: 'logs',
      summary: 'the latest messages: which rule and version answered, and the states',
    },
    options: { workspace, chat: option('id', 'of one chat', text.optional()), limit },
    async run({ sql }, { workspace: id, chat, limit: most }) {
      await knownWorkspace(sql, id);
      const entries = await makeLogs(sql).list(id, { chatId: chat, limit: most });
      const table = textTable(
        entries,
        [
          ['time', ({ ts }) => ts],
          ['chat', ({ chatId }) => chatId],
          ['rule', ({ ruleId, ruleVersion, meta }) => (ruleId ? `${ruleId} v${ruleVersion}` : meta.reply)],
          ['state', ({ stateBefore, stateAfter }) => `${stateBefore} > ${stateAfter}`],
          ['message', (entry) => entry.text],
        ],
        'no messages yet',
      );
      return { text: table, data: entries };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'outbox', summary: 'the latest answers and what became of them' },
    options: {
      workspace,
      status: option(
        'queued|sending|sent|unknown|failed',
        'only these',
        z.enum(['queued', 'sending', 'sent', 'unknown', 'failed']).optional(),
      ),
      limit,
    },
    async run({ sql }, { workspace: id, status, limit: most }) {
      await knownWorkspace(sql, id);
      const answers = await makeOutbox(sql).list(id, { status, limit: most });
      const table = textTable(
        answers,
        [
          ['answer', ({ id: answer }) => answer],
          ['time', ({ createdAt }) => createdAt],
          ['chat', ({ chatId }) => chatId],
          ['status', (answer) => answer.status],
          ['attempts', ({ attempts }) => attempts],
          ['error', ({ error }) => (error as { code?: string } | null)?.code],
          ['text', (answer) => answer.text],
        ],
        'no answers',
      );
      return { text: table, data: answers };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'settle', changes: true },
    summary: 'an unknown answer, after a look into the chat: it is there, or it goes out once more',
    options: {
      workspace,
      answer: option('id', 'its number in outbox', count),
      as: option('sent|resend', 'what is true', z.enum(['sent', 'resend'])),
    },
    async run({ sql, by }, { workspace: id, answer, as }) {
      const done = await makeOutbox(sql).resolve(id, answer, as === 'sent' ? 'sent' : 'queued');
      if (!done) throw new NothingFound(`No unknown or failed answer ${answer} in workspace "${id}".`);
      await makeOperators(sql).noteConfigured(id, null, { answer, settled_as: as }, by);
      const words = as === 'sent' ? 'counts as sent' : 'goes out once more';
      return { text: `answer ${answer} ${words}.`, data: { answer, as } };
    },
  }),
];
