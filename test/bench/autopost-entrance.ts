/** Takes posts at POST /api/ingest, and sends them itself unless somebody else does. */
import { ingestHandler } from '../../src/http/ingest.ts';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { addChannels, openAutopost, WORKSPACE } from './autopost-ground.ts';

const { DATABASE_URL = '', API_ROOT = '', SECRET = '', DISPATCHES } = process.env;
const autopost = await openAutopost(DATABASE_URL, API_ROOT);
const { dispatcher, ingest, knowsSecret, stores } = autopost;
await addChannels(autopost, 1);
await stores.workspaces.saveEndpoint(WORKSPACE, {
  endpointId: 'entrance',
  kind: 'webhook_push',
  secret: SECRET,
  ingressRps: 1_000,
});
const log = createLog();
if (DISPATCHES) await dispatcher.start();
const server = createHttpServer([ingestHandler(ingest, { knows: knowsSecret, log })], (error) =>
  log.error(error),
);
process.send?.(await listen(server, 0, '127.0.0.1'));
process.once('disconnect', () => process.exit());
