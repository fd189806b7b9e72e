/** The shop bot alone, as a process that a test may kill: its webhook, its sender, its sweep. */
import pino from 'pino';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { composeShopBot } from '../../src/compose/shop-bot.ts';
import { maxWebhookHandler } from '../../src/http/max-webhook.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { createMax } from '../../src/platforms/max/client.ts';
import { makeMaxAdapter } from '../../src/platforms/max/publish.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createSealing } from '../../src/store/sealing.ts';

const { DATABASE_URL = '', MAX_URL = '', SEALING_KEY = '', PORT = '0' } = process.env;
const log = pino({ level: 'warn' }, pino.destination(2));
const database = await openDatabase({ url: DATABASE_URL, dataDir: '' });
const max = makeMaxAdapter({
  max: createMax({ baseUrl: MAX_URL, timeoutMs: 5_000 }),
  download: () => Promise.reject(new Error('no files here')),
  log,
});
const bot = composeShopBot({
  ...{ database, max, log, maxUrl: MAX_URL, tell: async () => {} },
  workspaces: makeWorkspaces(database.sql, createSealing([SEALING_KEY])),
  settings: {
    ...{ graceMs: 1_500, leaseMs: 6_000, sweepEveryMs: 300 },
    ...{ callsPerSecond: Number.POSITIVE_INFINITY, chatGapMs: 0 },
  },
});
const server = createHttpServer([maxWebhookHandler(bot.receive, { log })], (error) => log.error(error));
await listen(server, Number(PORT), '127.0.0.1');
await bot.start();
console.log('ready');
