import type { Happenings } from '../engine/happenings.ts';
import type { Log } from '../log.ts';
import { paymentsOff } from '../screens/kit/system.ts';

/** The handlers of what messengers report. Each subject brings its own; what is missing is logged, never lost in silence. */
export function composeHappenings({
  setBlocked,
  log,
  ...own
}: {
  setBlocked(userId: number, isBlocked: boolean): Promise<void>;
  log: Log;
} & Partial<Happenings>): Happenings {
  return {
    mayPay: async () => paymentsOff,
    // Nothing of ours sends invoices without a payment service, so this would be an old one: the operator refunds it.
    paid: async (payment) => log.error(payment, 'a payment came, and no service takes payments'),
    refunded: async (refund) => log.warn(refund, 'a refund came, and no service takes payments'),
    subscriptionChanged: async (change) =>
      log.warn(change, 'a subscription changed, and no service takes payments'),
    membershipChanged: async (membership) => log.info(membership, 'our rights in a chat have changed'),
    blocked: setBlocked,
    ...own,
  };
}
