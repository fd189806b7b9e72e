import type { Failure } from '../../../machines/failure.ts';
import { platformTitle } from '../../platforms/platforms.ts';
import { to } from './link.ts';
import { triedBefore } from './save-step.ts';
import { button, type Redirect, type RichText, rich, type Screen } from './screen.ts';
import { menuButton } from './system.ts';

/** Why the last try came to nothing; a second refusal is seen to be another one. */
export const refusalOf = (failure: Failure | null): RichText | null =>
  failure &&
  rich`${failure.userMessage ?? 'Не получилось. Попробуйте ещё раз чуть позже.'}${triedBefore(failure)}`;

type Ending = { projectId: number; connectionId: number | null; failure: Failure | null };

/** How the dialogues that connect a channel end, whatever the platform. */
export function connectionEnds<Context extends Ending>(platformOf: (context: Context) => string) {
  return { connected, failed, cancelled, left };

  function connected({ connectionId }: Context): Redirect {
    return { open: to('conn:{nid}:connected', { nid: connectionId! }) };
  }

  function failed(context: Context): Redirect {
    const reason = context.failure?.userMessage ?? 'Попробуйте ещё раз чуть позже.';
    return {
      open: to('project:{pid}:conn_failed:{plt}', { pid: context.projectId, plt: platformOf(context) }),
      notice: rich`Не удалось подключиться. ${reason}`,
    };
  }

  function cancelled(context: Context): Redirect {
    return {
      open: to('project:{pid}:conn_left:{plt}', { pid: context.projectId, plt: platformOf(context) }),
      notice: rich`Подключение отменено, ничего не сохранено.`,
    };
  }

  /** A person who went away meanwhile is not asked the next question. */
  function left(context: Context): Screen {
    const title = platformTitle(platformOf(context));
    return {
      text: rich`Подключение ${title} осталось незаконченным, ничего не сохранено. Начните заново, когда будет удобно.`,
      keyboard: [
        [button('К подключениям', to('project:{pid}:connections', { pid: context.projectId }))],
        [menuButton],
      ],
    };
  }
}
