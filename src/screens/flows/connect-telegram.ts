import type { ContextFrom } from 'xstate';
import type { connectTelegramMachine } from '../../../machines/connect-telegram.ts';
import { messengerPresses, messengerScreens } from '../fragments/messenger-questions.ts';
import { connectionEnds } from '../kit/connecting.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { button } from '../kit/screen.ts';

const questions = messengerScreens([[button('Отмена', to('fsm:cancel'))]]);
const ends = connectionEnds(
  (context: ContextFrom<typeof connectTelegramMachine>) => context.messenger.platform,
);

export const flow = {
  title: 'подключение канала',
  titleGenitive: 'подключения канала',
  states: {
    channel: questions.channel,
    token: questions.token,
    awaiting_chat: questions.searching,
    validate: questions.verifying,
    connected: ends.connected,
    failed: ends.failed,
    cancelled: ends.cancelled,
  },
  behind: { channel: ends.left, token: ends.left },
  presses: [...messengerPresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof connectTelegramMachine>;
