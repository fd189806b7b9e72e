/** BullMQ as a contestant: jobs added in bulk, ten at once. Redis keeps them, not PostgreSQL. */
import { Queue, Worker } from 'bullmq';
import type { MessengerChannel, Rendered } from '../../src/platforms/messenger/messenger.ts';
import { serveContestant } from './autopost-contestant.ts';
import { CHANNELS, channelOf, openAdapter, renderedPost } from './autopost-post.ts';

type Job = { channel: MessengerChannel; rendered: Rendered };

const { REDIS_URL = '', API_ROOT = '' } = process.env;
const { hostname: host, port } = new URL(REDIS_URL);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const adapter = openAdapter(API_ROOT);
const queue = new Queue<Job>('deliveries', { connection });
const options = { removeOnComplete: true, removeOnFail: true };
let worker: Worker<Job> | null = null;
let posts = 0;

serveContestant({
  async fill(deliveries) {
    const jobs = Array.from({ length: deliveries }, (_, n) => ({
      name: 'deliver',
      data: { channel: channelOf(n % CHANNELS), rendered: renderedPost(posts + Math.floor(n / CHANNELS)) },
      opts: options,
    }));
    posts += Math.ceil(deliveries / CHANNELS);
    await queue.addBulk(jobs);
  },
  async start() {
    worker = new Worker<Job>(
      queue.name,
      async ({ id = '', data }) => {
        const sent = await adapter.send(data.channel, data.rendered, { idempotencyKey: id });
        if (sent.outcome !== 'sent') throw new Error(sent.message);
      },
      { connection, concurrency: 10 },
    );
    await worker.waitUntilReady();
  },
  async isEmpty() {
    const counts = await queue.getJobCounts('waiting', 'active', 'prioritized');
    return Object.values(counts).every((count) => count === 0);
  },
  async stop() {
    await worker?.close();
  },
});
