import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeEndpoints } from '../../autopost/store/endpoints.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeListWorkspaces } from '../../autopost/store/workspace-list.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import type { Sql } from '../../store/database.ts';
import { knownWorkspace } from './known.ts';
import {
  BadArguments,
  type Context,
  count,
  defineSubcommand,
  identifier,
  NothingFound,
  option,
  rate,
  text,
  withoutUndefined,
  workspace,
} from './subcommand.ts';
import { textTable } from './text-table.ts';

const endpoint = option('e1', 'the entrance', text);
const rps = option('5', 'requests a second; 0 for no limit', rate.optional());
const maxBytes = option('262144', 'the largest request, in bytes', count.optional());
const dropRepeats = option(
  '10',
  'for so many seconds the same request without a source_ref is a repeat',
  z.coerce.number().int().nonnegative().max(86_400).optional(),
);

export const setupSubcommands = [
  defineSubcommand({
    name: 'workspaces',
    summary: 'all workspaces',
    options: {},
    async run({ sql }) {
      const workspaces = await makeListWorkspaces(sql)();
      const table = textTable(
        workspaces,
        [
          ['workspace', ({ id }) => id],
          ['status', ({ status }) => status],
          ['channels', ({ channels, enabled }) => `${enabled} of ${channels} on`],
          ['name', ({ name }) => name],
        ],
        'no workspaces: add-workspace makes one',
      );
      return { text: table, data: workspaces };
    },
  }),

  defineSubcommand({
    name: 'add-workspace',
    summary: 'make a workspace, or rename, stop or start one',
    changes: true,
    options: {
      id: option('w1', 'how it is named in commands', identifier),
      name: option('…', 'how people call it; needed at first', text.optional()),
      status: option(
        'active|paused|disabled',
        'paused: takes posts and sends none; disabled: takes none',
        z.enum(['active', 'paused', 'disabled']).optional(),
      ),
    },
    async run({ sql, sealing, by }, { id, ...given }) {
      const workspaces = makeWorkspaces(sql, sealing);
      const before = await workspaces.find(id);
      const name = given.name ?? before?.name;
      if (name === undefined) throw new BadArguments(`There is no workspace "${id}" yet: give its --name.`);
      const status = given.status ?? before?.status ?? 'active';
      await workspaces.save(id, name, status);
      await makeOperators(sql).noteConfigured(id, null, { workspace: id, name, status }, by);
      return { text: `workspace ${id} "${name}" is ${status}.`, data: { id, name, status } };
    },
  }),

  defineSubcommand({
    name: 'endpoints',
    summary: 'the entrances of a workspace, for posts and for bots, and what they let in',
    options: { workspace },
    async run({ sql }, { workspace: id }) {
      await knownWorkspace(sql, id);
      const endpoints = await makeEndpoints(sql).list(id);
      const table = textTable(
        endpoints,
        [
          ['endpoint', ({ endpointId }) => endpointId],
          ['kind', ({ kind }) => kind],
          ['state', ({ enabled }) => (enabled ? 'open' : 'closed')],
          ['requests', ({ ingressRps }) => (ingressRps ? `${ingressRps}/s` : 'no limit')],
          ['largest', ({ maxPayloadBytes }) => `${maxPayloadBytes} bytes`],
          ['repeats dropped', ({ hashDropWindowSec }) => `${hashDropWindowSec} s`],
          ['since', ({ createdAt }) => createdAt],
        ],
        'no entrances: add-endpoint makes one',
      );
      return { text: table, data: endpoints };
    },
  }),

  defineSubcommand({
    name: 'add-endpoint',
    summary:
      'an entrance for posts, or new limits for one; prints the secret of a new one, which is kept nowhere',
    changes: true,
    options: {
      workspace,
      id: option('e1', 'how it is named in commands', identifier.optional()),
      rps,
      'max-bytes': maxBytes,
      'drop-repeats': dropRepeats,
    },
    async run(context, { workspace: id, id: given, ...typed }) {
      const { sql, sealing, by } = context;
      await knownWorkspace(sql, id);
      const limits = withoutUndefined({
        ...{ ingressRps: typed.rps, maxPayloadBytes: typed['max-bytes'] },
        hashDropWindowSec: typed['drop-repeats'],
      });
      const known = (await makeEndpoints(sql).list(id)).find(({ endpointId }) => endpointId === given);
      if (known) {
        if (Object.keys(limits).length === 0)
          throw new BadArguments(
            `Entrance "${known.endpointId}" is there already; rotate-endpoint changes its secret.`,
          );
        await makeEndpoints(sql).limit(id, { ...known, ...limits });
        await makeOperators(sql).noteConfigured(id, null, { endpoint: known.endpointId, ...limits }, by);
        return {
          text: `entrance ${known.endpointId} has new limits, and its secret as before.`,
          data: { endpointId: known.endpointId, ...limits },
        };
      }
      const secret = newSecret();
      const endpointId = given ?? endpointIdOf(secret);
      await makeWorkspaces(sql, sealing).saveEndpoint(id, {
        ...{ endpointId, kind: 'webhook_push', secret },
        ...limits,
      });
      await makeOperators(sql).noteConfigured(id, null, { endpoint: endpointId }, by);
      return printed(context, endpointId, secret);
    },
  }),

  defineSubcommand({
    name: 'rotate-endpoint',
    summary: 'a new secret for an entrance; the old one opens nothing any more',
    changes: true,
    options: { workspace, endpoint },
    async run(context, { workspace: id, endpoint: oldId }) {
      const { sql, sealing, by } = context;
      const old = await openEntrance(sql, id, oldId);
      const secret = newSecret();
      const endpointId = endpointIdOf(secret);
      await makeWorkspaces(sql, sealing).saveEndpoint(id, { ...old, endpointId, secret });
      await makeEndpoints(sql).disable(id, oldId);
      await makeOperators(sql).noteConfigured(id, null, { endpoint: endpointId, instead_of: oldId }, by);
      return printed(context, endpointId, secret, { insteadOf: oldId });
    },
  }),

  defineSubcommand({
    name: 'close-endpoint',
    summary: 'close an entrance: its secret opens nothing any more',
    changes: true,
    options: { workspace, endpoint },
    async run({ sql, by }, { workspace: id, endpoint: endpointId }) {
      await openEntrance(sql, id, endpointId);
      await makeEndpoints(sql).disable(id, endpointId);
      await makeOperators(sql).noteConfigured(id, null, { endpoint: endpointId, enabled: false }, by);
      return { text: `entrance ${endpointId} is closed.`, data: { endpointId, enabled: false } };
    },
  }),
];

