import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { composeShopBot } from '../../src/compose/shop-bot.ts';
import { maxWebhookHandler } from '../../src/http/max-webhook.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { createMax } from '../../src/platforms/max/client.ts';
import { makeMaxAdapter } from '../../src/platforms/max/publish.ts';
import { demoRules, demoShop, demoShopSettings } from '../../src/sandbox/demo-shop.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import type { NewRule } from '../../src/shop-bot/rule.ts';
import type { Sql } from '../../src/store/database.ts';
import { sealing } from '../autopost/store/a-workspace.ts';

export const log = pino({ level: 'silent' });

export type LogRow = {
  chat_id: string;
  message_text: string;
  matched_rule_id: string | null;
  rule_version: number | null;
  state_before: string;
  state_after: string;
  response_preview: string;
  meta: Record<string, unknown>;
};
export type OutboxRow = {
  id: number;
  chat_id: string;
  inbound_provider_message_id: string;
  status: string;
  provider_message_id: string | null;
  response_hash: string;
  sent_at: Date | null;
  attempted_at: Date | null;
  attempts: number;
  last_error: Record<string, unknown> | null;
};

type BotSettings = { graceMs?: number; leaseMs?: number; callsPerSecond?: number };

type Options = {
  rules?: readonly NewRule[];
  settings?: Record<string, unknown>;
  ingressRps?: number;
  maxTimeoutMs?: number;
  bot?: BotSettings;
};

/** A shop of its own with the demo's rules, its bot behind a webhook, and MAX as a stand-in. */
export async function aShop(sql: Sql, options: Options = {}) {
  const { rules = demoRules, settings = {}, ingressRps = 0, maxTimeoutMs = 15_000 } = options;
  const id = randomUUID();
  const secret = `secret-${id}`;
  const standIn = await startMaxStandIn({ redeliveryMs: 20 });
  const token = `token-${id}`;
  const maxBot = standIn.world.addBot({ token, name: 'Тёплый свет' });
  const operatorChat = demoShop.operatorChat.id;
  standIn.world.addChat({
    ...{ id: operatorChat, type: 'chat', title: 'Операторы' },
    bots: { [maxBot.user_id]: { is_admin: false } },
  });
  const workspaces = makeWorkspaces(sql, sealing);
  await workspaces.save(id, 'Тёплый свет');
  await workspaces.saveCredential(id, demoShop.bot.authRef, 'max', { token });
  await workspaces.saveEndpoint(id, { endpointId: 'bot', kind: 'bot_webhook', secret, ingressRps });
  const adapter = makeMaxAdapter({
    max: createMax({ baseUrl: standIn.url, timeoutMs: maxTimeoutMs }),
    download: async () => Promise.reject(new Error('no files here')),
    log,
  });
  const told: string[] = [];
  const newBot = (own: BotSettings = options.bot ?? {}) =>
    composeShopBot({
      ...{ maxUrl: standIn.url, tell: async (text: string) => void told.push(text) },
      database: { sql, embedded: false },
      workspaces,
      max: adapter,
      log,
      settings: { callsPerSecond: Number.POSITIVE_INFINITY, chatGapMs: 0, ...own },
    });
  const bot = newBot();
  await bot.stores.endpoints.saveMeta(id, 'bot', { ...demoShopSettings, ...settings });
  await bot.stores.rules.save(id, rules);
  const server = createHttpServer([maxWebhookHandler(bot.receive, { log })], (error) => {
    throw error;
  });
  const address = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/max/bot`;
  return {
    ...{ told, id, secret, standIn, maxBot, bot, newBot, address, workspaces, operatorChat },
    customer,
    post,
    logs,
    outbox,
    operatorLines: () => standIn.world.messages(operatorChat).map(({ body }) => body.text),
    async close() {
      await bot.stop();
      await closeServer(server);
      await standIn.close();
    },
  };

  /** A webhook call as MAX makes it. */
  async function post(update: unknown, { to = address, key = secret }: { to?: string; key?: string } = {}) {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-max-bot-api-secret': key },
      body: typeof update === 'string' ? update : JSON.stringify(update),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Somebody who writes to the bot: what they do reaches it by a call of the webhook. */
  function customer(userId: number) {
    const person = { id: userId, name: `Покупатель ${userId}` };
    const { chat_id: chatId } = standIn.people.start(maxBot, person);
    let count = 0;
    const next = () => {
      count += 1;
      return count;
    };
    return {
      chatId: String(chatId),
      userId,
      say,
      sayUpdate,
      press,
      pressUpdate,
      photo,
      update,
      answers,
      last,
      state,
    };

    function update(body: Record<string, unknown>, mid = `mid.${userId}.${next()}`) {
      const sender = { user_id: userId, first_name: person.name, name: person.name, is_bot: false };
      const message = { sender, recipient: { chat_id: chatId, chat_type: 'dialog', user_id: userId } };
      return {
        update_type: 'message_created',
        timestamp: Date.now(),
        message: {
          ...message,
          timestamp: Date.now(),
          body: { mid, seq: 116_000_000_000_000_000, text: null, ...body },
        },
      };
    }

    function sayUpdate(text: string, mid?: string) {
      return update({ text }, mid);
    }

    function pressUpdate(rule: string, chat: number = chatId) {
      const user = { user_id: userId, first_name: person.name, name: person.name, is_bot: false };
      return {
        update_type: 'message_callback',
        timestamp: Date.now(),
        callback: { timestamp: Date.now(), callback_id: `cb.${userId}.${next()}`, payload: rule, user },
        message: { recipient: { chat_id: chat, chat_type: 'dialog' } },
      };
    }

    async function answered(work: Promise<{ status: number }>): Promise<string> {
      const before = answers().length;
      const { status } = await work;
      if (status !== 200) throw new Error(`the webhook answered ${status}`);
      for (let tries = 0; tries < 500 && answers().length === before; tries += 1) await sleep(5);
      return last() ?? '';
    }

    function say(text: string) {
      return answered(post(sayUpdate(text)));
    }

    function press(rule: string) {
      return answered(post(pressUpdate(rule)));
    }

    function photo(url = 'https://i.example/photo.jpg') {
      return answered(post(update({ attachments: [{ type: 'image', payload: { url, token: 't' } }] })));
    }

    function answers() {
      return standIn.world.messages(Number(chatId)).filter(({ sender }) => sender?.is_bot);
    }

    function last() {
      return answers().at(-1)?.body.text;
    }

    async function state() {
      const [row] = await sql<{ state: string; context: Record<string, unknown>; expires_at: Date | null }[]>`
        select state, context, expires_at from bot_state where workspace_id = ${id} and chat_id = ${String(chatId)}`;
      return row ?? null;
    }
  }

  function logs() {
    return sql<LogRow[]>`select * from bot_logs where workspace_id = ${id} order by id`;
  }

  function outbox() {
    return sql<OutboxRow[]>`select * from bot_outbox where workspace_id = ${id} order by id`;
  }
}
