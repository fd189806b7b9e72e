import type { ContextFrom } from 'xstate';
import type { connectVkMachine } from '../../../machines/connect-vk.ts';
import { vkPresses, vkScreens } from '../fragments/vk-questions.ts';
import { connectionEnds } from '../kit/connecting.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { button } from '../kit/screen.ts';

const questions = vkScreens([[button('Отмена', to('fsm:cancel'))]]);
const ends = connectionEnds<ContextFrom<typeof connectVkMachine>>(() => 'vk');

export const flow = {
  title: 'подключение VK',
  titleGenitive: 'подключения VK',
  states: {
    token: questions.token,
    checking_token: questions.reading,
    select_group: questions.group,
    saving: questions.saving,
    connected: ends.connected,
    failed: ends.failed,
    cancelled: ends.cancelled,
  },
  behind: { token: ends.left, select_group: ends.left },
  presses: [...vkPresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof connectVkMachine>;
