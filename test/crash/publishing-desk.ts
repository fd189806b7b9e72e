import { pino } from 'pino';
import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import type { Json } from '../../src/engine/json.ts';
import type { KnownStage, OperationCall, RunStage } from '../../src/engine/operations.ts';
import { createWordPress } from '../../src/platforms/wordpress/client.ts';
import { makeWordPressAdapter } from '../../src/platforms/wordpress/publish.ts';
import { makeWordPressPublisher } from '../../src/platforms/wordpress/publisher.ts';
import type { PublicationNews } from '../../src/screens/pages/publication-news.ts';
import { makeFinishPublications } from '../../src/services/article/finish-publications.ts';
import { makePublishArticle } from '../../src/services/article/publish-article.ts';
import { makeArticleDrafts } from '../../src/store/article-drafts.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { createOperations } from '../../src/store/operations.ts';
import { makePublications } from '../../src/store/publications.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { ENCRYPTION_KEY } from './article-authors.ts';

/** Stands between an operation and its stages: a test stops the work where it likes. */
export type Watch = (key: string, stage: RunStage) => RunStage;

/** What publishes articles, as the bot composes it, without what writes them. */
export function publishingDesk(sql: Sql, watch: Watch = (_, stage) => stage) {
  const log = pino({ level: 'silent' });
  const operations = createOperations(sql);
  const connections = makeConnections(sql, createSealing([ENCRYPTION_KEY]));
  const drafts = makeArticleDrafts(sql, makeLedger(sql));
  const wordpress = createWordPress({ fetch: createGuardedFetch({ allowPrivate: true }), allowHttp: true });
  const adapter = makeWordPressAdapter({ wordpress, log, lookAgainMs: 10 });
  const told: PublicationNews[] = [];
  const discard = async () => undefined;
  const publish = makePublishArticle({
    operations: { withStages },
    drafts,
    connections,
    publishers: { wordpress: makeWordPressPublisher({ adapter, remember: connections.note }) },
    readPicture: async () => tinyPng(16, 9),
    categoryName: async () => 'Кухни',
    notePublication: makePublications(sql).note,
    announce: async () => undefined,
    expireNow: async () => undefined,
    discard,
    log,
  });
  const tell = async (_: number, news: PublicationNews) => void told.push(news);
  return {
    drafts,
    publish,
    finish: makeFinishPublications({ ...drafts, publish, discard, tell, log }),
    told,
  };

  function withStages<Result extends Json>(
    call: OperationCall,
    work: (stage: RunStage, signal: AbortSignal, known: KnownStage) => Promise<Result>,
  ): Promise<Result> {
    return operations.withStages(call, (stage, signal, known) => work(watch(call.key, stage), signal, known));
  }
}
