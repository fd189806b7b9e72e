import { DeliveryFailed, type FailureReport } from '../../errors.ts';
import {
  type FailureRow,
  later,
  ofChannel,
  ofDelivery,
  reportFrom,
  tooOften,
  transient,
} from '../failure-table.ts';
import type { ChannelPlatform } from '../platforms.ts';
import type { MessengerChannel } from './messenger.ts';

const tables: Readonly<Record<ChannelPlatform, readonly FailureRow[]>> = {
  telegram: [
    { status: 429, ...tooOften },
    {
      ...{ status: 401, ...ofChannel },
      userMessage: 'Telegram не принимает токен бота: его отозвали в @BotFather. Подключите канал заново.',
    },
    {
      ...{ status: 404, ...ofChannel },
      userMessage: 'Telegram не знает бота с таким токеном. Скопируйте токен из @BotFather ещё раз.',
    },
    {
      ...{ status: 403, ...ofChannel },
      userMessage: 'Бота нет в канале. Добавьте его в администраторы с правом публикации.',
    },
    {
      ...{ says: /chat not found|CHAT_ID_INVALID|PEER_ID_INVALID|chat_id is empty/iu, ...ofChannel },
      code: 'chat_not_found',
      userMessage:
        'Telegram не находит этот канал. Проверьте адрес; закрытый канал видно, только когда бот в нём администратор.',
    },
    {
      says: /(?:administrator|not enough|no) rights|CHAT_ADMIN_REQUIRED|CHAT_WRITE_FORBIDDEN|member list is inaccessible|USER_NOT_PARTICIPANT/iu,
      ...{ ...ofChannel, code: 'not_admin' },
      userMessage: 'Бот не администратор канала или не может публиковать. Дайте ему это право.',
    },
    {
      ...{ says: /group chat was deactivated|chat was deleted/iu, ...ofChannel, code: 'chat_gone' },
      userMessage: 'Этот чат закрыт. Подключите другой.',
    },
    {
      ...{ says: /can't parse entities/iu, ...ofDelivery, code: 'bad_markup' },
      userMessage: 'Telegram не смог прочитать разметку текста.',
    },
    {
      ...{ says: /(?:message|caption) is too long/iu, ...ofDelivery, code: 'message_too_long' },
      userMessage: 'Текст длиннее, чем принимает Telegram.',
    },
    {
      // The file can be brought anew, and then the same message goes.
      says: /wrong (?:remote )?file id|wrong file_id|FILE_REFERENCE_EXPIRED/iu,
      ...{ ...transient, scope: 'delivery', code: 'media_expired' },
      userMessage: `Telegram больше не хранит этот файл. ${later}`,
    },
    { ...ofDelivery, userMessage: 'Telegram не принял это сообщение. Измените текст или картинку.' },
  ],
  max: [
    { status: 429, ...tooOften },
    {
      ...{ word: /^attachment\.not\.ready$/u, ...transient, scope: 'delivery' },
      retryAfterMs: 5_000,
      userMessage: `MAX ещё обрабатывает загруженный файл. ${later}`,
    },
    {
      // Said by the host of uploads, which knows of files alone: not by the chat.
      ...{ word: /^upload\.refused$/u, ...ofDelivery },
      userMessage: 'MAX не принял файл. Проверьте его вид и размер.',
    },
    {
      ...{ status: 401, ...ofChannel },
      userMessage: 'MAX не принимает токен бота. Подключите чат заново с действующим токеном.',
    },
    {
      ...{ status: 403, ...ofChannel },
      userMessage: 'Бот не может писать в этот чат MAX. Сделайте его администратором с правом писать.',
    },
    {
      ...{ status: 404, ...ofChannel },
      userMessage:
        'MAX не находит этот чат, или бота в нём нет. Проверьте номер и добавьте бота в чат, в канале — администратором.',
    },
    {
      ...{ says: /Invalid chatId/iu, ...ofChannel, code: 'chat_not_found' },
      userMessage: 'MAX не находит этот чат. Проверьте его номер.',
    },
    { ...ofDelivery, userMessage: 'MAX не принял это сообщение. Измените текст или вложение.' },
  ],
};

const names: Readonly<Record<ChannelPlatform, string>> = { telegram: 'Telegram', max: 'MAX' };

/** Null: not a failure of the platform. */
export const reportOf = (platform: ChannelPlatform, error: unknown): FailureReport | null =>
  reportFrom(names[platform], tables[platform], error);

/** The failure in our words where it is the platform's; any other error as it is. */
export function asFailure(platform: ChannelPlatform, error: unknown): unknown {
  const report = reportOf(platform, error);
  return report === null ? error : new DeliveryFailed(report, error);
}

/**
 * Asks a platform for something that changes nothing, once. Throws DeliveryFailed only where the platform does not
 * answer, is down or asks to wait: a refusal of the token is an answer.
 */
export const reachPlatform =
  (platform: ChannelPlatform, ping: (token: string, signal?: AbortSignal) => Promise<void>) =>
  async ({ token }: MessengerChannel, signal?: AbortSignal): Promise<void> => {
    try {
      await ping(token, signal);
    } catch (error) {
      const report = reportOf(platform, error);
      if (report === null) throw error;
      if (report.category === 'TRANSIENT') throw new DeliveryFailed(report, error);
    }
  };
