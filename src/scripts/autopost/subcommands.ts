import { addChannel } from './add-channel.ts';
import { channelSubcommands } from './channel-subcommands.ts';
import { deliverySubcommands } from './delivery-subcommands.ts';
import { demoSubcommand } from './demo-subcommand.ts';
import { queueSubcommands } from './queue-subcommands.ts';
import { resealSubcommand } from './reseal-subcommand.ts';
import { settleSubcommand } from './settle-subcommand.ts';
import { setupSubcommands } from './setup-subcommands.ts';
import { sourceSubcommands } from './source-subcommands.ts';
import type { Subcommand } from './subcommand.ts';

/** Everything the command can do. Its help is made of this. */
export const subcommands: readonly Subcommand[] = [
  ...queueSubcommands,
  ...deliverySubcommands,
  settleSubcommand,
  ...channelSubcommands,
  ...setupSubcommands,
  addChannel,
  ...sourceSubcommands,
  resealSubcommand,
  demoSubcommand,
];
