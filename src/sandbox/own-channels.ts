import { maxPost, telegramPosts } from './channel-posts.ts';
import type { MaxStandIn } from './max/start.ts';
import type { ArrivalPanel } from './page-server.ts';
import { fileUrls } from './sandbox-channels.ts';
import type { TelegramStandIn } from './telegram/start.ts';

const SHOWN = 30;

/** A channel in Telegram and a chat in MAX for every person, each with a bot of their own. Made when first asked for. */
export function openOwnChannels({ telegram, max }: { telegram: TelegramStandIn; max: MaxStandIn }) {
  return { panels, addToMax };

  function panels(userId: number): ArrivalPanel[] {
    return [telegramPanel(userId), maxPanel(userId)];
  }

  function telegramPanel(userId: number): ArrivalPanel {
    const { id, username, token } = channelOf(userId);
    const posts = telegramPosts(telegram.channels.posts(id), fileUrls.telegram);
    return {
      id: 'telegram',
      title: 'Канал',
      empty:
        'В канале ещё ничего нет. Подключите его в чате кнопкой «Выбрать канал» или адресом и токеном выше, и посты появятся здесь.',
      facts: [
        { name: 'Канал', value: `@${username}` },
        { name: 'Номер', value: String(id) },
        { name: 'Токен своего бота', value: token },
      ],
      items: [],
      posts: posts.slice(-SHOWN).reverse(),
    };
  }

  function maxPanel(userId: number): ArrivalPanel {
    const { id, token, isIn } = chatOf(userId);
    const messages = max.world.messages(id);
    return {
      id: 'max',
      title: 'MAX',
      empty:
        'В чате MAX ещё ничего нет. Подключите его в чате по номеру и токену выше, и посты появятся здесь.',
      facts: [
        { name: 'Номер чата', value: String(id) },
        { name: 'Токен бота', value: token },
        { name: 'Бот в чате', value: isIn ? 'администратор' : 'ещё не добавлен' },
      ],
      ...(!isIn && { deed: { label: 'Добавить бота в чат' } }),
      items: [],
      posts: messages
        .slice(-SHOWN)
        .reverse()
        .map((message) => maxPost(message, max.world.formatOf(message.body.mid), fileUrls.max)),
    };
  }

  /** Visibly no secrets: they open nothing but the stand-in. */
  function channelOf(userId: number) {
    const id = -1_003_000_000_000 - userId;
    const username = `my_channel_${userId}`;
    const token = `${7_000_000_000 + userId}:${'SANDBOX-token-of-no-value-'.padEnd(35, '0')}`;
    if (!telegram.channels.list().some((channel) => channel.id === id)) {
      const bot = telegram.channels.addBot({ token, username: `writer_${userId}_bot` });
      const bots = { [bot.id]: { status: 'administrator' } as const };
      telegram.channels.add({ id, title: 'Мой канал', username, owner: userId, botStatus: 'left', bots });
    }
    return { id, username, token };
  }

  function chatOf(userId: number) {
    const id = -71_000_000_000_000 - userId;
    const token = `max-SANDBOX-token-of-no-value-${userId}`;
    const bot = max.world.botBy(token) ?? max.world.addBot({ token, name: 'Мой бот' });
    const found = max.world.chats().find(({ chat_id }) => chat_id === id);
    const isIn =
      (found ?? max.world.addChat({ id, title: 'Мой канал в MAX' })).bots[bot.user_id] !== undefined;
    return { id, token, bot, isIn };
  }

  function addToMax(userId: number): void {
    const { bot, id } = chatOf(userId);
    max.people.addToChat(bot, { id: userId, name: 'Владелец' }, { id, title: 'Мой канал в MAX' });
  }
}
