import { z } from 'zod';
import type { MessengerChannel } from '../messenger/messenger.ts';

/** Without `bot_token` our own bot is the channel's administrator. */
const stored = z.object({ channel_id: z.string(), bot_token: z.string().optional() });

/** What was sealed with a connection, as the adapter wants it. */
export function telegramAccess(credentials: unknown, ownToken: string): MessengerChannel {
  const { channel_id, bot_token } = stored.parse(credentials);
  return { platform: 'telegram', targetId: channel_id, token: bot_token ?? ownToken };
}
