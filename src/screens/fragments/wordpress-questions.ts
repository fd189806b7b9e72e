import type { Failure } from '../../../machines/failure.ts';
import type { ReachedSite, WordPressSlice } from '../../../machines/fragments/wordpress-questions.ts';
import { passwordSteps } from '../kit/application-password.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { triedBefore, workingOnIt } from '../kit/save-step.ts';
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

type Show = (slice: WordPressSlice) => Screen;
type WordPressStep = 'url' | 'checking' | 'duplicate' | 'login' | 'granting' | 'password' | 'validating';

/** From the address to a connection that works. `ways`: the buttons that every question has below. */
export function wordPressScreens(ways: Keyboard): Record<WordPressStep, Show> {
  return {
    url: ({ ownSite, wordpress: { invalid, url }, failure }) =>
      step(1, {
        complaint: invalid
          ? rich`Это не похоже на адрес сайта. Пришлите его имя, например romashka.ru.`
          : unreachable(failure, { tried: url, ownSite }),
        ask: lines(
          rich`Адрес сайта на WordPress? Если начать без https://, я добавлю его сам.`,
          rich`<i>Например: romashka.ru</i>`,
        ),
        keyboard: [
          ...(failure && url !== null && !isOwn(url, ownSite)
            ? [[button('Проверить ещё раз', to('fsm:retry'), 'primary')]]
            : []),
          ...(ownSite === null ? [] : [[button(`Взять ${shortened(ownSite)}`, to('wp:use_site'))]]),
        ],
      }),
    checking: ({ wordpress: { url } }) => workingOnIt(rich`Открываю ${url}…`),
    duplicate: ({ wordpress: { site }, projectName }) => ({
      text: paragraphs(
        rich`Сайт <b>${site!.identifier}</b> уже подключён к вашему проекту «${site!.otherProject}».`,
        rich`Если подключить и к «${projectName}», оба проекта будут публиковать на один сайт.`,
      ),
      keyboard: [[button('Подключить', to('wp:dup_ok'), 'success')], [anotherAddress], ...ways],
    }),
    login: ({ wordpress: { site, invalid }, failure }) => loginScreen(site!, invalid, failure),
    granting: () => workingOnIt(rich`Смотрю, пришло ли разрешение…`),
    password: ({ wordpress: { site, invalid, helpWanted, sealed }, failure }) =>
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
          ...(failure && sealed !== null
            ? [[button('Ещё раз', to('fsm:retry'), failure.retryable ? 'primary' : undefined)]]
            : []),
          ...(helpWanted ? [] : [[button('Как получить', to('wp:help'))]]),
          [button('Другой логин', to('wp:login'))],
        ],
      }),
    validating: ({ wordpress: { site } }) =>
      workingOnIt(rich`Проверяю доступ к ${site!.identifier}. Пароля в чате уже нет.`),
  };

  function step(number: number, { complaint, ask, keyboard }: Step): Screen {
    return {
      ...(complaint && { complaint }),
      text: paragraphs(rich`<b>Подключение WordPress (${number}/3)</b>`, ask),
      keyboard: [...keyboard, ...ways],
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
      keyboard: [
        ...(authorization
          ? [
              [urlButton('Разрешить на сайте', authorization.link)],
              [button('Я разрешил', to('wp:authorized'))],
            ]
          : []),
        [anotherAddress],
      ],
    });
  }
}

const anotherAddress = button('Другой адрес', to('wp:address'));

type Step = { complaint: RichText | null; ask: RichText; keyboard: Keyboard };

export const wordPressPresses = [
  press('wp:use_site', () => ({ type: 'site.taken' }) as const),
  press('wp:dup_ok', () => ({ type: 'duplicate.accepted' }) as const),
  press('wp:authorized', () => ({ type: 'access.granted' }) as const),
  press('wp:address', () => ({ type: 'address.reopened' }) as const),
  press('wp:login', () => ({ type: 'login.reopened' }) as const),
  press('wp:help', () => ({ type: 'help.asked' }) as const),
  press('fsm:retry', () => ({ type: 'retried' }) as const),
];

/**
 * The specification's sentence where the site does not answer as it should; what is wrong with it for good, alone. A
 * person whose project has an address did not type it here: they are told which one was tried.
 */
function unreachable(
  failure: Failure | null,
  { tried, ownSite }: { tried: string | null; ownSite: string | null },
): RichText | null {
  if (failure && tried !== null && isOwn(tried, ownSite))
    return lines(
      rich`Я попробовал адрес из проекта, ${shortened(tried)}, но подключиться не вышло.`,
      saidBy(failure),
      rich`Пришлите другой адрес или попробуйте этот ещё раз кнопкой ниже.`,
    );
  return failure?.retryable ? lines(rich`Сайт недоступен. Проверьте URL`, saidBy(failure)) : saidBy(failure);
}

const isOwn = (tried: string, ownSite: string | null): boolean =>
  ownSite !== null && shortened(tried) === shortened(ownSite);

const saidBy = (failure: Failure | null): RichText | null =>
  failure && rich`${failure.userMessage ?? 'Не получилось. Попробуйте ещё раз.'}${triedBefore(failure)}`;

// A label longer than this is cut by phones, and the host is at its beginning.
const MOST_ADDRESS = 40;

function shortened(url: string): string {
  const bare = [...url.replace(/^https?:\/\/(?:www\.)?/iu, '').replace(/\/+$/u, '')];
  return bare.length > MOST_ADDRESS ? `${bare.slice(0, MOST_ADDRESS).join('')}…` : bare.join('');
}

/** A site on this very machine, as in the sandbox, is reached without a network. */
const isOpenToListeners = (url: string): boolean =>
  url.startsWith('http:') && !/^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/u.test(url);
