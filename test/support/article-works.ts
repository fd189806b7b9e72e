import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import { composeArticles } from '../../src/compose/articles.ts';
import { composeWriting, type Writing } from '../../src/compose/writing.ts';
import type { SupplierSettings } from '../../src/config.ts';
import type { Log } from '../../src/log.ts';
import type { Screen } from '../../src/screens/kit/screen.ts';
import { filePrompts } from '../../src/services/ai/prompts.ts';
import type { LocateArticle } from '../../src/services/article/confirm-publication.ts';
import type { ArticlePublisher } from '../../src/services/article/publish-article.ts';
import { makeRateLimits } from '../../src/services/money/rate-limits.ts';
import { makeApiCosts } from '../../src/store/api-costs.ts';
import { makeCategories } from '../../src/store/categories.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { createPostgresKeyValueStore } from '../../src/store/key-value-postgres.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { createOperations } from '../../src/store/operations.ts';
import { createPictureFolder } from '../../src/store/picture-folder.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { impatient } from './impatient.ts';
import { noNames } from './no-names.ts';

/** Where the pictures of these articles are seen. */
export const PICTURES = 'https://pictures.example';

export const testKey = Buffer.alloc(32, 7).toString('base64url');
export const testSealing = createSealing([testKey]);

/** Every supplier is played by its stand-in. */
export const noKeys: SupplierSettings = {
  openRouter: null,
  dataForSeo: null,
  yandex: null,
  firecrawl: null,
  serper: null,
  pageSpeed: null,
  telegraph: null,
};

type Ground = {
  sql: Sql;
  suppliers: SupplierSettings;
  /** For pictures. */
  folder: string;
  log: Log;
  publish?: ArticlePublisher;
  locate?: LocateArticle;
  tell?: (userId: number, screen: Screen) => Promise<void>;
};

/** Everything that makes articles, composed as the bot composes it. */
export async function articleWorks({ sql, suppliers, folder, log, ...more }: Ground) {
  const keyValues = createPostgresKeyValueStore(sql);
  const pictures = createPictureFolder({ folder, key: Buffer.alloc(32, 9), baseUrl: PICTURES });
  const writing = composeWriting({
    suppliers: impatient(suppliers),
    publicUrl: undefined,
    fetch: createGuardedFetch({ allowPrivate: true, resolve: noNames }),
    cache: keyValues,
    pictures,
    activePrompt: await filePrompts(),
    noteCost: makeApiCosts(sql),
    log,
  });
  const ground = {
    sql,
    ledger: makeLedger(sql),
    operations: createOperations(sql, { pollMs: 20 }),
    categories: makeCategories(sql),
    connections: makeConnections(sql, testSealing),
    limits: makeRateLimits(keyValues),
    keyValues,
    pictures,
    publishers: more.publish ? { wordpress: more.publish } : {},
    locate: more.locate ?? (async () => null),
    sitePages: { read: async () => [], nearest: async () => [] },
    announce: async () => undefined,
    showsArticles: true,
    tell: more.tell ?? (async () => undefined),
    log,
  };
  return { ...composeArticles({ ...ground, writing }), writing, pictures, writtenBy, close: writing.close };

  /** The same with a part of the writing replaced. */
  function writtenBy(part: Partial<Writing>) {
    return composeArticles({ ...ground, writing: { ...writing, ...part } });
  }
}
