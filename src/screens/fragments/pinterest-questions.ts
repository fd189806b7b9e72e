import { MOST_CHOICES } from '../../../machines/fragments/connection-slice.ts';
import type { PinterestSlice } from '../../../machines/fragments/pinterest-questions.ts';
import { refusalOf } from '../kit/connecting.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { PAGE_SIZE, pagerRows, paginate } from '../kit/pager.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, paragraphs, rich, type Screen, urlButton } from '../kit/screen.ts';

type Show = (slice: PinterestSlice) => Screen;
type PinterestStep = 'opening' | 'oauth' | 'reading' | 'board' | 'saving';

/** From the sign-in at Pinterest to a connected board. `ways`: the buttons that every question has below. */
export function pinterestScreens(ways: Keyboard): Record<PinterestStep, Show> {
  return {
    opening: () => workingOnIt(rich`Готовлю вход в Pinterest…`),
    oauth: ({ pinterest: { consent } }) => ({
      text: paragraphs(
        rich`<b>Подключение Pinterest (1/2)</b>`,
        rich`Войдите в Pinterest по кнопке ниже и разрешите доступ. Потом браузер сам вернёт вас сюда, и останется выбрать доску.`,
        rich`Ссылка личная и действует полчаса. Пароль от Pinterest я не вижу.`,
      ),
      keyboard: [[urlButton('Войти в Pinterest', consent!.link)], ...ways],
    }),
    reading: () => workingOnIt(rich`Смотрю ваши доски…`),
    board: ({ pinterest: { grant, page }, failure }) => {
      const shown = paginate(grant?.boards ?? [], page);
      const complaint = refusalOf(failure);
      return {
        ...(complaint && { complaint }),
        text: paragraphs(
          rich`<b>Подключение Pinterest (2/2)</b>`,
          shown.count > 0
            ? rich`На какую доску публиковать?`
            : rich`Досок пока не видно. Создайте доску в Pinterest и нажмите «Проверить снова».`,
          shown.count === MOST_CHOICES &&
            rich`Показаны первые ${MOST_CHOICES}. Нужную доску можно поднять выше в самом Pinterest.`,
        ),
        keyboard: [
          ...shown.items.map(({ name }, at) => [
            button(name, to('pin:board:{i}', { i: (shown.page - 1) * PAGE_SIZE + at })),
          ]),
          ...pagerRows(shown, (n) => to('page:boards:{n}', { n })),
          [button(shown.count > 0 ? 'Обновить список' : 'Проверить снова', to('pin:recheck'))],
          ...ways,
        ],
      };
    },
    saving: ({ pinterest: { board } }) => workingOnIt(rich`Подключаю доску «${board!.name}»…`),
  };
}

export const pinterestPresses = [
  press('pin:board:{i}', ({ i }) => ({ type: 'board.chosen', index: i }) as const),
  press('page:boards:{n}', ({ n }) => ({ type: 'page.turned', page: n }) as const),
  press('pin:recheck', () => ({ type: 'retried' }) as const),
];

/** `/start` of a person who comes back from Pinterest, as the event that the dialogue waits for. */
export function pinterestReturn(payload: string) {
  const nonce = /^pinterest_auth_([0-9a-f]{32})$/u.exec(payload)?.[1];
  return nonce === undefined ? null : ({ type: 'access.granted', nonce } as const);
}
