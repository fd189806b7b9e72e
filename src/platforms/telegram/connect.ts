import { channelRefused } from '../failure-table.ts';
import type { LearnChannel } from '../messenger/connect.ts';
import { asFailure } from '../messenger/failures.ts';
import type { MessengerChannel } from '../messenger/messenger.ts';
import type { TelegramChannels } from './client.ts';
import type { TelegramFacts } from './validate.ts';

type Deps = {
  telegram: Pick<TelegramChannels, 'member'>;
  validate(channel: MessengerChannel, signal?: AbortSignal): Promise<TelegramFacts>;
};

/** What a channel tells of itself, once it is sure that the bot may publish there and the person may decide so. */
export const makeLearnTelegram =
  ({ telegram, validate }: Deps): LearnChannel =>
  async (channel, ownerId, signal) => {
    const { identifier, title, username, botUsername } = await validate(channel, signal);
    if (ownerId !== null) await refuseStranger(channel.token, identifier, ownerId, signal);
    const name = username ? `@${username}` : title || identifier;
    return {
      identifier,
      credentials: { channel_id: identifier, ...(username && { channel_username: `@${username}` }) },
      metadata: {
        ...{ title: name, channelTitle: title, botUsername, ownBot: ownerId !== null },
        ...(username && { url: `https://t.me/${username}` }),
      },
    };

    /** Our bot is an administrator in channels of many people: being there says nothing about who asks. */
    async function refuseStranger(token: string, chatId: string, userId: number, ended: AbortSignal) {
      const { status } = await telegram.member(token, chatId, userId, ended).catch((error: unknown) => {
        throw asFailure('telegram', error);
      });
      if (status !== 'creator' && status !== 'administrator')
        throw channelRefused(
          'person_not_admin',
          'Вы не администратор этого канала, поэтому подключить его может только его владелец. Выберите свой канал.',
        );
    }
  };
