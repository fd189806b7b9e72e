import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { ChatMemberUpdated, PreCheckoutQuery, Update } from 'grammy/types';
import type { Happenings, Membership, Payment } from '../../engine/happenings.ts';
import type { Log } from '../../log.ts';
import { checkoutFailed } from '../../screens/kit/system.ts';

// Telegram cancels a payment that is not answered for within ten seconds; the answer itself needs some of them.
const CHECKOUT_MS = 8_000;

/**
 * Passes on what Telegram reports besides people's messages. Null, at once: the update is none of these. A promise
 * instead would let a press overtake the text before it.
 */
export function createReporter(
  api: Api,
  happenings: Happenings,
  log: Log,
  { checkoutMs = CHECKOUT_MS } = {},
) {
  return ({ message, pre_checkout_query, subscription, my_chat_member }: Update): Promise<void> | null => {
    if (pre_checkout_query?.from) return answerCheckout(pre_checkout_query);
    if (subscription) {
      const { user, invoice_payload, state } = subscription;
      return happenings.subscriptionChanged({ userId: user.id, payload: invoice_payload, state });
    }
    if (my_chat_member?.new_chat_member) return standingChanged(my_chat_member);
    if (message?.from && message.successful_payment) {
      const { subscription_expiration_date: until, is_first_recurring } = message.successful_payment;
      const renewal =
        until === undefined ? null : { isFirst: is_first_recurring === true, paidUntil: until * 1000 };
      return happenings.paid({ ...paymentIn(message.from.id, message.successful_payment), renewal });
    }
    if (message?.refunded_payment)
      return happenings.refunded(paymentIn(message.chat.id, message.refunded_payment));
    return null;
  };

  async function answerCheckout({ id, from, currency, total_amount, invoice_payload }: PreCheckoutQuery) {
    const order = { userId: from.id, currency, amount: total_amount, payload: invoice_payload };
    const refusal = await Promise.race([
      happenings.mayPay(order).catch((error: unknown) => {
        log.error({ err: error, user: from.id }, 'an order could not be checked');
        return checkoutFailed;
      }),
      delay(checkoutMs, checkoutFailed, { ref: false }),
    ]);
    // Not retried: Telegram drops the checkout after ten seconds, so a repeated update would be too old.
    await api
      .answerPreCheckoutQuery(id, refusal === null, refusal === null ? {} : { error_message: refusal })
      .catch((error: unknown) => log.error({ err: error, user: from.id }, 'a payment was not answered for'));
  }

  async function standingChanged({ chat, from, new_chat_member: now }: ChatMemberUpdated): Promise<void> {
    if (chat.type === 'private') return happenings.blocked(chat.id, now.status === 'kicked');
    const isAdmin = now.status === 'administrator';
    const isMember = isAdmin || now.status === 'member' || now.status === 'creator';
    const membership: Membership = {
      chatId: String(chat.id),
      title: chat.title ?? null,
      username: chat.username ?? null,
      userId: from.id,
      isMember,
      mayPost: isAdmin && (chat.type !== 'channel' || now.can_post_messages === true),
    };
    return happenings.membershipChanged(membership);
  }
}

type WirePayment = {
  currency: string;
  total_amount: number;
  invoice_payload: string;
  telegram_payment_charge_id: string;
};

const paymentIn = (userId: number, payment: WirePayment): Omit<Payment, 'renewal'> => ({
  userId,
  currency: payment.currency,
  amount: payment.total_amount,
  payload: payment.invoice_payload,
  chargeId: payment.telegram_payment_charge_id,
});
