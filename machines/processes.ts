import { deliveryMachine } from './delivery.ts';

/**
 * State machines without a conversation: they have no screen and no session, and a table of
 * schema.sql keeps them. They are drawn beside the flows of the registry.
 */
export const processes = {
  Delivery: { machine: deliveryMachine, version: 1 },
} as const;

export type ProcessId = keyof typeof processes;
