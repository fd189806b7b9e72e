import type { FlowId } from '../../machines/registry.ts';
import { addCategory } from '../support/accounts.ts';
import type { BusyGround } from './busy-ground.ts';
import { type BusyWalk, begins, PATIENT } from './busy-walk.ts';

const ADD_AGAIN_MS = 500;
const rights = ['wall', 'photos', 'groups', 'offline'];

type Asked = Awaited<ReturnType<BusyGround['newcomer']>>;
/** A way to the question for a channel: on a page of connections, or as a step of the pipeline. */
type Way = {
  flow: (platform: 'telegram' | 'vk' | 'pinterest') => FlowId;
  asked(ground: BusyGround, platform: keyof typeof labels): Promise<Asked>;
  /** Pinterest's link is made by a busy state, so it is a step of its own. */
  pressed(anna: Asked, platform: keyof typeof labels): Promise<void>;
  connected: RegExp;
  states: Readonly<Record<'search' | 'verify' | 'key' | 'vk' | 'consent' | 'boards' | 'pinterest', string>>;
};

const labels = { telegram: 'Telegram', vk: 'VK', pinterest: 'Pinterest', max: 'MAX' } as const;

const byPage: Way = {
  flow: (platform) =>
    (({ telegram: 'ConnectTelegram', vk: 'ConnectVK', pinterest: 'ConnectPinterest' }) as const)[platform],
  asked: ({ newcomer }) => newcomer(),
  pressed: async (anna, platform) =>
    void (await anna.forges(`project:${anna.projectId}:conn_add:${platform}`)),
  connected: /подключено к проекту «Кухни»/,
  states: {
    ...{ search: 'awaiting_chat', verify: 'validate', key: 'checking_token', vk: 'saving' },
    ...{ consent: 'opening_oauth', boards: 'reading_boards', pinterest: 'saving' },
  },
};

const byPipeline: Way = {
  flow: () => 'SocialPipeline',
  async asked({ bot, newcomer }) {
    const anna = await newcomer();
    await addCategory(bot, anna.projectId, 'Шкафы');
    await begins(anna, 'Опубликовать пост');
    await anna.sees('Пост (2/5) — канал');
    return anna;
  },
  pressed: async (anna, platform) => void (await anna.presses(labels[platform])),
  connected: /Пост \(4\/5\) — готовность/,
  states: {
    ...{
      search: 'connect_tg_search',
      verify: 'connect_tg_verify',
      key: 'reading_vk_key',
      vk: 'connecting_vk',
    },
    ...{
      consent: 'opening_pinterest',
      boards: 'reading_pinterest_boards',
      pinterest: 'connecting_pinterest',
    },
  },
};

/** Channels that are connected, from the page of connections and on the way to a post. */
export const channelWalks: readonly BusyWalk[] = [byPage, byPipeline].flatMap((way) => [
  {
    flow: way.flow('telegram'),
    states: [way.states.verify],
    async *walk(ground: BusyGround) {
      const { channels, people } = ground.bot.telegram;
      const anna = await asked(way, ground, 'telegram');
      await anna.sees('Кнопка «Выбрать канал»');
      yield anna;
      const { id } = channels.add({ title: 'Цветы', owner: anna.id, botStatus: 'left' });
      people.shareChat(anna.id, 1, id);
      await anna.sees(way.connected, PATIENT);
      yield anna;
    },
  },
  {
    flow: way.flow('telegram'),
    states: [way.states.search],
    async *walk(ground: BusyGround) {
      const anna = await asked(way, ground, 'max');
      const token = `max-token-of-no-value-${anna.id}`;
      const bot = ground.max.world.addBot({ token, name: `Писарь ${anna.id}` });
      await anna.presses('Найти чат');
      await anna.sees('чат найду сам');
      yield anna;
      anna.says(token);
      await anna.sees('Жду, когда бот появится', PATIENT);
      const chat = { id: -70_000_000_000_000 - anna.id, title: 'Найденный' };
      // Once more from time to time, as people do: the bot hears of it only while it listens.
      const adding = setInterval(
        () => ground.max.people.addToChat(bot, { id: 42, name: 'Анна' }, chat),
        ADD_AGAIN_MS,
      );
      await anna.sees(way.connected, PATIENT).finally(() => clearInterval(adding));
      yield anna;
    },
  },
  {
    flow: way.flow('vk'),
    states: [way.states.key, way.states.vk],
    async *walk(ground: BusyGround) {
      const anna = await asked(way, ground, 'vk');
      yield anna;
      anna.says(keyOfTwo(ground, anna));
      await anna.sees('В каком сообществе публиковать?', PATIENT);
      yield anna;
      await anna.presses(/Вторая/);
      await anna.sees(way.connected, PATIENT);
      yield anna;
    },
  },
  {
    flow: way.flow('pinterest'),
    states: [way.states.consent, way.states.boards, way.states.pinterest],
    async *walk(ground: BusyGround) {
      const anna = await way.asked(ground, 'pinterest');
      const username = `user${anna.id}`;
      ground.pinterest.world.addAccount({ username, accountType: 'BUSINESS' });
      ground.pinterest.world.addBoard({ name: 'Мебель', owner: username });
      yield anna;
      await way.pressed(anna, 'pinterest');
      await anna.sees('Подключение Pinterest (1/2)', PATIENT);
      yield anna;
      anna.says(`/start ${await ground.consents(anna, username)}`);
      await anna.sees('На какую доску публиковать?', PATIENT);
      yield anna;
      await anna.presses('Мебель');
      await anna.sees(way.connected, PATIENT);
      yield anna;
    },
  },
]);

async function asked(way: Way, ground: BusyGround, platform: keyof typeof labels): Promise<Asked> {
  const anna = await way.asked(ground, platform);
  await way.pressed(anna, platform);
  await anna.sees(`Подключение ${labels[platform]} (1/2)`);
  return anna;
}

function keyOfTwo({ vk }: BusyGround, { id }: Asked): string {
  const groups = [10 * id, 10 * id + 1];
  for (const [n, group] of groups.entries())
    vk.world.addGroup({ id: group, name: ['Первая', 'Вторая'][n]!, screenName: `club${group}`, members: 5 });
  const token = `vk1.a.user-token-of-no-value-${id}`;
  vk.world.addToken({
    ...{ token, kind: 'user', rights },
    roles: Object.fromEntries(groups.map((group) => [group, 'admin' as const])),
  });
  return token;
}
