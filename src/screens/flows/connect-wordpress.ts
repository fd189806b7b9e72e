import type { connectWordPressMachine, ReachedSite } from '../../../machines/connect-wordpress.ts';
import type { Failure } from '../../../machines/failure.ts';
import { passwordSteps } from '../kit/application-password.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { workingOnIt } from '../kit/save-step.ts';
import {
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

export const flow = {
  title: 'подключение WordPress',
  titleOf: 'подключения WordPress',
  states: {
    url: ({ ownSite, invalid, failure }) =>
      step(1, {
        complaint: invalid
          ? rich`Это не похоже на адрес сайта. Пришлите его имя, например romashka.ru.`
          : unreachable(failure),
        ask: lines(
          rich`Адрес сайта на WordPress? Если начать без https://, я добавлю его сам.`,
          rich`<i>Например: romashka.ru</i>`,
        ),
        keyboard: ownSite === null ? [] : [[button(`Взять ${shortened(ownSite)}`, to('wp:use_site'))]],
      }),
    checking_url: ({ url }) => workingOnIt(rich`Открываю ${url}…`),
    confirm_duplicate: ({ site, projectName }) => ({
      text: paragraphs(
        rich`<b>${site!.identifier}</b> уже подключён к вашему проекту «${site!.otherProject}».`,
        rich`Если подключить и к «${projectName}», оба проекта будут публиковать на один сайт.`,
      ),
      keyboard: [[button('Подключить', to('wp:dup_ok'), 'success')], [cancel]],
    }),
    login: ({ site, invalid, failure }) => loginScreen(site!, invalid, failure),
    taking_grant: () => workingOnIt(rich`Смотрю, пришло ли разрешение…`),
    password: ({ site, invalid, failure, helpWanted, sealed }) =>
      step(3, {
        complaint: invalid
          ? rich`Введите Application Password из WordPress. То, что вы прислали, на него не похоже; сообщение я удалил.`
          : saidBy(failure),
        ask: paragraphs(
          rich`Пароль приложения для ${site!.identifier}? Это не тот пароль, с которым вы входите на сайт: WordPress выдаёт его отдельно, шесть групп по четыре знака.`,
          helpWanted
            ? passwordSteps(`${site!.identifier}/wp-admin/profile.php`)
            : rich`Он создаётся в админке: «Пользователи» → «Профиль» → «Пароли приложений».`,
          rich`Сообщение с паролем я сразу удалю из чата, храню его только зашифрованным.`,
        ),
        keyboard: [
          ...(failure && sealed !== null ? [[button('Ещё раз', to('fsm:retry'), 'primary')]] : []),
          ...(helpWanted ? [] : [[button('Как получить', to('wp:help'))]]),
        ],
      }),
    validate_connection: ({ site }) =>
      workingOnIt(rich`Проверяю доступ к ${site!.identifier}. Пароля в чате уже нет.`),
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
  presses: [
    press('wp:use_site', () => ({ type: 'site.taken' })),
    press('wp:dup_ok', () => ({ type: 'duplicate.accepted' })),
    press('wp:authorized', () => ({ type: 'access.granted' })),
    press('wp:help', () => ({ type: 'help.asked' })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof connectWordPressMachine>;

const cancel = button('Отмена', to('fsm:cancel'));

/** Whoever went away while the site was looked at is not asked the next question. */
function left({ projectId }: { projectId: number }): Screen {
  return {
    text: rich`Подключение WordPress осталось незаконченным, ничего не сохранено. Начните заново, когда будет удобно.`,
    keyboard: [[button('К подключениям', to('project:{pid}:connections', { pid: projectId }))], [menuButton]],
  };
}

type Step = { complaint: RichText | null; ask: RichText; keyboard: Keyboard };

function step(number: number, { complaint, ask, keyboard }: Step): Screen {
  return {
    ...(complaint && { complaint }),
    text: paragraphs(rich`<b>Подключение WordPress (${number}/3)</b>`, ask),
    keyboard: [...keyboard, [cancel]],
  };
}

/** Where the site grants access itself, that is one press instead of two answers. */
function loginScreen(
  { identifier, name, url, authorization }: ReachedSite,
  invalid: boolean,
  failure: Failure | null,
): Screen {
  return step(2, {
    complaint: invalid ? rich`Введите логин WordPress` : saidBy(failure),
    ask: paragraphs(
      rich`Нашёл WordPress: ${name ? rich`«${name}», ${identifier}` : identifier}.`,
      isOpenToListeners(url) &&
        rich`⚠️ Сайт открывается только по http, без шифрования: пароль приложения и тексты пойдут по сети открыто. Лучше сначала включить HTTPS на хостинге, обычно это бесплатно.`,
      authorization &&
        rich`Быстрее всего так: откройте сайт кнопкой ниже и подтвердите там доступ. Дальше я продолжу сам, логин и пароль вводить не придётся.`,
      rich`${authorization ? 'Или пришлите' : 'Пришлите'} логин, с которым входите в админку сайта, до 100 символов.`,
    ),
    keyboard: authorization
      ? [[urlButton('Разрешить на сайте', authorization.link)], [button('Я разрешил', to('wp:authorized'))]]
      : [],
  });
}

/** The specification's sentence where the site does not answer as it should; what is wrong with it for good, alone. */
const unreachable = (failure: Failure | null): RichText | null =>
  failure?.retryable ? lines(rich`Сайт недоступен. Проверьте URL`, saidBy(failure)) : saidBy(failure);

const saidBy = (failure: Failure | null): RichText | null =>
  failure && rich`${failure.userMessage ?? 'Не получилось. Попробуйте ещё раз.'}`;

// A label longer than this is cut by phones, and the host is at its beginning.
const MOST_ADDRESS = 40;

function shortened(url: string): string {
  const bare = [...url.replace(/^https?:\/\/(?:www\.)?/iu, '').replace(/\/+$/u, '')];
  return bare.length > MOST_ADDRESS ? `${bare.slice(0, MOST_ADDRESS).join('')}…` : bare.join('');
}

/** A site on this very machine, as in the sandbox, is reached without a network. */
const isOpenToListeners = (url: string): boolean =>
  url.startsWith('http:') && !/^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/u.test(url);
