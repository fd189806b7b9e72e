import type { Config } from '../config.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { createMax } from '../platforms/max/client.ts';
import { makePinterestAccess } from '../platforms/pinterest/access.ts';
import { createPinterest } from '../platforms/pinterest/client.ts';
import { createTelegramChannels } from '../platforms/telegram/client.ts';
import { createVk } from '../platforms/vk/client.ts';
import type { Connections } from '../store/connections.ts';

type Ground = Pick<Config, 'vk' | 'pinterest'> & {
  connections: Connections;
  keyValues: KeyValueStore;
  telegram: { token: string; apiRoot: string };
  max: { baseUrl: string };
};

export type Channels = ReturnType<typeof composeChannels>;

/** The clients of everything that takes posts, for connecting and for publishing. Null: not available here. */
export function composeChannels({ vk, pinterest, connections, keyValues, telegram, max }: Ground) {
  const pins = pinterest && createPinterest(pinterest);
  return {
    /** Of our own bot, which may be the administrator of people's channels. */
    ownToken: telegram.token,
    telegram: createTelegramChannels(telegram),
    max: createMax(max),
    vk: vk && createVk(vk),
    pinterest: pins && {
      client: pins,
      access: makePinterestAccess({ pinterest: pins, locks: keyValues, connections }),
    },
  };
}
