import { makeIngestPost } from '../autopost/ingest/ingest-post.ts';
import { makeDeliveryMedia } from '../autopost/media/delivery-media.ts';
import { makeMediaShelf } from '../autopost/media/media-shelf.ts';
import { makePrepareItem } from '../autopost/pull/prepare-item.ts';
import { makePuller } from '../autopost/pull/pull.ts';
import { makePullApi } from '../autopost/pull/pull-api.ts';
import { makePullDb } from '../autopost/pull/pull-db.ts';
import { makePullRss } from '../autopost/pull/pull-rss.ts';
import type { UnknownDelivery } from '../autopost/queue/attempts.ts';
import { makeChannelOf } from '../autopost/queue/channel-of.ts';
import { makeDeliver } from '../autopost/queue/deliver.ts';
import { type DispatcherOptions, makeDispatcher } from '../autopost/queue/dispatcher.ts';
import { makeFindOutage } from '../autopost/queue/find-outage.ts';
import { makeOpenToken } from '../autopost/queue/open-token.ts';
import { type LeaseOptions, makeSweepLeases } from '../autopost/queue/sweep-leases.ts';
import { makeClaims } from '../autopost/store/claims.ts';
import { makeConditions } from '../autopost/store/conditions.ts';
import { makeEnqueue } from '../autopost/store/enqueue.ts';
import { makeAutopostHealth } from '../autopost/store/health.ts';
import { makeIngestRuns } from '../autopost/store/ingest-runs.ts';
import { makeJobs } from '../autopost/store/jobs.ts';
import { makeKnowsSecret } from '../autopost/store/known-secrets.ts';
import { makeMedia } from '../autopost/store/media.ts';
import { makeMonitor } from '../autopost/store/monitor.ts';
import { makeOperators } from '../autopost/store/operators.ts';
import { makePullSources } from '../autopost/store/pull-sources.ts';
import { makePush } from '../autopost/store/push.ts';
import { makeResults } from '../autopost/store/results.ts';
import { makeToldAlerts } from '../autopost/store/told-alerts.ts';
import { makeWake } from '../autopost/store/wake.ts';
import { makeListWorkspaces } from '../autopost/store/workspace-list.ts';
import { makeWorkspaces } from '../autopost/store/workspaces.ts';
import type { Tell } from '../autopost/watch/alerts.ts';
import { makeWatchman } from '../autopost/watch/watch.ts';
import { createForeignDatabase, type ReadRows } from '../clients/foreign-database.ts';
import type { GuardedFetch } from '../clients/http/guarded-fetch.ts';
import type { Log } from '../log.ts';
import { createMax } from '../platforms/max/client.ts';
import { makeMaxAdapter } from '../platforms/max/publish.ts';
import { createTelegramChannels } from '../platforms/telegram/client.ts';
import { makeTelegramAdapter } from '../platforms/telegram/publish.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import type { Database } from '../store/database.ts';
import type { Sealing } from '../store/sealing.ts';
import { makeReadFeedInThread } from '../workers/read-feed-in-thread.ts';

type Ground = {
  database: Pick<Database, 'sql' | 'embedded'>;
  sealing: Sealing;
  telegram: { apiRoot: string };
  max: { baseUrl: string };
  files: PictureStore;
  /** For addresses that people wrote. */
  fetch: GuardedFetch;
  readRows?: ReadRows;
  /** Sends a message to the operators of the channels. */
  tell?: Tell;
  log: Log;
  settings?: DispatcherOptions & LeaseOptions;
  /** A person has to look whether this one arrived. */
  onUnknown?: (delivery: UnknownDelivery) => void;
};

export type Autopost = ReturnType<typeof composeAutopost>;

/** One message to many channels: the entrances, the dispatcher that sends, and the watchman over both. */
export function composeAutopost(ground: Ground) {
  const { database, sealing, files, fetch, log, settings = {}, onUnknown = () => {} } = ground;
  const { readRows = createForeignDatabase(), tell = tellLog } = ground;
  const { sql } = database;
  const workspaces = makeWorkspaces(sql, sealing);
  const media = makeMedia(sql);
  const monitor = makeMonitor(sql);
  const wake = makeWake(database);
  const shelf = makeMediaShelf({ files, fetch, media });
  const telegram = makeTelegramAdapter({ telegram: createTelegramChannels(ground.telegram), log });
  const max = makeMaxAdapter({ max: createMax(ground.max), download, log });
  const adapters = { telegram, max };
  const channelOf = makeChannelOf(makeOpenToken({ workspaces }));
  const results = makeResults(sql);
  const runs = makeIngestRuns(sql);
  const enqueue = makeEnqueue(sql);
  const onEnqueued = () => wake.ring();
  const knowsSecret = makeKnowsSecret(sql);
  const sweep = makeSweepLeases({ monitor, log, onUnknown, ...settings });
  const ingest = makeIngestPost({
    knows: knowsSecret,
    push: makePush(sql),
    runs,
    shelf,
    onEnqueued,
  });
  const readElsewhere = makeReadFeedInThread();
  const puller = makePuller({
    sources: makePullSources(sql, sealing),
    runs,
    readers: {
      rss: makePullRss(fetch, readElsewhere),
      api: makePullApi(fetch, readElsewhere),
      db: makePullDb(readRows),
    },
    prepareItem: makePrepareItem(shelf),
    enqueue,
    onEnqueued,
    log,
  });
  const watchman = makeWatchman({
    jobs: makeJobs(sql),
    conditions: makeConditions(sql),
    told: makeToldAlerts(sql),
    monitor,
    media,
    shelf,
    sweepLeases: sweep,
    workspaces: makeListWorkspaces(sql),
    tell,
    log,
  });
  const dispatcher = makeDispatcher({
    claims: makeClaims(sql),
    results,
    wake,
    findOutage: makeFindOutage({ adapters, channelOf }),
    deliver: makeDeliver({
      adapters,
      channelOf,
      mediaOf: makeDeliveryMedia({ media, shelf }),
      log,
    }),
    sweep,
    log,
    onUnknown,
    ...settings,
  });
  return {
    ingest,
    knowsSecret,
    puller,
    dispatcher,
    watchman,
    wake,
    shelf,
    health: makeAutopostHealth(sql),
    adapters,
    tell,
    stores: { workspaces, media, monitor, results, operators: makeOperators(sql), enqueue },
    start,
    stop,
  };

  async function start(): Promise<void> {
    // The embedded database has one process: leases of earlier ones are dead.
    if (database.embedded) await monitor.releaseStale({ claimedLeaseMs: 0, sendingLeaseMs: 0 });
    await dispatcher.start();
    puller.start();
    watchman.start();
  }

  /** What is being sent may finish; everything else is given back. */
  async function stop(graceMs?: number): Promise<void> {
    await Promise.all([puller.stop(), watchman.stop(), dispatcher.stop(graceMs)]);
  }

  async function tellLog(text: string): Promise<void> {
    log.warn({ text }, 'ADMIN_ID is not set: the alert was not sent');
  }

  async function download(url: string, signal: AbortSignal | undefined) {
    const { status, body, headers } = await fetch(url, { signal });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    return { bytes: body, contentType: headers['content-type'] ?? 'application/octet-stream' };
  }
}
