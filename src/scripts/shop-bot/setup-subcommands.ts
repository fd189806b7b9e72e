import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { demoRules, demoShop } from '../../sandbox/demo-shop.ts';
import { seedShop } from '../../sandbox/seed-shop.ts';
import { settingsFaults } from '../../shop-bot/settings.ts';
import { makeBotEndpoints } from '../../shop-bot/store/endpoints.ts';
import { fromJson } from '../autopost/from-json.ts';
import { BadArguments, defineSubcommand, identifier, option, text } from '../autopost/subcommand.ts';
import { botOf, newEndpointId } from './bot-of.ts';

const command = 'shop-bot' as const;
/** A shop has many customers: the usual 5 a second of an endpoint would turn them away at noon. */
const INGRESS_RPS = 30;

/** Given one by one: what is not given stays as it was. */
const settings = z.looseObject({
  vars: z.record(z.string(), z.string()).optional(),
  texts: z.record(z.string(), z.string()).optional(),
});

export const setupSubcommands = [
  defineSubcommand({
    ...{ command, name: 'demo', changes: true },
    summary: `a shop to try with, in workspace "${demoShop.workspaceId}"; its bot lives in the sandbox`,
    options: {},
    async run({ sql, sealing, by }) {
      const isNew = await seedShop(sql, makeWorkspaces(sql, sealing));
      const { workspaceId, name } = demoShop;
      if (isNew) await makeOperators(sql).noteConfigured(workspaceId, null, { demo: demoRules.length }, by);
      const words = isNew ? `${demoRules.length} rules` : 'is there already, and stays as it is';
      return { text: `workspace ${workspaceId} "${name}": ${words}.`, data: { workspaceId, isNew } };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'add-bot', changes: true },
    summary: 'a bot for a shop, or new settings for one; subscribe then brings MAX to it',
    options: {
      workspace: option('id', 'the workspace; made if it is not there', identifier),
      name: option('…', 'how the shop is called; needed at first', text.optional()),
      token: option(
        '-',
        "the bot's token in MAX; - reads it from the input; needed at first",
        text.optional(),
      ),
      settings: option(
        'json',
        'operator_chat, state_timeout_minutes, vars, topics, texts',
        fromJson(settings).optional(),
      ),
    },
    async run({ sql, sealing, by }, { workspace: id, name, token, settings: given = {} }) {
      const workspaces = makeWorkspaces(sql, sealing);
      const before = await botOf(sql, id);
      if (!before && (name === undefined || token === undefined))
        throw new BadArguments(`There is no bot in workspace "${id}" yet: give its --name and --token.`);
      const authRef = before?.meta.auth_ref ?? `${id}-bot`;
      const meta = {
        ...before?.meta,
        ...given,
        vars: { ...partOf(before?.meta, 'vars'), ...(name !== undefined && { shop: name }), ...given.vars },
        texts: { ...partOf(before?.meta, 'texts'), ...given.texts },
        auth_ref: authRef,
      };
      const faults = settingsFaults(meta);
      if (faults.length > 0) throw new BadArguments(faults.map((fault) => `--settings: ${fault}`).join('\n'));
      const workspace = await workspaces.find(id);
      if (name !== undefined) await workspaces.save(id, name, workspace?.status);
      if (token !== undefined) await workspaces.saveCredential(id, authRef, 'max', { token });
      const endpointId = before?.endpointId ?? newEndpointId();
      if (!before) {
        // This secret is kept nowhere: subscribe makes one together with MAX.
        const secret = randomBytes(24).toString('base64url');
        await workspaces.saveEndpoint(id, {
          ...{ endpointId, kind: 'bot_webhook', secret },
          ingressRps: INGRESS_RPS,
        });
      }
      await makeBotEndpoints(sql).saveMeta(id, endpointId, JSON.parse(JSON.stringify(meta)));
      await makeOperators(sql).noteConfigured(id, null, { bot: endpointId }, by);
      const next = before ? 'changed.' : `made. Next: npm run shop-bot -- subscribe --workspace ${id}`;
      const lacks =
        'operator_chat' in meta ? '' : '\nIt has no operator_chat: what it cannot answer reaches nobody.';
      return {
        text: `bot ${endpointId} of workspace ${id} ${next}${lacks}`,
        data: { workspaceId: id, endpointId },
      };
    },
  }),
];

const partOf = (meta: { readonly [name: string]: unknown } | undefined, name: string): object =>
  (meta?.[name] ?? {}) as object;
