import type { PricedCategory } from '../../../machines/fragments/price-work.ts';
import { goodsLines } from '../fragments/price-work.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { button, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { toCategory } from './description.ts';

export function pricesScreen(category: PricedCategory): Screen {
  const { categoryId: cid, categoryName, count } = category;
  return {
    text: paragraphs(
      rich`<b>Цены</b> · ${categoryName}`,
      goodsLines(category),
      count > 10 && rich`В статью попадают первые 10 позиций, в пост — первые 5: поставьте главное наверх.`,
    ),
    keyboard: [
      [
        button('Текстом', to('prices:{cid}:text', { cid })),
        button('Excel', to('prices:{cid}:excel', { cid })),
      ],
      ...(count > 0
        ? [
            [button('Скачать .xlsx', to('prices:{cid}:xlsx', { cid }))],
            [button('Удалить', to('prices:{cid}:delete', { cid }), 'danger')],
          ]
        : []),
      [toCategory(cid)],
    ],
  };
}

/** `what`: the whole list, so that another one of the same length is not deleted instead. */
export const deletePricesScreen = ({ categoryId: cid, categoryName, count }: PricedCategory, what: string) =>
  deletionScreen({
    question: rich`Удалить цены категории <b>${categoryName}</b>?`,
    head: rich`Исчезнет список:`,
    losses: [[count, 'позиция', 'позиции', 'позиций']],
    draftTokens: 0,
    what,
    confirm: (h) => to('prices:{cid}:delete:yes:{h}', { cid, h }),
    back: to('category:{cid}:prices', { cid }),
  });

export const pricesDeletedNotice: RichText = rich`Цены удалены.`;
