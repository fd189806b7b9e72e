import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeOpenToken } from '../../autopost/queue/open-token.ts';
import { makeEndpoints } from '../../autopost/store/endpoints.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { AnswerUnreadable, ApiRefused } from '../../clients/http/api-refused.ts';
import { AnswerLost } from '../../clients/http/call-once.ts';
import { createMax } from '../../platforms/max/client.ts';
import { makeBotEndpoints } from '../../shop-bot/store/endpoints.ts';
import { updateTypes } from '../../shop-bot/update-types.ts';
import {
  type Context,
  defineSubcommand,
  NotDone,
  NothingFound,
  option,
  workspace,
} from '../autopost/subcommand.ts';
import { botOf, newEndpointId } from './bot-of.ts';

const command = 'shop-bot' as const;
const address = z.url({ protocol: /^https?$/u }).transform((url) => url.replace(/\/+$/u, ''));
const max = option('url', 'the address of MAX; without it MAX_BASE_URL', address.optional());

export const subscriptionSubcommands = [
  defineSubcommand({
    ...{ command, name: 'subscribe', changes: true },
    summary: "set the bot's webhook with MAX, under a new secret, and remove older ones",
    options: {
      workspace,
      url: option('https://…', 'the address of this service; without it PUBLIC_URL', address.optional()),
      max,
    },
    async run(context, { workspace: id, url = context.places.publicUrl, max: baseUrl }) {
      if (url === undefined)
        throw new NotDone('The address of this service is not known: give --url or PUBLIC_URL.');
      const { sql, sealing, by, rehearsal } = context;
      const { endpointId: old, meta, token } = await withToken(context, id);
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
      await makeOperators(sql).noteConfigured(id, null, { bot: endpointId, webhook: own }, by);
      const client = createMax({ baseUrl: baseUrl ?? context.places.maxUrl });
      const removed = await asking(async () => {
        const older = (await client.subscriptions(token)).filter((one) => one.url !== own);
        if (rehearsal) return older;
        await client.subscribe(token, { url: own, secret, update_types: updateTypes });
        for (const one of older) await client.unsubscribe(token, one.url);
        return older;
      });
      return {
        text: `MAX brings messages to ${own}. Removed: ${removed.length}.`,
        data: { endpointId, url: own, removed: removed.map((one) => one.url) },
      };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'unsubscribe', changes: true },
    summary: "remove the bot's webhooks with MAX: it hears nothing any more",
    options: { workspace, max },
    async run(context, { workspace: id, max: baseUrl }) {
      const { sql, by, rehearsal } = context;
      const { endpointId, token } = await withToken(context, id);
      await makeOperators(sql).noteConfigured(id, null, { bot: endpointId, webhook: null }, by);
      const client = createMax({ baseUrl: baseUrl ?? context.places.maxUrl });
      const all = await asking(async () => {
        const found = await client.subscriptions(token);
        if (!rehearsal) for (const { url } of found) await client.unsubscribe(token, url);
        return found;
      });
      return { text: `removed: ${all.length}`, data: { removed: all.map(({ url }) => url) } };
    },
  }),
];

async function withToken({ sql, sealing }: Context, workspaceId: string) {
  const bot = await botOf(sql, workspaceId);
  if (!bot) throw new NothingFound(`No bot in workspace "${workspaceId}": add-bot makes one.`);
  const { auth_ref } = bot.meta;
  const openToken = makeOpenToken({ workspaces: makeWorkspaces(sql, sealing) });
  const token = await openToken(workspaceId, auth_ref, 'max');
  if (token === null) throw new NothingFound(`No token under "${auth_ref}" in workspace "${workspaceId}".`);
  return { ...bot, token };
}

/** What MAX refuses, or does not answer, is said in its words. */
async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isOfMax = [ApiRefused, AnswerLost, AnswerUnreadable].some((kind) => error instanceof kind);
    if (!isOfMax || !(error instanceof Error)) throw error;
    throw new NotDone(`MAX did not do it: ${error.message}`, { cause: error });
  }
}
