import { createForeignDatabase, type ReadRows } from './clients/foreign-database.ts';
import type { GuardedFetch } from './clients/guarded-fetch.ts';
import { createMax } from './clients/max.ts';
import { createTelegramChannels } from './clients/telegram-channel.ts';
import type { Log } from './log.ts';
import type { Tell } from './services/autopost/alerts.ts';
import type { UnknownDelivery } from './services/autopost/attempts.ts';
import { makeDeliver } from './services/autopost/deliver.ts';
import { makeDeliveryMedia } from './services/autopost/delivery-media.ts';
import { type DispatcherOptions, makeDispatcher } from './services/autopost/dispatcher.ts';
import { makeIngestPost } from './services/autopost/ingest-post.ts';
import { makeMediaShelf } from './services/autopost/media-shelf.ts';
import { makeOpenToken } from './services/autopost/open-token.ts';
import { makePrepareItem } from './services/autopost/prepare-item.ts';
import { makePuller } from './services/autopost/pull.ts';
import { makePullApi } from './services/autopost/pull-api.ts';
import { makePullDb } from './services/autopost/pull-db.ts';
import { makePullRss } from './services/autopost/pull-rss.ts';
import { type LeaseOptions, makeSweepLeases } from './services/autopost/sweep-leases.ts';
import { makeWatchman } from './services/autopost/watch.ts';
import type { PictureStore } from './services/pictures/picture-store.ts';
import { makeMaxAdapter } from './services/publishing/max.ts';
import { makeTelegramAdapter } from './services/publishing/telegram.ts';
import { makeClaims } from './store/autopost/claims.ts';
import { makeConditions } from './store/autopost/conditions.ts';
import { makeEnqueue } from './store/autopost/enqueue.ts';
import { makeAutopostHealth } from './store/autopost/health.ts';
import { makeIngestRuns } from './store/autopost/ingest-runs.ts';
import { makeJobs } from './store/autopost/jobs.ts';
import { makeKnowsSecret } from './store/autopost/known-secrets.ts';
import { makeMedia } from './store/autopost/media.ts';
import { makeMonitor } from './store/autopost/monitor.ts';
import { makeOperators } from './store/autopost/operators.ts';
import { makePullSources } from './store/autopost/pull-sources.ts';
import { makePush } from './store/autopost/push.ts';
import { makeResults } from './store/autopost/results.ts';
import { makeToldAlerts } from './store/autopost/told-alerts.ts';
import { makeWake } from './store/autopost/wake.ts';
import { makeListWorkspaces } from './store/autopost/workspace-list.ts';
import { makeWorkspaces } from './store/autopost/workspaces.ts';
import type { Database } from './store/database.ts';
import type { Sealing } from './store/sealing.ts';

type Ground = {
  database: Pick<Database, 'sql' | 'embedded'>;
  sealing: Sealing;
  telegram: { apiRoot: string };
  max: { baseUrl: string };
  files: PictureStore;
  /** For addresses that people wrote. */
  fetch: GuardedFetch;
  readRows?: ReadRows;
  /** Brings a word to whoever looks after the channels. */
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
  const results = makeResults(sql);
  const runs = makeIngestRuns(sql);
  const enqueue = makeEnqueue(sql);
  const onEnqueued = () => wake.ring();
  const sweep = makeSweepLeases({ monitor, log, onUnknown, ...settings });
  const ingest = makeIngestPost({
    knows: makeKnowsSecret(sql),
    push: makePush(sql),
    runs,
    shelf,
    onEnqueued,
  });
  const puller = makePuller({
    sources: makePullSources(sql, sealing),
    runs,
    readers: { rss: makePullRss(fetch), api: makePullApi(fetch), db: makePullDb(readRows) },
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
    deliver: makeDeliver({
      adapters: { telegram, max },
      openToken: makeOpenToken({ workspaces }),
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
    puller,
    dispatcher,
    watchman,
    wake,
    shelf,
    health: makeAutopostHealth(sql),
    adapters: { telegram, max },
    stores: { workspaces, media, monitor, results, operators: makeOperators(sql), enqueue },
    start,
    stop,
  };

  async function start(): Promise<void> {
    // Nobody else can have the embedded database: whoever held something there is gone.
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
    log.warn({ text }, 'ADMIN_ID is not set: nobody was told');
  }

  async function download(url: string, signal: AbortSignal | undefined) {
    const { status, body, headers } = await fetch(url, { signal });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    return { bytes: body, contentType: headers['content-type'] ?? 'application/octet-stream' };
  }
}
