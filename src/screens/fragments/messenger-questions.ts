import type { MessengerName } from '../../../machines/channel-address.ts';
import { CHANNEL_REQUEST, type MessengerSlice } from '../../../machines/fragments/messenger-questions.ts';
import { platformTitle } from '../../platforms/platforms.ts';
import { refusalOf } from '../kit/connecting.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { workingOnIt } from '../kit/save-step.ts';
import {
  button,
  type Keyboard,
  type Keys,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';

type Show = (slice: MessengerSlice) => Screen;
type MessengerStep = 'channel' | 'token' | 'searching' | 'verifying';

/** The key below the input line that opens Telegram's own list of channels; a way to the menu stays beneath it. */
const chooser: Keys = {
  text: rich`Кнопка «Выбрать канал» — под полем ввода.`,
  replyKeyboard: [
    [{ label: 'Выбрать канал', wants: { requestId: CHANNEL_REQUEST, kind: 'channel' } }],
    ['Меню'],
  ],
};

/** From a channel to a connection that may publish there. `ways`: the buttons that every question has below. */
export function messengerScreens(ways: Keyboard): Record<MessengerStep, Show> {
  const channelOf: Readonly<Record<MessengerName, Show>> = { telegram: telegramChannel, max: maxChat };
  return {
    channel: (slice) => channelOf[slice.messenger.platform](slice),
    token: ({ messenger, failure }) => {
      const { platform, target, title, sealed, invalid } = messenger;
      const canRepeat = failure !== null && sealed !== null && failure.code !== 'BOT_TOKEN_REFUSED';
      return step(2, platform, {
        complaint: invalid ? rich`${words[platform].badToken}` : refusalOf(failure),
        ask: paragraphs(
          target === null
            ? rich`Хорошо, чат найду сам: для этого нужен бот, который будет в нём писать.`
            : rich`${words[platform].target}: <b>${title ?? target}</b>.`,
          words[platform].token,
          rich`Сообщение с токеном я сразу удалю из чата, храню его только зашифрованным.`,
        ),
        keyboard: [
          ...(canRepeat ? [[button('Проверить снова', to('tg:recheck'), 'primary')]] : []),
          ...words[platform].help,
          [button(words[platform].another, to('tg:rechannel'))],
        ],
      });
    },
    searching: () => ({
      text: paragraphs(
        rich`<b>Жду, когда бот появится в чате MAX</b>`,
        lines(
          rich`1. Откройте чат или канал в MAX → «Участники» → «Добавить».`,
          rich`2. Найдите своего бота и добавьте его, в канале — администратором с правом публикации.`,
        ),
        rich`Как только это случится, продолжу сам. Жду десять минут.`,
      ),
      keyboard: [[button('Пришлю номер чата', to('tg:rechannel'))], ...ways],
    }),
    verifying: ({ messenger: { platform, title, target } }) =>
      workingOnIt(rich`Проверяю: ${words[platform].target.toLowerCase()} ${title ?? target}…`),
  };

  function telegramChannel({ messenger: { own, invalid }, failure }: MessengerSlice): Screen {
    return {
      ...step(1, 'telegram', {
        complaint: invalid
          ? lines(
              rich`Введите @channel, t.me/channel или числовой ID`,
              rich`Ссылка-приглашение не подойдёт: у закрытого канала возьмите числовой ID, он начинается с -100.`,
            )
          : refusalOf(failure),
        ask: paragraphs(
          rich`Проще всего так: нажмите <b>«Выбрать канал»</b> под полем ввода и отметьте свой канал. Telegram сам предложит сделать меня администратором с правом публикации. Больше ничего не нужно.`,
          rich`Хотите публиковать от своего бота? Пришлите адрес канала: @channel, t.me/channel или числовой ID. Затем спрошу токен.`,
        ),
        keyboard: failure !== null && own ? [[button('Проверить снова', to('tg:recheck'), 'primary')]] : [],
      }),
      // After a wrong answer the key is still there.
      ...(!invalid && { keys: chooser }),
    };
  }

  function maxChat({ messenger: { invalid }, failure }: MessengerSlice): Screen {
    return step(1, 'max', {
      complaint: invalid
        ? rich`Это не похоже на чат MAX. Пришлите его номер, например -70000000000001, или ссылку max.ru.`
        : refusalOf(failure),
      ask: paragraphs(
        rich`Пришлите номер чата или канала или ссылку на него (max.ru/…). Номер виден в адресе веб-версии MAX, у чатов и каналов он начинается с минуса.`,
        rich`Не знаете номера? Нажмите «Найти чат»: добавите в него своего бота, и я всё пойму сам.`,
      ),
      keyboard: [[button('Найти чат', to('max:find'))]],
    });
  }

  function step(number: number, platform: MessengerName, { complaint, ask, keyboard }: Step): Screen {
    return {
      ...(complaint && { complaint }),
      text: paragraphs(rich`<b>Подключение ${platformTitle(platform)} (${number}/2)</b>`, ask),
      keyboard: [...keyboard, ...ways],
    };
  }
}

type Step = { complaint: RichText | null; ask: RichText; keyboard: Keyboard };

export const messengerPresses = [
  press('tg:recheck', () => ({ type: 'retried' }) as const),
  press('tg:rechannel', () => ({ type: 'channel.changed' }) as const),
  press('max:find', () => ({ type: 'chat.unknown' }) as const),
];

/** What differs between the messengers. */
const words: Readonly<Record<MessengerName, Words>> = {
  telegram: {
    target: 'Канал',
    another: 'Другой канал',
    badToken: 'Токен невалиден. Получите токен у @BotFather',
    token: lines(
      rich`Теперь бот, который будет публиковать:`,
      rich`1. Создайте его у @BotFather командой /newbot.`,
      rich`2. Добавьте его в администраторы канала с правом «Публикация сообщений».`,
      rich`3. Пришлите сюда его токен, он выглядит как 123456789:AAE…`,
    ),
    help: [[urlButton('Открыть BotFather', 'https://t.me/BotFather')]],
  },
  max: {
    target: 'Чат',
    another: 'Другой чат',
    badToken:
      'Это не похоже на токен бота MAX: он длиннее двадцати знаков и без пробелов. Сообщение я удалил.',
    token: paragraphs(
      rich`Пришлите токен бота MAX: business.max.ru → «Чат-боты» → ваш бот → «Интеграция». MAX выдаёт ботов только компаниям и ИП.`,
      rich`Бот должен состоять в чате, а в канале быть администратором с правом публикации.`,
    ),
    help: [],
  },
};

type Words = { target: string; another: string; badToken: string; token: RichText; help: Keyboard };
