import { pino } from 'pino';
import { composeChannels } from '../../src/compose/channels.ts';
import { postPublishers } from '../../src/compose/post-publishers.ts';
import type { Json } from '../../src/engine/json.ts';
import type { KnownStage, OperationCall, RunStage } from '../../src/engine/operations.ts';
import { makeMaxAdapter } from '../../src/platforms/max/publish.ts';
import { makeTelegramAdapter } from '../../src/platforms/telegram/publish.ts';
import type { PostNews } from '../../src/screens/pages/posts.ts';
import { makeFinishPosts } from '../../src/services/posts/finish-posts.ts';
import { makePublishDraft } from '../../src/services/posts/publish-draft.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { makeDraftPurses } from '../../src/store/draft-purses.ts';
import { createPostgresKeyValueStore } from '../../src/store/key-value-postgres.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { createOperations } from '../../src/store/operations.ts';
import { makePostDrafts } from '../../src/store/post-drafts.ts';
import { makePublications } from '../../src/store/publications.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { testSealing } from '../support/article-works.ts';
import type { Watch } from './publishing-desk.ts';

export type Addresses = {
  telegram: { token: string; apiRoot: string };
  max: string;
  /** Null: the bot has no settings for it. */
  vk: string | null;
  pinterest: { url: string; appId: string; appSecret: string };
};

/** What publishes posts, as the bot composes it, without what writes them. */
export function postDesk(sql: Sql, addresses: Addresses, watch: Watch = (_, stage) => stage) {
  const log = pino({ level: 'silent' });
  const operations = createOperations(sql);
  const connections = makeConnections(sql, testSealing);
  const ledger = makeLedger(sql);
  const drafts = makePostDrafts(sql, ledger);
  const { telegram, max, vk, pinterest } = addresses;
  const channels = composeChannels({
    connections,
    keyValues: createPostgresKeyValueStore(sql),
    telegram,
    max: { baseUrl: max },
    vk: vk === null ? null : { baseUrl: vk, siteUrl: vk },
    pinterest: { ...pinterest, baseUrl: `${pinterest.url}/v5`, siteUrl: pinterest.url },
  });
  const pause = async () => undefined;
  const adapters = {
    telegram: makeTelegramAdapter({ telegram: channels.telegram, log, pause }),
    max: makeMaxAdapter({
      ...{ max: channels.max, log, pause },
      download: () => Promise.reject(new Error('nothing is fetched here')),
    }),
  };
  const publish = makePublishDraft({
    operations: { withStages },
    drafts,
    connections,
    publishers: postPublishers({ adapters, channels, connections, log }),
    readPicture: async () => tinyPng(16, 16),
    notePublication: makePublications(sql).note,
    expireNow: async () => undefined,
    returnPicture: makeDraftPurses(sql, ledger, drafts).returnPicture,
    log,
  });
  const told: PostNews[] = [];
  return {
    drafts,
    connections,
    publish,
    told,
    finish: makeFinishPosts({
      ...drafts,
      publish,
      findDraft: drafts.findEnded,
      findConnection: connections.find,
      tell: async (_, news) => void told.push(news),
      log,
    }),
  };

  function withStages<Result extends Json>(
    call: OperationCall,
    work: (stage: RunStage, signal: AbortSignal, known: KnownStage) => Promise<Result>,
  ): Promise<Result> {
    return operations.withStages(call, (stage, signal, known) => work(watch(call.key, stage), signal, known));
  }
}
