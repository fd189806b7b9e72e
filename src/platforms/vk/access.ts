import { z } from 'zod';

/** `group_id` is negative, as a wall is named. */
const stored = z.object({ group_id: z.string(), access_token: z.string() });

export type VkAccess = { token: string; groupId: number };

/** What was sealed with a connection, as the client wants it. */
export function vkAccess(credentials: unknown): VkAccess {
  const { group_id, access_token } = stored.parse(credentials);
  return { token: access_token, groupId: Math.abs(Number(group_id)) };
}
