import type { PostPublisher } from '../post-publisher.ts';
import { telegramAccess } from './access.ts';
import type { TelegramAdapter } from './publish.ts';

/** Posts to a person's channel: by their own bot, or by ours where they made it an admin. */
export const makeTelegramPublisher = (
  adapter: Pick<TelegramAdapter, 'publish'>,
  ownToken: string,
): PostPublisher => ({
  async publish({ metadata }, credentials, { text, picture }, call) {
    const channel = telegramAccess(credentials, ownToken);
    const delivery = await adapter.publish(channel, { html: text, picture }, call);
    if (delivery.outcome === 'unknown' || delivery.url !== null) return delivery;
    // Sent by a process that died before it could say where.
    const place =
      typeof metadata.url === 'string'
        ? metadata.url
        : `https://t.me/c/${channel.targetId.replace(/^-100/u, '')}`;
    return { ...delivery, url: `${place}/${delivery.providerMessageId}` };
  },
});
