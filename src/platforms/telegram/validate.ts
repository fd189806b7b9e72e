import { channelRefused } from '../failure-table.ts';
import { asFailure } from '../messenger/failures.ts';
import type { MessengerChannel } from '../messenger/messenger.ts';
import type { TelegramChannels } from './client.ts';

/** What validation learned; nothing secret. */
export type TelegramFacts = {
  /** The channel's number: its name may change hands. */
  identifier: string;
  title: string;
  username: string | null;
  botUsername: string | null;
};

/** Whether the bot may post there: the channel exists, the bot is in it, and has the right. */
export const makeValidateTelegram =
  (telegram: TelegramChannels) =>
  async ({ token, targetId }: MessengerChannel, signal?: AbortSignal): Promise<TelegramFacts> => {
    try {
      const bot = await telegram.me(token, signal);
      const chat = await telegram.chat(token, targetId, signal);
      if (chat.type !== 'channel')
        throw channelRefused('not_a_channel', `Это не канал, а ${kinds[chat.type] ?? 'чат'}. Укажите канал.`);
      const { status, can_post_messages: mayPost } = await telegram.member(
        token,
        String(chat.id),
        bot.id,
        signal,
      );
      const name = bot.username ? `@${bot.username}` : bot.first_name;
      if (status !== 'creator' && status !== 'administrator')
        throw channelRefused(
          'not_admin',
          `${name} — не администратор канала. Добавьте его в администраторы с правом публикации.`,
        );
      if (status === 'administrator' && mayPost !== true)
        throw channelRefused(
          'may_not_post',
          `У ${name} нет права публиковать в канале. Включите его в настройках администратора.`,
        );
      return {
        identifier: String(chat.id),
        title: chat.title ?? '',
        username: chat.username ?? null,
        botUsername: bot.username ?? null,
      };
    } catch (error) {
      throw asFailure('telegram', error);
    }
  };

const kinds: Readonly<Record<string, string>> = {
  private: 'личная переписка',
  group: 'группа',
  supergroup: 'группа',
};
