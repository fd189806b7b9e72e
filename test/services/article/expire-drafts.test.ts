import { describe, expect, it } from 'vitest';
import { draftExpiredScreen } from '../../../src/screens/pages/publication-news.ts';
import { makeExpireDrafts } from '../../../src/services/article/expire-drafts.ts';
import { makeArticleDrafts } from '../../../src/store/article-drafts.ts';
import { makeLedger } from '../../../src/store/ledger.ts';
import { unbalanced } from '../../support/rows.ts';
import { keptLog } from '../pictures/kept-log.ts';
import { workbench } from './workbench.ts';

const bench = workbench();

describe('a draft that was left alone for a day', () => {
  it('E18: gives everything back, is cleared away, and the person is told, once', async () => {
    const customer = await bench().aCustomer();
    const { draftId, spent, phrase, telegraphUrl } = await customer.generate();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    await customer.expire();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 1, refunds: spent });
    expect(await bench().works.expireDrafts()).toEqual({ expired: 0, refunds: 0 });
    expect(bench().told).toEqual([{ userId: customer.userId, screen: draftExpiredScreen(phrase, spent) }]);
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toMatchObject([{ status: 'expired' }]);
    const page = bench().telegraph.pages.page(new URL(telegraphUrl!).pathname.slice(1));
    expect(page).toMatchObject({ title: 'Предпросмотр удалён' });
    expect(await customer.cancel(draftId)).toEqual({ returned: 0 });
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('that cannot be ended keeps no other waiting, and is reported', async () => {
    const [bad, good] = [await bench().aCustomer(), await bench().aCustomer()];
    const { draftId } = await bad.generate();
    const { spent } = await good.generate();
    const ledger = makeLedger(bench().sql);
    // Somebody has used the key of its refund for another sum.
    await ledger.refund({ key: `draft:${draftId}:refund`, userId: bad.userId, amount: 1 });
    await bad.expire();
    await good.expire();
    expect(await bench().works.expireDrafts()).toEqual({ expired: 1, refunds: spent });
    expect(bench().logged('a draft could not be expired')).toHaveLength(1);
    expect(await good.balance()).toBe(1_500);
    expect(await bad.drafts()).toMatchObject([{ status: 'draft' }]);
    await bench().sql`delete from article_previews where id = ${draftId}`;
  });

  it('is over although the person cannot be told', async () => {
    const customer = await bench().aCustomer();
    const { spent } = await customer.generate();
    await customer.expire();
    const { log, lines } = keptLog();
    const expireDrafts = makeExpireDrafts({
      expire: makeArticleDrafts(bench().sql, makeLedger(bench().sql)).expire,
      discard: async () => undefined,
      notify: () => Promise.reject(new Error('blocked by the user')),
      log,
    });
    expect(await expireDrafts()).toEqual({ expired: 1, refunds: spent });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'an expiry was not told' }));
    expect(await customer.balance()).toBe(1_500);
  });
});
