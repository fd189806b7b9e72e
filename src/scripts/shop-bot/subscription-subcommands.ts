import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeOpenToken } from '../../autopost/queue/open-token.ts';
import { makeEndpoints } from '../../autopost/store/endpoints.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { createMax } from '../../platforms/max/client.ts';
import { readSettings } from '../../shop-bot/settings.ts';
import { makeBotEndpoints } from '../../shop-bot/store/endpoints.ts';
import { updateTypes } from '../../shop-bot/update-types.ts';
import { type Context, defineSubcommand, NothingFound, option, workspace } from '../autopost/subcommand.ts';
import { newEndpointId } from './setup-subcommands.ts';

const command = 'shop-bot' as const;
const address = z.url({ protocol: /^https?$/u }).transform((url) => url.replace(/\/+$/u, ''));
const max = option(
  'url',
  'the address of MAX; without it MAX_BASE_URL',
  address.default(() => process.env.MAX_BASE_URL ?? 'https://platform-api2.max.ru'),
);

export const subscriptionSubcommands = [
  defineSubcommand({
    ...{ command, name: 'subscribe', changes: true },
    summary: "set the bot's webhook with MAX, under a new secret, and remove older ones",
    options: {
      workspace,
      url: option(
        'https://…',
        'the address of this service; without it PUBLIC_URL',
        address.default(() => process.env.PUBLIC_URL ?? ''),
      ),
      max,
    },
    async run(context, { workspace: id, url, max: baseUrl }) {
      if (url === '')
        throw new NothingFound('The address of this service is not known: give --url or PUBLIC_URL.');
      const { sql, sealing, rehearsal } = context;
      const { endpointId: old, meta, token } = await botOf(context, id);
      const endpointId = newEndpointId();
      const secret = randomBytes(24).toString('base64url');
      const own = `${url}/api/max/${endpointId}`;
      const [before] = (await makeEndpoints(sql).list(id)).filter((one) => one.endpointId === old);
      await makeEndpoints(sql).disable(id, old);
      await makeWorkspaces(sql, sealing).saveEndpoint(id, {
        ...{ endpointId, kind: 'bot_webhook', secret },
        ...(before && { ingressRps: before.ingressRps, maxPayloadBytes: before.maxPayloadBytes }),
      });
      await makeBotEndpoints(sql).saveMeta(
        id,
        endpointId,
        JSON.parse(JSON.stringify({ ...meta, webhook: own })),
      );
      const client = createMax({ baseUrl });
      const older = (await client.subscriptions(token)).filter((one) => one.url !== own);
      if (!rehearsal) {
        await client.subscribe(token, { url: own, secret, update_types: updateTypes });
        for (const one of older) await client.unsubscribe(token, one.url);
      }
      return {
        text: `MAX brings messages to ${own}. Removed: ${older.length}.`,
        data: { endpointId, url: own, removed: older.map((one) => one.url) },
      };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'unsubscribe', changes: true },
    summary: "remove the bot's webhooks with MAX: it hears nothing any more",
    options: { workspace, max },
    async run(context, { workspace: id, max: baseUrl }) {
      const { token } = await botOf(context, id);
      const client = createMax({ baseUrl });
      const all = await client.subscriptions(token);
      if (!context.rehearsal) for (const { url } of all) await client.unsubscribe(token, url);
      return { text: `removed: ${all.length}`, data: { removed: all.map(({ url }) => url) } };
    },
  }),
];

async function botOf({ sql, sealing }: Context, workspaceId: string) {
  const [bot] = (await makeBotEndpoints(sql).list(workspaceId)).filter(({ enabled }) => enabled);
  if (!bot) throw new NothingFound(`No bot in workspace "${workspaceId}": add-bot makes one.`);
  const { auth_ref } = readSettings(bot.meta);
  const token = await makeOpenToken({ workspaces: makeWorkspaces(sql, sealing) })(
    workspaceId,
    auth_ref,
    'max',
  );
  if (token === null) throw new NothingFound(`No token under "${auth_ref}" in workspace "${workspaceId}".`);
  return { ...bot, meta: bot.meta as Record<string, unknown>, token };
}
