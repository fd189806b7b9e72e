/**
 * What a messenger reports besides what people say in the chat. None of it waits for the person's lock, counts
 * against their throttle or depends on their session: money has moved, or a bot was blocked, whatever they are doing.
 * Each handler is idempotent, because a messenger repeats what was not acknowledged; a throw means "bring it again".
 */
export type Happenings = {
  /** Before money moves; Telegram waits ten seconds. Null agrees, a text refuses and is shown to the person. */
  mayPay(order: Order): Promise<string | null>;
  paid(payment: Payment): Promise<void>;
  refunded(refund: Omit<Payment, 'renewal'>): Promise<void>;
  subscriptionChanged(change: SubscriptionChange): Promise<void>;
  /** The person has blocked the bot, or has let it in again. */
  blocked(userId: number, isBlocked: boolean): Promise<void>;
  /** Our rights in somebody's channel or group have changed. */
  membershipChanged(membership: Membership): Promise<void>;
};

export type Order = { userId: number; currency: string; amount: number; payload: string };

export type Payment = Order & {
  /** The messenger's own id of the payment: the key under which it is credited, once. */
  chargeId: string;
  /** Null for a payment that is not part of a subscription. */
  renewal: { isFirst: boolean; paidUntil: number } | null;
};

type SubscriptionChange = { userId: number; payload: string; state: 'canceled' | 'active' | 'failed' };

export type Membership = {
  chatId: string;
  title: string | null;
  username: string | null;
  /** Who changed it. */
  userId: number;
  isMember: boolean;
  mayPost: boolean;
};
