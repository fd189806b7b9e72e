import type { Injection } from '../engine/engine.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { ConnectionsData } from '../menu/connections.ts';
import { makeConnectTarget } from '../platforms/connect-target.ts';
import { makeFollowMembership } from '../platforms/telegram/follow-membership.ts';
import { wordPressAccess } from '../platforms/wordpress/access.ts';
import { makeCheckConnection } from '../platforms/wordpress/check-connection.ts';
import type { WordPress } from '../platforms/wordpress/client.ts';
import { type ConnectedSite, makeConnectWordPress } from '../platforms/wordpress/connect.ts';
import { createGrants } from '../platforms/wordpress/grants.ts';
import type { WordPressAdapter } from '../platforms/wordpress/publish.ts';
import { makeReachSite } from '../platforms/wordpress/reach-site.ts';
import { createSeoPluginDesk } from '../platforms/wordpress/seo-plugin.ts';
import { makeWordPressSettings } from '../platforms/wordpress/settings.ts';
import { createSiteLearning } from '../platforms/wordpress/site-learning.ts';
import { PAGE_SIZE } from '../screens/kit/pager.ts';
import { MOST_TERMS } from '../screens/kit/wordpress-terms.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeLearnSite } from '../services/site/learn-site.ts';
import { makeConnectionPages } from '../store/connection-pages.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Sealing } from '../store/sealing.ts';
import { makeSiteKnowledge } from '../store/site-knowledge.ts';
import type { Channels } from './channels.ts';
import { composeConnecting } from './connecting.ts';
import type { Indexing } from './indexing.ts';
import type { Writing } from './writing.ts';

type Ground = {
  channels: Channels;
  sql: Sql;
  operations: Operations<TransactionSql>;
  connections: Connections;
  keyValues: KeyValueStore;
  limits: RateLimits;
  sealing: Sealing;
  wordpress: WordPress;
  wordpressAdapter: WordPressAdapter;
  writing: Pick<Writing, 'readBranding' | 'mapSite' | 'audit'>;
  /** Brings an event to a dialogue, also when the person is in a browser. */
  inject(injection: Injection): Promise<void>;
  /** The first one signs what browsers bring back, all of them are believed. */
  keys: readonly string[];
  indexing: Pick<Indexing, 'isOn' | 'look'>;
  /** Where browsers find us; null: nowhere. */
  publicUrl: string | null;
  log: Log;
};

/** Platforms from the first question to the connected site, and the pages on which people look after them. */
export function composeConnections(ground: Ground) {
  const {
    sql,
    operations,
    connections,
    keyValues,
    limits,
    sealing,
    wordpress,
    wordpressAdapter,
    writing,
    log,
  } = ground;
  const knowledge = makeSiteKnowledge(sql);
  const learning = createSiteLearning(learnSite, log);
  const seoPlugins = createSeoPluginDesk({ ...connections, wordpress, log });
  const placeOf = (run: string) => `run:${run}`;
  const openSecret = (run: string, sealed: string) => sealing.open(placeOf(run), sealed);
  const connectTarget = makeConnectTarget({ operations, limits, connections });
  const grants = createGrants({
    store: keyValues,
    seal: (run, secret) => sealing.seal(placeOf(run), secret),
    publicUrl: ground.publicUrl,
    onGranted: ({ userId, run, nonce }) =>
      ground
        .inject({
          person: userId,
          run: { flow: 'ConnectWordPress', run },
          event: { type: 'access.granted' },
          id: `wordpress-grant:${nonce}`,
        })
        // The grant is kept: the person can still say so with a button.
        .catch((error) => log.warn({ err: error, user: userId }, 'a dialogue was not told of its grant')),
  });
  const { validators, services, consents, unavailable } = composeConnecting({
    ...{ channels: ground.channels, connectTarget, openSecret, keyValues, log },
    ...{ keys: ground.keys, publicUrl: ground.publicUrl, inject: ground.inject },
    sealSecret: (run, secret) => sealing.seal(placeOf(run), secret),
  });
  const pages: ConnectionsData = {
    ...makeConnectionPages(sql),
    check: makeCheckConnection({
      ...connections,
      validators: {
        wordpress: async ({ id }, credentials, signal) => {
          const { seoPlugin, mayInstallPlugins = false } = await wordpressAdapter.validate(
            wordPressAccess(credentials),
            signal,
          );
          await connections.note(id, { metadata: { seoPlugin, mayInstallPlugins } });
        },
        ...validators,
      },
    }),
    remove: connections.remove,
    unavailable,
  };
  return {
    pages,
    siteSettings: {
      ...makeWordPressSettings({
        ...connections,
        listTerms: wordpress.listTerms,
        termsById: wordpress.termsById,
        indexing: ground.indexing.isOn,
        perPage: PAGE_SIZE,
        mostTerms: MOST_TERMS,
      }),
      seoPlugin: seoPlugins.look,
      installSeoPlugin: seoPlugins.install,
      indexKey: ground.indexing.look,
    },
    services: {
      ...services,
      reachSite: makeReachSite({
        inspect: wordpressAdapter.inspect,
        owners: connections.owners,
        offerGrant: grants.offer,
      }),
      takeGrant: grants.take,
      connectWordPress: makeConnectWordPress({
        connectTarget,
        openSecret,
        validate: wordpressAdapter.validate,
        learn: learning.begin,
      }),
    },
    receiveGrant: grants.receive,
    followMembership: makeFollowMembership(connections),
    consents,
    close: () => Promise.all([learning.stop(), seoPlugins.stop()]),
  };

  function learnSite(site: ConnectedSite & { signal: AbortSignal }) {
    const { readBranding, mapSite, audit } = writing;
    const save = {
      branding: knowledge.saveBranding,
      audit: knowledge.saveAudit,
      links: (_: unknown, pages: readonly string[]) => connections.notePages(site.connectionId, pages),
    };
    return makeLearnSite({ readBranding, mapSite, audit, save, log })(site);
  }
}
