import type { Membership } from '../../engine/happenings.ts';
import type { Connections } from '../../store/connections.ts';

const LOST =
  'Бот больше не администратор канала или не может публиковать. Верните ему это право и нажмите «Проверить».';

/**
 * Telegram tells at once when our own bot loses or gets the right to publish in a channel: the connection shows it
 * before a post fails there. A channel with a bot of the person's own is none of our bot's business.
 */
export const makeFollowMembership =
  ({ owners, find, note }: Pick<Connections, 'owners' | 'find' | 'note'>) =>
  async ({ chatId, mayPost }: Pick<Membership, 'chatId' | 'mayPost'>): Promise<void> => {
    for (const { userId, connectionId } of await owners('telegram', chatId)) {
      const connection = await find(userId, connectionId);
      if (connection?.metadata.ownBot !== true) continue;
      await note(
        connectionId,
        mayPost ? { status: 'active' } : { status: 'error', metadata: { lastError: LOST } },
      );
    }
  };
