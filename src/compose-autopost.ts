import type { GuardedFetch } from './clients/guarded-fetch.ts';
import { createMax } from './clients/max.ts';
import { createTelegramChannels } from './clients/telegram-channel.ts';
import type { Log } from './log.ts';
import { makeDeliver } from './services/autopost/deliver.ts';
import { makeDeliveryMedia } from './services/autopost/delivery-media.ts';
import { type DispatcherOptions, makeDispatcher } from './services/autopost/dispatcher.ts';
import { makeMediaShelf } from './services/autopost/media-shelf.ts';
import { makeOpenToken } from './services/autopost/open-token.ts';
import { type LeaseOptions, makeSweepLeases } from './services/autopost/sweep-leases.ts';
import type { PictureStore } from './services/pictures/picture-store.ts';
import { makeMaxAdapter } from './services/publishing/max.ts';
import { makeTelegramAdapter } from './services/publishing/telegram.ts';
import { makeClaims } from './store/autopost/claims.ts';
import { makeEnqueue } from './store/autopost/enqueue.ts';
import { makeMedia } from './store/autopost/media.ts';
import { makeMonitor } from './store/autopost/monitor.ts';
import { makeOperators } from './store/autopost/operators.ts';
import { makeResults } from './store/autopost/results.ts';
import { makeWake } from './store/autopost/wake.ts';
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
  log: Log;
  settings?: DispatcherOptions & LeaseOptions;
};

export type Autopost = ReturnType<typeof composeAutopost>;

/** One message to many channels: its stores, its adapters, and the dispatcher that sends. */
export function composeAutopost(ground: Ground) {
  const { database, sealing, files, fetch, log, settings = {} } = ground;
  const { sql } = database;
  const workspaces = makeWorkspaces(sql, sealing);
  const media = makeMedia(sql);
  const monitor = makeMonitor(sql);
  const wake = makeWake(database);
  const shelf = makeMediaShelf({ files, fetch, media });
  const telegram = makeTelegramAdapter({ telegram: createTelegramChannels(ground.telegram), log });
  const max = makeMaxAdapter({ max: createMax(ground.max), download, log });
  const results = makeResults(sql);
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
    sweep: makeSweepLeases({ monitor, log, ...settings }),
    log,
    ...settings,
  });
  return {
    dispatcher,
    wake,
    shelf,
    adapters: { telegram, max },
    stores: { workspaces, media, monitor, results, operators: makeOperators(sql), enqueue: makeEnqueue(sql) },
  };

  async function download(url: string, signal: AbortSignal | undefined) {
    const { status, body, headers } = await fetch(url, { signal });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    return { bytes: body, contentType: headers['content-type'] ?? 'application/octet-stream' };
  }
}
