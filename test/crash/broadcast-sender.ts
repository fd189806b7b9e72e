/** One process that sends broadcasts, to be killed: the store, the real client, the real face. */
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { openTelegramApi } from '../../src/clients/telegram-api.ts';
import { composeBroadcasts } from '../../src/compose/broadcasts.ts';
import { createFaces } from '../../src/messengers/faces.ts';
import { createTelegramFace } from '../../src/messengers/telegram/show-screen.ts';
import { openDatabase } from '../../src/store/database.ts';
import { makeUsers } from '../../src/store/users.ts';

const { DATABASE_URL = '', API_ROOT = '', TOKEN = '', GAP_MS = '50', LEASE_MS = '60000' } = process.env;
const log = pino({ level: 'error' }, pino.destination(2));
const database = await openDatabase({ url: DATABASE_URL, dataDir: '', max: 8 });
const face = createTelegramFace(openTelegramApi(TOKEN, { apiRoot: API_ROOT, timeoutSeconds: 3 }), log);
const broadcasts = composeBroadcasts({
  database,
  presenter: createFaces({ telegram: face }, async (id) => ({ messenger: 'telegram', chat: String(id) })),
  setBlocked: makeUsers(database.sql).setBlocked,
  note: async () => {},
  stopping: new AbortController().signal,
  settings: { gapMs: Number(GAP_MS), leaseMs: Number(LEASE_MS) },
  log,
});
console.log('ready');
for (;;) {
  await broadcasts.send().catch((error) => log.error(error));
  await delay(100);
}
