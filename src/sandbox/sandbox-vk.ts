import { join } from 'node:path';
import type { ArrivalPanel } from './page-server.ts';
import { onPort } from './stand-in.ts';
import { startVkStandIn } from './vk/start.ts';

export type SandboxVk = Awaited<ReturnType<typeof startSandboxVk>>;

const SHOWN = 30;
const FIRST_GROUP = 200_000_000;

/** A community in VK for every person, with both kinds of key, and its wall as readers see it. */
export async function startSandboxVk(folder: string, port: number) {
  const vk = await onPort(port, (free) => startVkStandIn({ port: free, journal: join(folder, 'vk.jsonl') }));
  return { url: vk.url, world: vk.world, keysOf, panel, close: vk.close };

  /** Visibly no secrets: they open nothing but the stand-in. Made when they are first asked for. */
  function keysOf(userId: number): { groupId: number; community: string; person: string } {
    const groupId = FIRST_GROUP + userId;
    const community = `vk1.a.SANDBOX-community-key-of-${userId}`;
    const person = `vk1.a.SANDBOX-user-token-of-${userId}`;
    if (!vk.world.group(groupId)) {
      vk.world.addGroup({ id: groupId, name: 'Моё сообщество', screenName: `club${groupId}`, members: 128 });
      vk.world.addGroup({
        id: groupId + 50_000_000,
        name: 'Ещё одно',
        screenName: `my${userId}`,
        members: 17,
      });
      vk.world.addToken({ token: community, kind: 'community', groupId, rights: ['wall', 'manage'] });
      vk.world.addToken({
        ...{ token: person, kind: 'user', rights: ['wall', 'photos', 'groups', 'offline'] },
        roles: { [groupId]: 'admin', [groupId + 50_000_000]: 'editor' },
      });
    }
    return { groupId, community, person };
  }

  function panel(userId: number): ArrivalPanel {
    const { groupId, community, person } = keysOf(userId);
    const address = `${vk.url}/club${groupId}`;
    return {
      id: 'vk',
      title: 'VK',
      empty:
        'На стене ещё ничего нет. Подключите сообщество в чате одним из ключей выше, и посты появятся здесь.',
      facts: [
        { name: 'Сообщество', value: address, url: address },
        { name: 'Ключ сообщества', value: community },
        { name: 'Ключ пользователя (с фото)', value: person },
      ],
      items: vk.world
        .wall(groupId)
        .slice(0, SHOWN)
        .map(({ id, message, photoIds, at, link }) => ({
          at: new Date(at).toLocaleString('ru-RU'),
          title: 'Моё сообщество',
          text: [message, link].filter(Boolean).join('\n\n'),
          url: `${vk.url}/wall-${groupId}_${id}`,
          ...(photoIds[0] !== undefined && { image: `${vk.url}/photo/${photoIds[0]}` }),
        })),
    };
  }
}
