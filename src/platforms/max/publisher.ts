import { z } from 'zod';
import type { PostPublisher } from '../post-publisher.ts';
import type { MaxAdapter } from './publish.ts';

const stored = z.object({
  chat_id: z.union([z.string(), z.number()]).transform(String),
  bot_token: z.string(),
});

/** A chat's credentials as the adapter wants them. */
export function maxChannel(credentials: unknown) {
  const { chat_id, bot_token } = stored.parse(credentials);
  return { platform: 'max', targetId: chat_id, token: bot_token } as const;
}

/** Posts to a person's chat or channel of MAX. */
export const makeMaxPublisher = (adapter: Pick<MaxAdapter, 'publish'>): PostPublisher => ({
  publish: (_, credentials, { text, picture }, call) =>
    adapter.publish(maxChannel(credentials), { html: text, picture }, call),
});
