import type { Operation } from '../autopost/operation.ts';
import { dialogueOperations } from './dialogue-operations.ts';
import { ruleOperations } from './rule-operations.ts';
import { setupOperations } from './setup-operations.ts';
import { subscriptionOperations } from './subscription-operations.ts';

/** Everything that `npm run shop-bot` can do. Its help is made of this. */
export const shopOperations: readonly Operation[] = [
  ...setupOperations,
  ...ruleOperations,
  ...dialogueOperations,
  ...subscriptionOperations,
];
