import type { ChannelPlatform } from '../platforms/platforms.ts';
import { type ChannelMood, moodOf, ruleOf } from './channel-moods.ts';
import { maxPost, type ShownPost, telegramPosts } from './channel-posts.ts';
import { type DemoChannel, demoBots, demoChannels } from './demo-channels.ts';
import type { Faults } from './faults.ts';
import type { MaxStandIn } from './max/start.ts';
import type { UploadedFile } from './max/uploads.ts';
import type { TelegramStandIn } from './telegram/start.ts';

export type SandboxChannels = ReturnType<typeof openSandboxChannels>;

type ShownChannel = {
  id: string;
  title: string;
  tags: readonly string[];
  mood: ChannelMood;
  /** How many there are in all. */
  posts: number;
  /** The newest first. */
  newest: readonly ShownPost[];
};

const POSTS_SHOWN = 5;

/** Where the page finds a file that was sent into a channel. */
export const fileUrls = {
  telegram: (id: string) => `/sandbox/api/people/any/file/${id}`,
  max: (token: string) => `/sandbox/api/autopost/file/${token}`,
};

/** Forty channels to post to, in the two messengers. */
export function openSandboxChannels({ telegram, max }: { telegram: TelegramStandIn; max: MaxStandIn }) {
  const faults: Record<ChannelPlatform, Faults> = { telegram: telegram.faults, max: max.faults };
  const postsOf: Record<ChannelPlatform, (id: number) => Pick<ShownChannel, 'posts' | 'newest'>> = {
    telegram: (id) => newestOf(telegramPosts(telegram.channels.posts(id), fileUrls.telegram), (post) => post),
    max: (id) =>
      newestOf(max.world.messages(id), (message) =>
        maxPost(message, max.world.formatOf(message.body.mid), fileUrls.max),
      ),
  };
  fill();
  return { list, setMood, file, reset };

  function fill(): void {
    const writer = telegram.channels.addBot(demoBots.telegram);
    const bot = max.world.addBot(demoBots.max);
    const ids = [
      ...telegram.channels.list().map(({ id }) => id),
      ...max.world.chats().map(({ chat_id }) => chat_id),
    ];
    const known = new Set(ids.map(String));
    for (const { platform, targetId, title } of demoChannels.filter((one) => !known.has(one.targetId))) {
      const id = Number(targetId);
      if (platform === 'max') max.world.addChat({ id, title, bots: { [bot.user_id]: {} } });
      else {
        const bots = { [writer.id]: { status: 'administrator' } as const };
        telegram.channels.add({ id, title, botStatus: 'left', bots });
      }
    }
  }

  function list(platform: ChannelPlatform): ShownChannel[] {
    const rules = faults[platform].list();
    return demoChannels
      .filter((channel) => channel.platform === platform)
      .map(({ channelId, targetId, title, tags }) => ({
        id: channelId,
        title,
        tags,
        mood: moodOf(rules, platform, targetId),
        ...postsOf[platform](Number(targetId)),
      }));
  }

  /** False: there is no such channel. */
  function setMood(channelId: string, mood: ChannelMood): boolean {
    const channel = demoChannels.find((one) => one.channelId === channelId);
    if (!channel) return false;
    calmDown(channel);
    const rule = ruleOf(mood, channel.platform, channel.targetId);
    if (rule) faults[channel.platform].add(rule);
    return true;
  }

  function calmDown({ platform, targetId }: DemoChannel): void {
    faults[platform].forgive(targetId);
  }

  /** A file that was sent into a chat of MAX. */
  function file(token: string): UploadedFile | null {
    return max.uploads.file(token);
  }

  /** Every channel is there again, works, and has no posts. Telegram's own were emptied with everything else of it. */
  function reset(): void {
    for (const { body } of max.world.messages()) max.world.remove(body.mid);
    for (const channel of demoChannels) calmDown(channel);
    fill();
  }
}

function newestOf<Message>(messages: readonly Message[], toPost: (message: Message) => ShownPost) {
  return { posts: messages.length, newest: messages.slice(-POSTS_SHOWN).reverse().map(toPost) };
}
