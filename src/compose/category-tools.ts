import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { DescriptionData } from '../menu/description.ts';
import { prices } from '../prices.ts';
import { makeOrderDescription } from '../services/category/order-description.ts';
import { makeSaveDescription } from '../services/category/save-description.ts';
import { isReal } from '../services/category/stored-review.ts';
import { makeWriteDescription } from '../services/category/write-description.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeBriefs } from '../store/briefs.ts';
import { makeCategoryMaterials } from '../store/category-material.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { makeFinishedWork } from '../store/finished-work.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePurse } from '../store/purse.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  writing: Pick<Writing, 'ask'>;
  log: Log;
};

/** What a person fills a category with, beside its phrases: the description, the prices, the reviews. */
export function composeCategoryTools({ sql, ledger, operations, limits, writing, log }: Ground) {
  const briefs = makeBriefs(sql);
  const materials = makeCategoryMaterials(sql);
  const finishedWork = makeFinishedWork(sql);
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
      const goods = known.prices === '' ? 0 : known.prices.split('\n').length;
      return {
        ...{ categoryId, categoryName, phrases, goods, balance },
        reviews: known.reviews.filter(isReal).length,
        price: prices.description,
      };
    },
    async written(userId, run, attempt) {
      const work = await finishedWork<{ text: string }>(userId, `${run}:writeDescription:${attempt}`);
      return work?.text ?? null;
    },
  };

  return {
    pages: { description },
    services: {
      writeDescription: makeOrderDescription({
        ...paid,
        writeDescription: makeWriteDescription({ ask: writing.ask }),
      }),
      saveDescription: makeSaveDescription({ operations, put: materials.put }),
    },
  };
}
