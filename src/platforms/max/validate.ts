import { channelRefused } from '../failure-table.ts';
import { asFailure } from '../messenger/failures.ts';
import type { MessengerChannel } from '../messenger/messenger.ts';
import type { Max } from './client.ts';

/** What validation learned; nothing secret. */
export type MaxFacts = {
  identifier: string;
  title: string;
  kind: string;
  link: string | null;
  botName: string;
};

/** Whether the bot may write there. In a channel that takes an administrator's right, in a group being its member. */
export const makeValidateMax =
  (max: Max) =>
  async ({ token, targetId }: MessengerChannel, signal?: AbortSignal): Promise<MaxFacts> => {
    try {
      const bot = await max.me(token, signal);
      const chat = await max.chat(token, targetId, signal);
      if (chat.status !== 'active')
        throw channelRefused(
          'chat_not_active',
          'Бот не состоит в этом чате MAX, или чат закрыт. Добавьте бота в чат.',
        );
      const { is_owner, is_admin, permissions } = await max.membership(token, targetId, signal);
      const mayWrite = is_owner || (is_admin && (permissions ?? []).includes('write'));
      if (chat.type === 'channel' && !mayWrite)
        throw channelRefused(
          'may_not_write',
          'У бота нет права писать в этот канал MAX. Сделайте его администратором с правом публикации.',
        );
      return {
        identifier: String(chat.chat_id),
        title: chat.title ?? '',
        kind: chat.type,
        link: chat.link ?? null,
        botName: bot.name ?? bot.first_name ?? bot.username ?? '',
      };
    } catch (error) {
      throw asFailure('max', error);
    }
  };
