/**
 * The bot in a process of its own, put together as `main.ts` does it, with long polling. Before and after every piece of
 * work it asks the process that started it, which may leave it waiting there for ever.
 */
import { mkdir } from 'node:fs/promises';
import { compose, type Serving } from '../../src/compose/app.ts';
import { httpHandlers } from '../../src/compose/http-handlers.ts';
import { loadConfig, type SupplierSettings } from '../../src/config.ts';
import type { Service } from '../../src/engine/ports.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { startPolling } from '../../src/messengers/telegram/polling.ts';
import { prepareTelegram } from '../../src/messengers/telegram/prepare.ts';
import { impatient } from '../support/impatient.ts';
import { noNames } from '../support/no-names.ts';

export type Asked = { id: number; when: 'asked' | 'done'; port: string; input: unknown };

const waiting = new Map<number, () => void>();
let questions = 0;
process.on('message', (id: number) => {
  waiting.get(id)?.();
  waiting.delete(id);
});

const asking: Serving['around'] = (services) =>
  Object.fromEntries(
    Object.entries(services as Record<string, Service>).map(([port, serve]) => [port, asks(port, serve)]),
  ) as typeof services;

const config = loadConfig(process.env);
await mkdir(config.dataDir, { recursive: true });
const log = createLog(config.logLevel);
const telegram = { token: process.env.PLAYED_TOKEN!, apiRoot: process.env.PLAYED_API_ROOT! };
// Keyword data by Google alone, as for the bots of the other walks.
const suppliers = { ...(JSON.parse(process.env.PLAYED_SUPPLIERS!) as SupplierSettings), yandex: null };
const app = await compose(
  config,
  telegram,
  log,
  { suppliers: impatient(suppliers), resolve: noNames },
  {
    around: asking,
    bounds: {}, // a person who is held waits until all are
  },
);
const server = createHttpServer(
  httpHandlers({ app, config, webhook: null, chatUrl: () => null, log }),
  (error) => log.error({ err: error }, 'a request failed'),
);
await listen(server, config.port, '127.0.0.1');
await prepareTelegram(app.api, null, log, { commands: app.commands });
await app.engine.recover({ exclusive: false });
startPolling(app.api, app.handleUpdate, log);
await app.start(`http://127.0.0.1:${config.port}`);
process.send?.('ready');
process.once('disconnect', () => process.exit());

function asks(port: string, serve: Service): Service {
  return async (input, signal, report) => {
    await leave('asked', port, input);
    const result = await serve(input, signal, report);
    await leave('done', port, input);
    return result;
  };
}

function leave(when: Asked['when'], port: string, input: unknown): Promise<void> {
  questions += 1;
  const id = questions;
  process.send?.({ id, when, port, input } satisfies Asked);
  return new Promise((resolve) => waiting.set(id, resolve));
}
