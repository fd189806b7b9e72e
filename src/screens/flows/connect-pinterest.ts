import type { ContextFrom } from 'xstate';
import type { connectPinterestMachine } from '../../../machines/connect-pinterest.ts';
import { pinterestPresses, pinterestReturn, pinterestScreens } from '../fragments/pinterest-questions.ts';
import { connectionEnds } from '../kit/connecting.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { button, rich } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

const questions = pinterestScreens([[button('Отмена', to('fsm:cancel'))]]);
const ends = connectionEnds<ContextFrom<typeof connectPinterestMachine>>(() => 'pinterest');

export const flow = {
  title: 'подключение Pinterest',
  titleGenitive: 'подключения Pinterest',
  states: {
    opening_oauth: questions.opening,
    oauth_callback: questions.oauth,
    reading_boards: questions.reading,
    select_board: questions.board,
    saving: questions.saving,
    connected: ends.connected,
    failed: ends.failed,
    cancelled: ends.cancelled,
  },
  behind: { oauth_callback: ends.left, select_board: ends.left },
  returns: pinterestReturn,
  missed: {
    'access.refused': () => ({
      text: rich`Pinterest не дал доступ, и подключение вы уже прервали. Ничего не сохранено.`,
      keyboard: [[menuButton]],
    }),
  },
  presses: [...pinterestPresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof connectPinterestMachine>;
