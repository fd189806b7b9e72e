import { describe, expect, it } from 'vitest';
import { unbalanced } from '../../support/rows.ts';
import { workbench } from './workbench.ts';

const bench = workbench();

describe('a draft that is not wanted', () => {
  it('X16: gives everything back, once, and is cleared away', async () => {
    const customer = await bench().aCustomer();
    const { draftId, spent, telegraphUrl } = await customer.generate();
    expect(await customer.cancel(draftId)).toEqual({ returned: spent });
    expect(await customer.cancel(draftId)).toEqual({ returned: spent }); // the same, told again
    expect(await customer.balance()).toBe(1_500);
    expect(await customer.drafts()).toMatchObject([{ status: 'cancelled' }]);
    const left = await bench().works.pictures.listOlderThan(new Date(Date.now() + 60_000));
    expect(left.filter((path) => path.startsWith(`${customer.userId}/`))).toEqual([]);
    const page = bench().telegraph.pages.page(new URL(telegraphUrl!).pathname.slice(1));
    expect(page).toMatchObject({ title: 'Предпросмотр удалён' });
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('gives its tokens back though Telegraph is down', async () => {
    const customer = await bench().aCustomer();
    const { draftId, spent } = await customer.generate();
    bench().telegraph.faults.add({ match: 'POST', times: null, fault: { kind: 'status', status: 503 } });
    expect(await customer.cancel(draftId)).toEqual({ returned: spent });
    expect(bench().logged('Telegraph did not erase a page')).toHaveLength(1);
  });

  it('cannot be cancelled by somebody else', async () => {
    const customer = await bench().aCustomer();
    const { draftId } = await customer.generate();
    const stranger = await bench().aCustomer();
    expect(await stranger.cancel(draftId)).toEqual({ returned: 0 });
    expect(await customer.drafts()).toMatchObject([{ status: 'draft' }]);
    expect(await stranger.balance()).toBe(1_500);
  });
});
