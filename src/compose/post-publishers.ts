import type { Log } from '../log.ts';
import { makeMaxPublisher } from '../platforms/max/publisher.ts';
import { makePinterestPublisher } from '../platforms/pinterest/publisher.ts';
import type { PostPlatform } from '../platforms/platforms.ts';
import type { PostPublisher } from '../platforms/post-publisher.ts';
import { makeTelegramPublisher } from '../platforms/telegram/publisher.ts';
import { makeVkPublisher } from '../platforms/vk/publisher.ts';
import type { Connections } from '../store/connections.ts';
import type { Autopost } from './autopost.ts';
import type { Channels } from './channels.ts';

type Ground = {
  adapters: Autopost['adapters'];
  channels: Pick<Channels, 'vk' | 'pinterest' | 'ownToken'>;
  connections: Pick<Connections, 'note'>;
  log: Log;
};

/** Every platform that takes posts, with what publishes there. Null: it is switched off for want of settings. */
export function postPublishers({
  adapters,
  channels,
  connections,
  log,
}: Ground): Record<PostPlatform, PostPublisher | null> {
  const { vk, pinterest, ownToken } = channels;
  return {
    telegram: makeTelegramPublisher(adapters.telegram, ownToken),
    vk: vk && makeVkPublisher({ vk, remember: connections.note, log }),
    pinterest:
      pinterest && makePinterestPublisher({ pinterest: pinterest.client, access: pinterest.access, log }),
    max: makeMaxPublisher(adapters.max),
  };
}
