import type { PricedCategory } from '../../machines/fragments/price-work.ts';
import type { FetchFile } from '../clients/telegram-files.ts';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { DescriptionData } from '../menu/description.ts';
import type { PricesData } from '../menu/prices.ts';
import { prices } from '../prices.ts';
import { makeFetchMaterial } from '../services/category/fetch-material.ts';
import { makeOrderDescription } from '../services/category/order-description.ts';
import { makeOrderReviews } from '../services/category/order-reviews.ts';
import { makeReadPriceFile } from '../services/category/prices-file/read-price-file.ts';
import { makeSaveDescription } from '../services/category/save-description.ts';
import { makeSavePrices } from '../services/category/save-prices.ts';
import { makeSaveReviews } from '../services/category/save-reviews.ts';
import { isReal } from '../services/category/stored-review.ts';
import { makeWriteDescription } from '../services/category/write-description.ts';
import { makeWriteReviews } from '../services/category/write-reviews.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { toldGoods } from '../services/projects/told-goods.ts';
import { makeBriefs } from '../store/briefs.ts';
import { makeCategoryMaterials } from '../store/category-material.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { makeFinishedWork } from '../store/finished-work.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePurse } from '../store/purse.ts';
import { createWorkbookDesk } from '../workers/workbook-desk.ts';
import { composeReviewPages } from './category-reviews.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  writing: Pick<Writing, 'ask'>;
  fetchFile: FetchFile;
  /** Samples of reviews can be ordered. */
  reviews: boolean;
  log: Log;
};

const GOODS_SHOWN = 5;
/** Characters: these lines are stored with the dialogue. */
const LINE_SHOWN = 60;

/** What a person fills a category with, beside its phrases: the description, the prices, the reviews. */
export function composeCategoryTools({
  sql,
  ledger,
  operations,
  limits,
  writing,
  fetchFile,
  reviews,
  log,
}: Ground) {
  const briefs = makeBriefs(sql);
  const materials = makeCategoryMaterials(sql);
  const finishedWork = makeFinishedWork(sql);
  const workbooks = createWorkbookDesk({ log });
  const paid = {
    // The texts about a category are the same for every platform; its settings are not looked at.
    briefOf: (userId: number, categoryId: number) => briefs.ofCategory(userId, categoryId, 'wordpress'),
    balanceOf: ledger.balance,
    purse: makePurse(sql, ledger),
    limitedWork: makeLimitedWork({ limits, paidWork: makePaidWork(operations), log }),
  };

  const description: DescriptionData = {
    price: prices.description,
    read: materials.read,
    put: (userId, categoryId, text) => materials.put(userId, categoryId, 'description', text),
    async offer(userId, categoryId) {
      const known = await materials.read(userId, categoryId);
      if (!known) return null;
      const { categoryName, phrases, balance } = known;
      return {
        ...{ categoryId, categoryName, phrases, balance },
        goods: linesOf(known.prices).length,
        replaces: Boolean(known.description),
        reviews: known.reviews.filter(isReal).length,
        price: prices.description,
      };
    },
    async written(userId, run, attempt) {
      const work = await finishedWork<{ text: string }>(userId, `${run}:writeDescription:${attempt}`);
      return work?.text ?? null;
    },
  };

  const pricesPage: PricesData = {
    async read(userId, categoryId) {
      const known = await materials.read(userId, categoryId);
      if (!known) return null;
      const goods = linesOf(known.prices);
      const { categoryName, prices: list } = known;
      return {
        categoryId,
        categoryName,
        prices: list,
        count: goods.length,
        first: goods.slice(0, GOODS_SHOWN).map(toldGoods),
      };
    },
    async workbook(userId, categoryId) {
      const known = await materials.read(userId, categoryId);
      return known && workbooks.write(linesOf(known.prices));
    },
    remove: (userId, categoryId) => materials.put(userId, categoryId, 'prices', ''),
  };

  return {
    pages: {
      description,
      priceList: pricesPage,
      reviews: composeReviewPages({ materials, finishedWork, generates: reviews }),
    },
    /** For dialogues in which a category is filled on the way. */
    offers: { descriptionOffer: description.offer, pricesOf: pricedCategory },
    close: workbooks.close,
    services: {
      writeDescription: makeOrderDescription({
        ...paid,
        writeDescription: makeWriteDescription({ ask: writing.ask }),
      }),
      saveDescription: makeSaveDescription({ operations, put: materials.put }),
      writeReviews: makeOrderReviews({ ...paid, writeReviews: makeWriteReviews({ ask: writing.ask }) }),
      saveReviews: makeSaveReviews({ operations, changeReviews: materials.changeReviews }),
      savePrices: makeSavePrices({
        fetchMaterial: makeFetchMaterial(fetchFile),
        expectFile: workbooks.warm,
        readPriceFile: makeReadPriceFile(workbooks.read),
        operations,
        put: materials.put,
      }),
    },
  };

  async function pricedCategory(userId: number, categoryId: number): Promise<PricedCategory | null> {
    const known = await pricesPage.read(userId, categoryId);
    if (!known) return null;
    const { categoryName, count, first } = known;
    return { categoryId, categoryName, count, first: first.map((line) => line.slice(0, LINE_SHOWN)) };
  }
}

const linesOf = (list: string): string[] => (list === '' ? [] : list.split('\n'));