/** Of posts: a bot's is made and closed together with MAX. */
async function openEntrance(sql: Sql, workspaceId: string, endpointId: string) {
  const all = await makeEndpoints(sql).list(workspaceId);
  const found = all.find((one) => one.enabled && one.endpointId === endpointId);
  if (!found)
    throw new NothingFound(`No entrance "${endpointId}" that is open in workspace "${workspaceId}".`);
  if (found.kind === 'bot_webhook')
    throw new BadArguments(
      `"${endpointId}" is the entrance of a bot: npm run shop-bot -- subscribe renews it.`,
    );
  return found;
}

const newSecret = (): string => `ap_${randomBytes(24).toString('base64url')}`;
/** Of the secret's hash, which is what is kept: unlike the others, and of no use to a reader. */
const endpointIdOf = (secret: string): string =>
  `e-${createHash('sha256').update(`id:${secret}`).digest('hex').slice(0, 8)}`;

/** A rehearsed secret opens nothing: it is not shown. */
function printed({ rehearsal }: Context, endpointId: string, secret: string, more: object = {}) {
  const shown = rehearsal ? null : secret;
  return { text: entranceText(endpointId, shown), data: { endpointId, ...more, secret: shown } };
}

const entranceText = (endpointId: string, secret: string | null): string =>
  secret === null
    ? `endpoint ${endpointId}, with a secret that is shown once`
    : [
        `endpoint ${endpointId}`,
        `secret   ${secret}`,
        '',
        'The secret is shown this once. Post with it:',
        `curl -X POST "$PUBLIC_URL/api/ingest" -H "Authorization: Bearer ${secret}" \\`,
        `  -H "Content-Type: application/json" -d '{"text": "…", "tags": ["…"]}'`,
      ].join('\n');
