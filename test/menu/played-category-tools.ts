import type { DescriptionData } from '../../src/menu/description.ts';
import type { PricesData } from '../../src/menu/prices.ts';
import type { ReviewsData } from '../../src/menu/reviews.ts';
import type { CategoryMaterial } from '../../src/store/category-material.ts';

export const someMaterial: CategoryMaterial = {
  categoryId: 9,
  categoryName: 'Свадебные букеты',
  projectName: 'Ромашка',
  description: 'Букеты невесты и бутоньерки <под платье>.',
  prices: 'Букет невесты — 5 000 ₽ — с лентой\nБутоньерка — 700 ₽',
  reviews: [{ author: 'Анна', text: 'Букет & лента — точь-в-точь.', real: true }],
  phrases: 40,
  balance: 1_500,
};

/** What a category is filled with, over data in memory. */
export function playedCategoryTools(
  changes: Partial<CategoryMaterial>,
  isThere: (userId: number, categoryId: number) => boolean,
) {
  const material = { ...someMaterial, ...changes };
  const read = async (userId: number, id: number) => (isThere(userId, id) ? material : null);
  const put = (field: 'description' | 'prices') => async (userId: number, id: number, text: string) => {
    if (!isThere(userId, id)) return false;
    material[field] = text;
    return true;
  };
  const description: DescriptionData = {
    price: 20,
    read,
    put: put('description'),
    offer: async (userId, id) =>
      isThere(userId, id)
        ? { ...{ categoryId: id, categoryName: material.categoryName, price: 20 }, ...counts }
        : null,
    written: async () => null,
  };
  const priceList: PricesData = {
    async read(userId, id) {
      const list = material.prices === '' ? [] : material.prices.split('\n');
      const { categoryName, prices } = material;
      return isThere(userId, id)
        ? { categoryId: id, categoryName, prices, count: list.length, first: list.slice(0, 5) }
        : null;
    },
    workbook: async (userId, id) => (isThere(userId, id) ? new Uint8Array([80, 75]) : null),
    remove: async (userId, id) => put('prices')(userId, id, ''),
  };
  const reviews: ReviewsData = {
    generates: true,
    read: async (userId, id) =>
      isThere(userId, id)
        ? {
            categoryId: id,
            categoryName: material.categoryName,
            real: material.reviews,
            samples: material.reviews,
          }
        : null,
    offer: async (userId, id) =>
      isThere(userId, id)
        ? { categoryId: id, categoryName: material.categoryName, pricePerReview: 10, balance: 1_500 }
        : null,
    addReal: async (userId, id) => (isThere(userId, id) ? 1 : null),
    keepWritten: async () => 0,
    removeAll: async (userId, id) => isThere(userId, id),
  };
  return { description, priceList, reviews };
}

const counts = { phrases: 40, goods: 2, reviews: 1, balance: 1_500 };
