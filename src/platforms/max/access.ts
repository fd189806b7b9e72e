import { z } from 'zod';
import type { MessengerChannel } from '../messenger/messenger.ts';

const stored = z.object({ chat_id: z.string(), bot_token: z.string() });

/** What was sealed with a connection, as the adapter wants it. */
export function maxAccess(credentials: unknown): MessengerChannel {
  const { chat_id, bot_token } = stored.parse(credentials);
  return { platform: 'max', targetId: chat_id, token: bot_token };
}
