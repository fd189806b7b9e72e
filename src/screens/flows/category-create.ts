import type { categoryCreateMachine } from '../../../machines/category-create.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, lines, paragraphs, rich } from '../kit/screen.ts';
import { categoryCreatedScreen, nameMisfitNotice } from '../pages/categories.ts';

export const flow = {
  title: 'создание категории',
  titleOf: 'создания категории',
  states: {
    name: ({ projectName, misfit }) => ({
      ...(misfit && { complaint: nameMisfitNotice(misfit) }),
      text: paragraphs(
        rich`<b>Новая категория</b> · ${projectName}`,
        lines(
          rich`О чём будем писать? Категория — это одна тема: услуга, группа товаров или рубрика.`,
          rich`<i>Например: Свадебные букеты</i>`,
        ),
      ),
      keyboard: [[cancel]],
    }),
    saving: ({ name }) => workingOnIt(rich`Создаю категорию «${name}»…`),
    save_failed: ({ failure }) => savingFailed(rich`Категория пока не создана.`, failure, [cancel]),
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

const cancel = button('Отмена', to('fsm:cancel'));
