import type { categoryCreateMachine } from '../../../machines/category-create.ts';
import { categoryScreens } from '../fragments/category-question.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { button, rich } from '../kit/screen.ts';
import { categoryCreatedScreen } from '../pages/categories.ts';

const question = categoryScreens([button('Отмена', to('fsm:cancel'))]);

export const flow = {
  title: 'создание категории',
  titleGenitive: 'создания категории',
  states: {
    name: question.name,
    saving: question.saving,
    save_failed: question.saveFailed,
    created: ({ categoryId, name }) => ({
      open: to('category:{cid}:created', { cid: categoryId! }),
      screen: categoryCreatedScreen({ id: categoryId!, name: name! }),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Создание категории отменено.` }),
  },
  presses: [
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof categoryCreateMachine>;
