import type { connectWordPressMachine } from '../../../machines/connect-wordpress.ts';
import { wordPressPresses, wordPressScreens } from '../fragments/wordpress-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { button, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

const questions = wordPressScreens([[button('Отмена', to('fsm:cancel'))]]);

export const flow = {
  title: 'подключение WordPress',
  titleGenitive: 'подключения WordPress',
  states: {
    url: questions.url,
    checking_url: questions.checking,
    confirm_duplicate: questions.duplicate,
    login: questions.login,
    taking_grant: questions.granting,
    password: questions.password,
    validate_connection: questions.validating,
    connected: ({ connectionId }) => ({ open: to('conn:{nid}:connected', { nid: connectionId! }) }),
    failed: ({ projectId, reconnect, failure }) => ({
      open: reconnect
        ? to('conn:{nid}:manage', { nid: reconnect.connectionId })
        : to('project:{pid}:conn_failed:{plt}', { pid: projectId, plt: 'wordpress' }),
      notice: rich`Не удалось подключиться. ${failure?.userMessage ?? 'Попробуйте ещё раз чуть позже.'}`,
    }),
    cancelled: ({ origin }) => ({
      open: unpackLink(origin),
      notice: rich`Подключение отменено, ничего не сохранено.`,
    }),
  },
  behind: { url: left, confirm_duplicate: left, login: left, password: left },
  presses: [...wordPressPresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof connectWordPressMachine>;

/** A person who went away while the site was looked at is not asked the next question. */
function left({ projectId }: { projectId: number }): Screen {
  return {
    text: rich`Подключение WordPress осталось незаконченным, ничего не сохранено. Начните заново, когда будет удобно.`,
    keyboard: [[button('К подключениям', to('project:{pid}:connections', { pid: projectId }))], [menuButton]],
  };
}
