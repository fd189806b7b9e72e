import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeEndpoints } from '../../autopost/store/endpoints.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeListWorkspaces } from '../../autopost/store/workspace-list.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { knownWorkspace } from './known.ts';
import {
  BadArguments,
  count,
  defineSubcommand,
  identifier,
  NothingFound,
  option,
  rate,
  text,
  workspace,
} from './subcommand.ts';
import { textTable } from './text-table.ts';

const rps = option('5', 'requests a second', rate.optional());
const maxBytes = option('262144', 'the largest request, in bytes', count.optional());

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
      name: option('…', 'how people call it', text),
      status: option(
        'active|paused|disabled',
        'paused: takes posts and sends none; disabled: takes none',
        z.enum(['active', 'paused', 'disabled']).default('active'),
      ),
    },
    async run({ sql, sealing, by }, { id, name, status }) {
      await makeWorkspaces(sql, sealing).save(id, name, status);
      await makeOperators(sql).noteConfigured(id, null, { workspace: id, name, status }, by);
      return { text: `workspace ${id} "${name}" is ${status}.`, data: { id, name, status } };
    },
  }),

  defineSubcommand({
    name: 'add-endpoint',
    summary: 'an entrance for posts; prints its secret, which is kept nowhere',
    changes: true,
    options: {
      workspace,
      id: option('e1', 'how it is named in commands', identifier.optional()),
      rps,
      'max-bytes': maxBytes,
    },
    async run({ sql, sealing, by }, { workspace: id, id: given, rps: perSecond, 'max-bytes': bytes }) {
      await knownWorkspace(sql, id);
      const secret = newSecret();
      const endpointId = given ?? endpointIdOf(secret);
      if ((await makeEndpoints(sql).list(id)).some((one) => one.endpointId === endpointId))
        throw new BadArguments(
          `Entrance "${endpointId}" is there already; rotate-endpoint changes its secret.`,
        );
      await makeWorkspaces(sql, sealing).saveEndpoint(id, {
        ...{ endpointId, kind: 'webhook_push', secret },
        ...(perSecond !== undefined && { ingressRps: perSecond }),
        ...(bytes !== undefined && { maxPayloadBytes: bytes }),
      });
      await makeOperators(sql).noteConfigured(id, null, { endpoint: endpointId }, by);
      return { text: entranceText(endpointId, secret), data: { endpointId, secret } };
    },
  }),

  defineSubcommand({
    name: 'rotate-endpoint',
    summary: 'a new secret for an entrance; the old one opens nothing any more',
    changes: true,
    options: { workspace, endpoint: option('e1', 'the entrance', text) },
    async run({ sql, sealing, by }, { workspace: id, endpoint }) {
      const endpoints = makeEndpoints(sql);
      const old = (await endpoints.list(id)).find(
        ({ endpointId, enabled }) => enabled && endpointId === endpoint,
      );
      if (!old) throw new NothingFound(`No entrance "${endpoint}" that is open in workspace "${id}".`);
      const secret = newSecret();
      const endpointId = endpointIdOf(secret);
      await makeWorkspaces(sql, sealing).saveEndpoint(id, { ...old, endpointId, secret });
      await endpoints.disable(id, endpoint);
      await makeOperators(sql).noteConfigured(id, null, { endpoint: endpointId, instead_of: endpoint }, by);
      return { text: entranceText(endpointId, secret), data: { endpointId, insteadOf: endpoint, secret } };
    },
  }),
];

const newSecret = (): string => `ap_${randomBytes(24).toString('base64url')}`;
/** Of the secret's hash, which is what is kept: unlike the others, and of no use to a reader. */
const endpointIdOf = (secret: string): string =>
  `e-${createHash('sha256').update(`id:${secret}`).digest('hex').slice(0, 8)}`;

const entranceText = (endpointId: string, secret: string): string =>
  [
    `endpoint ${endpointId}`,
    `secret   ${secret}`,
    '',
    'The secret is shown this once. Post with it:',
    `curl -X POST "$PUBLIC_URL/api/ingest" -H "Authorization: Bearer ${secret}" \\`,
    `  -H "Content-Type: application/json" -d '{"text": "…", "tags": ["…"]}'`,
  ].join('\n');
