import { addChannel } from './add-channel.ts';
import { channelOperations } from './channel-operations.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { demoOperation } from './demo-operation.ts';
import type { Operation } from './operation.ts';
import { queueOperations } from './queue-operations.ts';
import { resealOperation } from './reseal-operation.ts';
import { settleOperation } from './settle-operation.ts';
import { setupOperations } from './setup-operations.ts';
import { sourceOperations } from './source-operations.ts';

/** Everything the command can do. Its help is made of this. */
export const operations: readonly Operation[] = [
  ...queueOperations,
  ...deliveryOperations,
  settleOperation,
  ...channelOperations,
  ...setupOperations,
  addChannel,
  ...sourceOperations,
  resealOperation,
  demoOperation,
];
