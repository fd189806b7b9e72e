import { makeMaxPublisher } from '../platforms/max/publisher.ts';
import type { PostPlatform } from '../platforms/platforms.ts';
import type { PostPublisher } from '../platforms/post-publisher.ts';
import { makeTelegramPublisher } from '../platforms/telegram/publisher.ts';
import type { Autopost } from './autopost.ts';

/** Every platform that takes posts, with what publishes there. A new one is a line here. */
export const postPublishers = ({
  telegram,
  max,
  ownToken,
}: Autopost['adapters'] & {
  /** Of our own bot, for channels that made it their admin. */
  ownToken: string;
}): Partial<Record<PostPlatform, PostPublisher>> => ({
  telegram: makeTelegramPublisher(telegram, ownToken),
  max: makeMaxPublisher(max),
});
