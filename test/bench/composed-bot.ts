/** The bot put together as in production, in a child that tells its memory when it is asked (needs --expose-gc). */
import { compose } from '../../src/compose/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { webhookHandler } from '../../src/http/webhook.ts';
import { createLog } from '../../src/log.ts';

const config = loadConfig(process.env);
const log = createLog('warn');
const { token, apiRoot, webhookSecret } = config.telegram;
const app = await compose(config, { token: token!, apiRoot }, log);
const server = createHttpServer([webhookHandler(webhookSecret!, app.handleUpdate, log)], (error) =>
  log.error({ err: error }, 'a request failed'),
);
process.send?.({ port: await listen(server, 0, '127.0.0.1') });
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});
process.once('disconnect', () => process.exit());
