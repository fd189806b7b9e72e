import { shopDialogueMachine } from '../../machines/shop-dialogue.ts';

/** The dialogues of the shop bot, apart from those of the main bot: another messenger, other people, another store. */
export const shopRegistry = {
  ShopDialogue: { machine: shopDialogueMachine, version: 1 },
} as const;
