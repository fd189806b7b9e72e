import type { priceInputMachine } from '../../../machines/price-input.ts';
import { goodsLines, priceScreens, pricesSavedNotice } from '../fragments/price-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { button, paragraphs, rich } from '../kit/screen.ts';

const cancel = button('Отмена', to('fsm:cancel'));
const screens = priceScreens({ ways: [[button('Другим способом', to('prices:other'))], [cancel]] });

export const flow = {
  title: 'ввод цен',
  titleGenitive: 'ввода цен',
  states: {
    choose_method: ({ prices: { category } }) => ({
      text: paragraphs(
        rich`<b>Цены</b> · ${category!.categoryName}`,
        goodsLines(category!),
        rich`Как пришлёте прайс?`,
      ),
      keyboard: [[button('Текстом', to('prices:by_text')), button('Excel', to('prices:by_file'))], [cancel]],
    }),
    text_input: screens.text,
    file_upload: screens.file,
    reading_text: screens.reading,
    reading_file: screens.reading,
    saved: ({ prices: { category, saved } }) => ({
      open: to('category:{cid}:prices', { cid: category!.categoryId }),
      notice: pricesSavedNotice(saved!),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Ввод цен отменён.` }),
  },
  presses: [
    press('prices:other', () => ({ type: 'method.reopened' })),
    press('prices:by_text', () => ({ type: 'text.chosen' })),
    press('prices:by_file', () => ({ type: 'file.chosen' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof priceInputMachine>;
