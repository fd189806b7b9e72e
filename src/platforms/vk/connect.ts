import { CHOICE_LETTERS, MOST_CHOICES } from '../../../machines/fragments/connection-slice.ts';
import type {
  ConnectVkInput,
  ReadVkKeyInput,
  VkGroupChoice,
  VkKey,
} from '../../../machines/fragments/vk-questions.ts';
import { ApiRefused } from '../../clients/http/api-refused.ts';
import type { NewConnection } from '../../store/connections.ts';
import type { ConnectTarget } from '../connect-target.ts';
import { channelRefused } from '../failure-table.ts';
import type { VkAccess } from './access.ts';
import type { Vk, VkGroup } from './client.ts';
import { asVkFailure, vkReport } from './failures.ts';

type Deps = { vk: Vk; openSecret(run: string, sealed: string): unknown };

const WALL = 'wall';
const NO_PICTURES =
  'Картинки VK по этому ключу не принимает: посты выйдут текстом со ссылкой. С картинками — ключ пользователя с правом photos.';

/** Which communities a key opens. VK itself tells a community's key from a person's. */
export const makeReadVkKey =
  ({ vk, openSecret }: Deps) =>
  async ({ run, sealed }: ReadVkKeyInput, signal: AbortSignal): Promise<VkKey> => {
    const token = String(openSecret(run, sealed)).trim();
    try {
      const own = await ownGroup(vk, token, signal);
      if (own) return { kind: 'community', groups: [choice(own)] };
      const groups = await vk.groups(token, signal);
      if (groups.length === 0) throw noGroups();
      return { kind: 'person', groups: groups.slice(0, MOST_CHOICES).map(choice) };
    } catch (error) {
      throw isWord(error, '5') ? badKey() : asVkFailure(error);
    }
  };

export const makeConnectVk =
  ({ vk, openSecret, connectTarget }: Deps & { connectTarget: ConnectTarget }) =>
  (input: ConnectVkInput, signal: AbortSignal): Promise<{ connectionId: number }> => {
    const { key, run, userId, projectId, groupId, sealed } = input;
    const request = { projectId, groupId };
    return connectTarget({ key, userId, request, signal }, async (lease): Promise<NewConnection> => {
      const token = String(openSecret(run, sealed)).trim();
      const group = await validateVk(vk, { token, groupId }, lease);
      const photos = await vk.mayUpload(token, groupId, lease).catch((error: unknown) => {
        throw asVkFailure(error);
      });
      const identifier = `-${group.id}`;
      return {
        ...{ projectId, platform: 'vk', identifier },
        credentials: { group_id: identifier, group_name: group.name, access_token: token, identifier },
        metadata: {
          ...{ title: group.name, url: vk.groupUrl(group.id), photos },
          // Written over the note of an earlier key, which may have had fewer rights.
          note: photos ? null : NO_PICTURES,
        },
      };
    });
  };

/** Whether this key still may publish in this community. Throws DeliveryFailed. */
export async function validateVk(
  vk: Vk,
  { token, groupId }: VkAccess,
  signal: AbortSignal,
): Promise<VkGroup> {
  try {
    const own = await ownGroup(vk, token, signal);
    const group = own ?? (await vk.groups(token, signal)).find(({ id }) => id === groupId);
    if (group?.id !== groupId)
      throw channelRefused(
        'no_rights',
        'По этому ключу в сообществе публиковать нельзя: вы там больше не администратор и не редактор, или ключ от другого сообщества.',
      );
    return group;
  } catch (error) {
    throw asVkFailure(error);
  }
}

/** The community of a community's key; null for any other kind of key. */
async function ownGroup(vk: Vk, token: string, signal: AbortSignal): Promise<VkGroup | null> {
  const rights = await vk.permissions(token, signal).catch((error: unknown) => {
    // Whatever VK's number for it: the method answers a community alone. What may pass by itself proves nothing.
    if (vkReport(error)?.category === 'PERMANENT') return null;
    throw error;
  });
  if (rights === null) return null;
  if (!rights.includes(WALL))
    throw channelRefused(
      'no_wall',
      'У этого ключа нет права «Стена», публиковать он не сможет. Создайте новый ключ и отметьте «Стена».',
    );
  return vk.group(token, null, signal);
}

const choice = ({ id, name, members_count }: VkGroup): VkGroupChoice => ({
  ...{ id, name: name.slice(0, CHOICE_LETTERS), members: members_count ?? null },
});

const isWord = (error: unknown, word: string): boolean => error instanceof ApiRefused && error.word === word;

const badKey = () =>
  channelRefused(
    'bad_key',
    'VK не принимает этот ключ: он скопирован не целиком, отозван или истёк. Пришлите другой.',
  );

const noGroups = () =>
  channelRefused(
    'no_groups',
    'По этому ключу не видно ни одного сообщества, где вы администратор или редактор. Попросите такую роль или пришлите ключ самого сообщества.',
  );
