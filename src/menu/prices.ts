import type { PricedCategory } from '../../machines/fragments/price-work.ts';
import type { PriceMethod } from '../../machines/price-input.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { deletePricesScreen, pricesDeletedNotice, pricesScreen } from '../screens/pages/prices.ts';
import { action, askedAgain, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

/** Null everywhere: there is no such category. */
export type PricesData = {
  read(userId: number, categoryId: number): Promise<(PricedCategory & { prices: string }) | null>;
  /** The list as a workbook. */
  workbook(userId: number, categoryId: number): Promise<Uint8Array | null>;
  /** False when there is no such category. */
  remove(userId: number, categoryId: number): Promise<boolean>;
};

const projectList = to('nav:projects');
const pageOf = (cid: number): Link => to('category:{cid}:prices', { cid });

export function priceRoutes(data: PricesData): Route[] {
  return [
    route('category:{cid}:prices', ({ cid }, { userId }) =>
      known(userId, cid, (category) => ({ show: pricesScreen(category) })),
    ),
    route('prices:{cid}:text', ({ cid }, { userId }) => asked(userId, cid, 'text')),
    route('prices:{cid}:excel', ({ cid }, { userId }) => asked(userId, cid, 'file')),
    route('prices:{cid}:xlsx', ({ cid }, { userId }) =>
      known(userId, cid, async (category) => {
        const content = category.count > 0 ? await data.workbook(userId, cid) : null;
        const file = content && { name: `prices-${cid}.xlsx`, content };
        return { show: { ...pricesScreen(category), ...(file && { file }) } };
      }),
    ),
    route('prices:{cid}:delete', ({ cid }, { userId }) =>
      known(userId, cid, (category) => ({ show: deletePricesScreen(category, category.prices) })),
    ),
    action('prices:{cid}:delete:yes:{h}', async ({ cid, h }, { userId }) => {
      const category = await data.read(userId, cid);
      if (!category) return missing(projectList);
      if (!stillAsks(deletePricesScreen(category, category.prices), h))
        return askedAgain(to('prices:{cid}:delete', { cid }));
      await data.remove(userId, cid);
      return { open: pageOf(cid), notice: pricesDeletedNotice };
    }),
  ];

  async function known(
    userId: number,
    cid: number,
    answer: (category: PricedCategory & { prices: string }) => RouteAnswer | Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const category = await data.read(userId, cid);
    return category ? answer(category) : missing(projectList);
  }

  function asked(userId: number, cid: number, method: PriceMethod): Promise<RouteAnswer> {
    return known(userId, cid, ({ prices: _, ...category }) => ({
      start: { flow: 'PriceInput', input: { ...category, method } },
      origin: pageOf(cid),
    }));
  }
}
