import type { Subcommand } from '../autopost/subcommand.ts';
import { dialogueSubcommands } from './dialogue-subcommands.ts';
import { ruleSubcommands } from './rule-subcommands.ts';
import { setupSubcommands } from './setup-subcommands.ts';
import { subscriptionSubcommands } from './subscription-subcommands.ts';

/** Everything that `npm run shop-bot` can do. Its help is made of this. */
export const shopSubcommands: readonly Subcommand[] = [
  ...setupSubcommands,
  ...ruleSubcommands,
  ...dialogueSubcommands,
  ...subscriptionSubcommands,
];
