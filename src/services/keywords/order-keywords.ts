import type { KeywordsFound } from '../../../machines/fragments/keyword-questions.ts';
import type { GenerateKeywordsInput } from '../../../machines/fragments/keyword-work.ts';
import { CategoryGone } from '../../errors.ts';
import { prices } from '../../prices.ts';
import type { Payment } from '../../store/purse.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { Keywords } from '../quality/choose-cluster.ts';
import type { AddKeywords } from './add-keywords.ts';
import { countKeywords, phrasesOf } from './edit-keywords.ts';
import type { GenerateKeywords, KeywordOrder } from './generate-keywords.ts';
import { phraseKey } from './phrase-text.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<Brief | null>;
  /** Null when the category is gone. */
  keywordsOf(userId: number, categoryId: number): Promise<Keywords | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  generateKeywords: GenerateKeywords;
  addKeywords: AddKeywords;
};

/** From the accepted price to phrases in the category; or the tokens back. */
export const makeOrderKeywords =
  ({ briefOf, keywordsOf, purse, limitedWork, generateKeywords, addKeywords }: Deps) =>
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
        const told = await briefOf(userId, categoryId);
        if (!told) throw new CategoryGone(categoryId);
        return { company: told.company, topic: told.topic };
      });
      const known = await stage('known', async () =>
        phrasesOf((await keywordsOf(userId, categoryId)) ?? []).map(({ phrase }) => phraseKey(phrase)),
      );
      const set = await generateKeywords({
        brief,
        products,
        geography,
        quantity,
        known,
        userId,
        stage,
        report,
        signal: lease,
      });
      const city = isCountry(geography) ? null : geography;
      const added = await addKeywords({ key, userId, categoryId, request: order, city }, set.keywords);
      const spent = Math.min(price, added * prices.keyword);
      const { source, grouping, market } = set;
      const counts = { ...countKeywords(set.keywords), added };
      return { result: { ...counts, source, grouping, market, spent, returned: price - spent }, spent };
    });
  };

/** Not a city of the project. */
const isCountry = (geography: string): boolean => /^(?:вся\s+)?(?:россия|рф)$/iu.test(geography.trim());
