/** The bot put together as in production, in a child that tells its memory when it is asked (needs --expose-gc). */
import { compose } from '../../src/compose/app.ts';
import { loadConfig } from '../../src/config.ts';
import { scheduleCallHandlers } from '../../src/http/schedule-calls.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { webhookHandler } from '../../src/http/webhook.ts';
import { createLog } from '../../src/log.ts';

const config = loadConfig(process.env);
const log = createLog('warn');
const { token, apiRoot, webhookSecret } = config.telegram;
const app = await compose(config, { token: token!, apiRoot }, log);
const handlers = [
  webhookHandler(webhookSecret!, app.handleUpdate, log),
  ...scheduleCallHandlers({ ...app.scheduleCalls, log }),
];
const server = createHttpServer(handlers, (error) => log.error({ err: error }, 'a request failed'));
const port = await listen(server, 0, '127.0.0.1');
process.send?.({ port });
process.on('message', (order) => {
  if (order === 'start') return void app.start(`http://127.0.0.1:${port}`);
  // Collecting stops everything for a while: not where presses are measured meanwhile.
  if (order !== 'rss') {
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});
process.once('disconnect', () => process.exit());
