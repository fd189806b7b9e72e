import { createServer } from 'node:http';
import pino from 'pino';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { composeShopBot } from '../../src/compose/shop-bot.ts';
import { maxWebhookHandler } from '../../src/http/max-webhook.ts';
import {
  closeServer,
  createHttpServer,
  type HttpHandler,
  listen,
  readBody,
  sendJson,
} from '../../src/http/server.ts';
import { createMax } from '../../src/platforms/max/client.ts';
import { makeMaxAdapter } from '../../src/platforms/max/publish.ts';
import { demoRules, demoShop, demoShopSettings } from '../../src/sandbox/demo-shop.ts';
import { ruleSchema } from '../../src/shop-bot/rule.ts';
import { compileRules } from '../../src/shop-bot/rule-set.ts';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { sealing } from '../autopost/store/a-workspace.ts';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import { median, type Outcome, spread } from './outcome.ts';

const CUSTOMERS = 200;
const MESSAGES = 1_500;
const AT_ONCE = 50;
const ROUNDS = 7;
const SECRET = 'bench-secret';

/** Answers over the webhook, beside a handler that inserts the message and sends a fixed answer; in turns, in one run. */
export async function shopBot(): Promise<Outcome[]> {
  const log = pino({ level: 'silent' });
  const postgres = await startOwnPostgres();
  const database = await openDatabase({ url: postgres.url, dataDir: '' });
  const { sql } = database;
  await applySchema(sql);
  await sql`create table plain_messages (id text primary key, chat_id text, body jsonb, at timestamptz default now())`;
  let arrived = 0;
  const sink = createServer((request, response) => {
    request.resume().once('end', () => {
      arrived += 1;
      sendJson(response, 200, { message: { body: { mid: `mid.${arrived}` } } });
    });
  });
  const maxUrl = `http://127.0.0.1:${await listen(sink, 0, '127.0.0.1')}`;
  const max = createMax({ baseUrl: maxUrl });
  const workspaces = makeWorkspaces(sql, sealing);
  const download = () => Promise.reject(new Error('no files here'));
  const bot = composeShopBot({
    ...{ database, workspaces, maxUrl, log, tell: async () => {} },
    max: makeMaxAdapter({ max, download, log }),
    settings: { callsPerSecond: Number.POSITIVE_INFINITY, chatGapMs: 0 }, // the peer does not keep MAX's limit either
  });
  await workspaces.save('bench', 'bench');
  await workspaces.saveCredential('bench', demoShop.bot.authRef, 'max', { token: 't' });
  await workspaces.saveEndpoint('bench', {
    endpointId: 'bot',
    kind: 'bot_webhook',
    secret: SECRET,
    ingressRps: 0,
  });
  await bot.stores.endpoints.saveMeta('bench', 'bot', demoShopSettings);
  await bot.stores.rules.save('bench', demoRules);

  const plain: HttpHandler = async (request, response) => {
    const update = JSON.parse((await readBody(request, 100_000)).toString());
    const { mid } = update.message.body;
    const chat = String(update.message.recipient.chat_id);
    await sql`insert into plain_messages (id, chat_id, body) values (${mid}, ${chat}, ${sql.json(update)})`;
    await max.send('t', { chatId: chat }, { text: 'Везём по Ижевску за 1–2 дня', format: 'html' });
    sendJson(response, 200, { success: true });
    return true;
  };
  const rates: Record<'ours' | 'plain', number[]> = { ours: [], plain: [] };
  try {
    for (let round = -1; round < ROUNDS; round += 1)
      for (const [name, handler] of [
        ['ours', maxWebhookHandler(bot.receive, { log })],
        ['plain', plain],
      ] as const) {
        const rate = await rateOf(handler, `${name}.${round}`);
        if (round >= 0) rates[name].push(rate); // the first round warms both up
      }
    const [ours, peer] = [median(rates.ours), median(rates.plain)];
    return [
      {
        case: 'shop-bot',
        ours: Math.round(ours),
        peer: Math.round(peer),
        // Round by round: the machine's speed changes by the minute.
        ratio: median(rates.ours.map((rate, round) => rate / rates.plain[round]!)),
        unit: 'answers per second',
        notes: `${MESSAGES} messages of ${CUSTOMERS} customers, ${AT_ONCE} at once; ours ${spread(rates.ours)}, plain ${spread(rates.plain)}; target 0.5`,
      },
      manyRules(),
    ];
  } finally {
    await bot.stop();
    await closeServer(sink);
    await database.close();
    await postgres.close();
  }

  /** From the first call of the webhook to the last answer that arrived. */
  async function rateOf(handler: HttpHandler, name: string): Promise<number> {
    const server = createHttpServer([handler], (error) => {
      throw error;
    });
    const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/max/bot`;
    arrived = 0;
    let next = 0;
    const from = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, bring));
    while (arrived < MESSAGES) await new Promise((resolve) => setTimeout(resolve, 1));
    const rate = (MESSAGES / (performance.now() - from)) * 1000;
    await closeServer(server);
    return rate;

    async function bring(): Promise<void> {
      while (next < MESSAGES) {
        const at = next;
        next += 1;
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-max-bot-api-secret': SECRET },
          body: JSON.stringify(message(at % CUSTOMERS, `mid.${name}.${at}`)),
        });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`the webhook answered ${response.status}`);
      }
    }
  }
}

const message = (customer: number, mid: string) => ({
  update_type: 'message_created',
  timestamp: 1,
  message: {
    sender: { user_id: customer + 1, name: 'Анна', is_bot: false },
    recipient: { chat_id: customer + 1, chat_type: 'dialog' },
    body: { mid, seq: 1, text: 'Сколько стоит доставка до Воткинска?' },
  },
});

function manyRules(): Outcome {
  const rules = Array.from({ length: 10_000 }, (_, i) => ({
    ...ruleSchema.parse({
      ...{ rule_id: `rule-${i}`, intent: 'x', response_template: 'ответ' },
      pattern: { keywords: [`товар номер ${i}`, `артикул ${i * 7}`, `модель-${i}`] },
    }),
    version: 1,
  }));
  const set = compileRules(rules);
  const long = 'товар номер 12 артикул модель-7 '.repeat(125).slice(0, 4_000);
  const times = Array.from({ length: 30 }, () => {
    const from = performance.now();
    set.matchText(long, 'default');
    return performance.now() - from;
  });
  return {
    ...{ case: 'shop-bot-rules', ours: Number(median(times).toFixed(2)), peer: null, ratio: null },
    ...{ unit: 'ms per message', notes: '10,000 rules, a message of 4,000 characters; target under 5' },
  };
}
