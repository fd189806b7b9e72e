/** graphile-worker as a contestant: jobs added in one batch, ten at once. */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import postgres from 'postgres';
import type { MessengerChannel, Rendered } from '../../src/platforms/messenger/messenger.ts';
import { serveContestant } from './autopost-contestant.ts';
import { CHANNELS, channelOf, openAdapter, renderedPost } from './autopost-post.ts';

const { DATABASE_URL: connectionString = '', API_ROOT = '', SETTINGS } = process.env;
const logger = new Logger(() => () => undefined);
const adapter = openAdapter(API_ROOT);
const sql = postgres(connectionString, { max: 1 });
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();

/** As its own page on performance sets them. */
const fast = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
let runner: Runner | null = null;
let posts = 0;

serveContestant({
  async fill(deliveries) {
    const jobs = Array.from({ length: deliveries }, (_, n) => ({
      identifier: 'deliver',
      payload: { channel: channelOf(n % CHANNELS), rendered: renderedPost(posts + Math.floor(n / CHANNELS)) },
    }));
    posts += Math.ceil(deliveries / CHANNELS);
    await utils.addJobs(jobs);
  },
  async start() {
    runner = await run({
      logger,
      noHandleSignals: true,
      preset: {
        worker: {
          connectionString,
          concurrentJobs: 10,
          maxPoolSize: 12,
          ...(SETTINGS === 'fast' ? fast : {}),
        },
      },
      taskList: {
        async deliver(payload, { job }) {
          const { channel, rendered } = payload as { channel: MessengerChannel; rendered: Rendered };
          const sent = await adapter.send(channel, rendered, { idempotencyKey: job.id });
          if (sent.outcome !== 'sent') throw new Error(sent.message);
        },
      },
    });
  },
  async isEmpty() {
    const [row] = await sql`select exists (select from graphile_worker._private_jobs) as waits`;
    return !row?.waits;
  },
  async stop() {
    await runner?.stop();
  },
});
