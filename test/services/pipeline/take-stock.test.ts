import { expect, it } from 'vitest';
import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import { makeTakeStock, type TakeStockDeps } from '../../../src/services/pipeline/take-stock.ts';
import { articleOffer } from '../../support/flow-events.ts';

const clash = { title: 'Букет невесты', url: null, state: 'draft' } as const;
const first: ArticleOffer = { ...articleOffer, clash, ownPhotos: 3 };
const other: ArticleOffer = {
  ...articleOffer,
  phrase: 'букет из роз',
  volume: 70,
  clash: null,
  ownPhotos: 3,
};

it('offers a person who comes back what they had chosen, and warns of nothing else', async () => {
  expect(await offerAgain({ ...other, images: 1, own: 2, wanted: 3 })).toMatchObject({
    ...{ phrase: 'букет из роз', volume: 70, clash: null },
    ...{ images: 1, pictures: articleOffer.picturePrice, own: 2, wanted: 3 },
  });
});

it('takes no more photos than are still there', async () => {
  expect(await offerAgain({ ...other, own: 5, wanted: 5, images: 0 })).toMatchObject({ own: 3, images: 0 });
});

async function offerAgain(keep: ArticleOffer): Promise<ArticleOffer | null> {
  const one = <Item>(item: Item) => (async () => [item]) as never;
  const takeStock = makeTakeStock({
    choices: {
      projects: one({ id: 5, name: 'Ромашка', site: null }),
      sites: one({ id: 3, name: 'romashka.ru', isBroken: false }),
      categories: one({ id: keep.categoryId, name: 'Букеты' }),
      publications: async () => 0,
    } as unknown as TakeStockDeps['choices'],
    cardOf: async () => null,
    keywordOffer: async () => null,
    descriptionOffer: async () => null,
    pricesOf: async () => null,
    offerArticle: async (_user, _category, _connection, _isAdmin, wanted) => ({
      offer: wanted === other.phrase ? other : first,
    }),
    openDraft: () => Promise.reject(new Error('Expected no draft to be opened')),
  });
  const { offer } = await takeStock({
    ...{ userId: 1, isAdmin: false, repeats: false, previewOnly: false, draftId: null },
    ...{ projectId: 5, connectionId: 3, categoryId: keep.categoryId, keep },
  });
  return offer;
}
