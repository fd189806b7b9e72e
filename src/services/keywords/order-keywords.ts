import type { KeywordsFound } from '../../../machines/fragments/keyword-questions.ts';
import type { GenerateKeywordsInput } from '../../../machines/fragments/keyword-work.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone } from '../../errors.ts';
import { prices } from '../../prices.ts';
import type { Payment } from '../../store/purse.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { Keywords } from '../quality/choose-cluster.ts';
import { countKeywords, mergeKeywords } from './edit-keywords.ts';
import type { GenerateKeywords, KeywordOrder } from './generate-keywords.ts';
import type { KeywordSet } from './keyword-set.ts';

type Deps<Tx> = {
  briefOf(userId: number, categoryId: number): Promise<Brief | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  generateKeywords: GenerateKeywords;
  store: {
    /** Null when the category is gone. */
    change(
      userId: number,
      categoryId: number,
      edit: (keywords: Keywords) => Keywords,
      within: Tx,
    ): Promise<Keywords | null>;
    fillCity(tx: Tx, userId: number, categoryId: number, city: string): Promise<void>;
  };
};

/** From the accepted price to phrases in the category; or the tokens back. */
export const makeOrderKeywords =
  <Tx>({ briefOf, purse, limitedWork, operations, generateKeywords, store }: Deps<Tx>) =>
  (
    { key, userId, ...order }: GenerateKeywordsInput,
    signal: AbortSignal,
    report: KeywordOrder['report'],
  ): Promise<KeywordsFound> => {
    const { categoryId, products, geography, quantity, price } = order;
    const description = `подбор фраз: ${quantity}`;
    const ownPurse = purse({ key, userId, parts: { keyword_generation: price }, description });
    const call = { key, userId, request: order, signal };
    const needs = { slots: { keyword_generation: 1 } };

    return limitedWork(call, needs, ownPurse, async (stage, lease) => {
      const brief = await stage('brief', async () => {
        const known = await briefOf(userId, categoryId);
        if (!known) throw new CategoryGone(categoryId);
        return { company: known.company, topic: known.topic };
      });
      const set = await generateKeywords({
        brief,
        products,
        geography,
        quantity,
        userId,
        stage,
        report,
        signal: lease,
      });
      const added = await save(set);
      const spent = Math.min(price, set.delivered * prices.keyword);
      const { source, grouping, market } = set;
      const counts = { ...countKeywords(set.keywords), added };
      return { result: { ...counts, source, grouping, market, spent, returned: price - spent }, spent };
    });

    /** In a transaction under a key of its own: a phrase that the person deletes afterwards does not come back. */
    function save({ keywords: fresh }: KeywordSet): Promise<number> {
      return operations.inTransaction({ key: `${key}:save`, userId, request: order }, async (tx) => {
        // The project before its category: the order in which a deletion locks them.
        await store.fillCity(tx, userId, categoryId, geography);
        let before = 0;
        const merged = await store.change(
          userId,
          categoryId,
          (old) => {
            before = countKeywords(old).phrases;
            return mergeKeywords(old, fresh);
          },
          tx,
        );
        if (!merged) throw new CategoryGone(categoryId);
        return countKeywords(merged).phrases - before;
      });
    }
  };
