import { z } from 'zod';
import type { PostPublisher } from '../post-publisher.ts';
import type { TelegramAdapter } from './publish.ts';

/** `bot_token` is missing where our own bot is the channel's admin. */
const stored = z.object({
  channel_id: z.union([z.string(), z.number()]).transform(String),
  channel_username: z.string().nullish(),
  bot_token: z.string().nullish(),
});

/** A channel's credentials as the adapter wants them. */
export function telegramChannel(credentials: unknown, ownToken: string) {
  const { channel_id, channel_username, bot_token } = stored.parse(credentials);
  const channel = { platform: 'telegram', targetId: channel_id, token: bot_token || ownToken } as const;
  return { channel, username: channel_username?.replace(/^@/u, '') || null };
}

/** Posts to a person's channel: by their own bot, or by ours where they made it an admin. */
export const makeTelegramPublisher = (
  adapter: Pick<TelegramAdapter, 'publish'>,
  ownToken: string,
): PostPublisher => ({
  async publish(_, credentials, { text, picture }, call) {
    const { channel, username } = telegramChannel(credentials, ownToken);
    const delivery = await adapter.publish(channel, { html: text, picture }, call);
    if (delivery.outcome === 'unknown' || delivery.url !== null) return delivery;
    // Sent by a process that died before it could say where.
    const place = username ?? `c/${channel.targetId.replace(/^-100/u, '')}`;
    return { ...delivery, url: `https://t.me/${place}/${delivery.providerMessageId}` };
  },
});
