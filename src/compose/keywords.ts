import type { FetchFile } from '../clients/telegram-files.ts';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { KeywordsData } from '../menu/keywords.ts';
import { prices } from '../prices.ts';
import { makeFetchMaterial } from '../services/category/fetch-material.ts';
import { makeAddKeywords } from '../services/keywords/add-keywords.ts';
import { makeClusterPlaces } from '../services/keywords/cluster-places.ts';
import { makeClusterSeason } from '../services/keywords/cluster-season.ts';
import { makeEnrichUpload } from '../services/keywords/enrich-upload.ts';
import { makeKeywordBook } from '../services/keywords/keyword-book.ts';
import { makeOrderKeywords } from '../services/keywords/order-keywords.ts';
import { makeUploadKeywords } from '../services/keywords/upload-keywords.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeBriefs } from '../store/briefs.ts';
import { makeCategoryKeywords } from '../store/category-keywords.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePurse } from '../store/purse.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  writing: Pick<Writing, 'ask' | 'keywordData' | 'generateKeywords' | 'seasonOf' | 'placesOf'>;
  fetchFile: FetchFile;
  log: Log;
};

/** The phrases of a category: the service that finds them, and the pages on which they are looked through. */
export function composeKeywords({ sql, ledger, operations, limits, writing, fetchFile, log }: Ground) {
  const briefs = makeBriefs(sql);
  const store = makeCategoryKeywords(sql);
  const season = makeClusterSeason({ seasonOf: writing.seasonOf, log });
  const places = makeClusterPlaces(writing.placesOf, log);
  const work = {
    // Phrases are the same for every platform; its settings are not looked at.
    briefOf: (userId: number, categoryId: number) => briefs.ofCategory(userId, categoryId, 'wordpress'),
    purse: makePurse(sql, ledger),
    limitedWork: makeLimitedWork({ limits, paidWork: makePaidWork(operations), log }),
    addKeywords: makeAddKeywords({ operations, store }),
  };
  const pages: KeywordsData = { ...makeKeywordBook(store), season, places, offer };
  return {
    pages,
    services: {
      generateKeywords: makeOrderKeywords({
        ...work,
        keywordsOf: async (userId, categoryId) => (await store.read(userId, categoryId))?.keywords ?? null,
        generateKeywords: writing.generateKeywords,
      }),
      uploadKeywords: makeUploadKeywords({
        ...work,
        fetchMaterial: makeFetchMaterial(fetchFile),
        enrichUpload: makeEnrichUpload({ dataForSeo: writing.keywordData, ask: writing.ask, log }),
      }),
    },
  };

  async function offer(userId: number, categoryId: number) {
    const customer = await store.customer(userId, categoryId);
    return customer && { categoryId, ...customer, pricePerPhrase: prices.keyword };
  }
}
