import type { Config } from '../config.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { makePinterestAccess } from '../platforms/pinterest/access.ts';
import { createPinterest } from '../platforms/pinterest/client.ts';
import { createVk } from '../platforms/vk/client.ts';
import type { Connections } from '../store/connections.ts';

type Ground = Pick<Config, 'vk' | 'pinterest'> & { connections: Connections; keyValues: KeyValueStore };

export type Channels = ReturnType<typeof composeChannels>;

/** The clients of VK and Pinterest, for connecting and for publishing. Null: not available here. */
export function composeChannels({ vk, pinterest, connections, keyValues }: Ground) {
  const pins = pinterest && createPinterest(pinterest);
  return {
    vk: vk && createVk(vk),
    pinterest: pins && {
      client: pins,
      access: makePinterestAccess({ pinterest: pins, locks: keyValues, connections }),
    },
  };
}
