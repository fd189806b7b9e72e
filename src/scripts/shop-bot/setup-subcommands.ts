import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces } from '../../autopost/store/workspaces.ts';
import { demoRules, demoShop } from '../../sandbox/demo-shop.ts';
import { seedShop } from '../../sandbox/seed-shop.ts';
import { readSettings } from '../../shop-bot/settings.ts';
import { makeBotEndpoints } from '../../shop-bot/store/endpoints.ts';
import { fromJson } from '../autopost/from-json.ts';
import { defineSubcommand, identifier, option, text } from '../autopost/subcommand.ts';

const command = 'shop-bot' as const;
/** A shop has many customers: the usual 5 a second of an endpoint would turn them away at noon. */
const INGRESS_RPS = 30;

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
    summary: 'a bot for a shop; subscribe then brings MAX to it',
    options: {
      workspace: option('id', 'the workspace; made if it is not there', identifier),
      name: option('…', 'how the shop is called', text),
      token: option('-', "the bot's token in MAX; - reads it from the input", text),
      settings: option(
        'json',
        'operator_chat, state_timeout_minutes, vars, topics, texts',
        fromJson(z.record(z.string(), z.unknown())).optional(),
      ),
    },
    async run({ sql, sealing, by }, { workspace: id, name, token, settings = {} }) {
      const workspaces = makeWorkspaces(sql, sealing);
      const authRef = `${id}-bot`;
      const given = { vars: { shop: name }, ...settings, auth_ref: authRef };
      readSettings(given);
      await workspaces.save(id, name);
      await workspaces.saveCredential(id, authRef, 'max', { token });
      const endpointId = newEndpointId();
      // This secret is kept nowhere: subscribe makes one together with MAX.
      const secret = randomBytes(24).toString('base64url');
      await workspaces.saveEndpoint(id, { endpointId, kind: 'bot_webhook', secret, ingressRps: INGRESS_RPS });
      await makeBotEndpoints(sql).saveMeta(id, endpointId, JSON.parse(JSON.stringify(given)));
      await makeOperators(sql).noteConfigured(id, null, { bot: endpointId }, by);
      return {
        text: `bot ${endpointId} of workspace ${id}. Next: npm run shop-bot -- subscribe --workspace ${id}`,
        data: { workspaceId: id, endpointId },
      };
    },
  }),
];

export const newEndpointId = (): string => `bot-${randomBytes(6).toString('hex')}`;
