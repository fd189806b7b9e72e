import { randomBytes } from 'node:crypto';
import { chatToWrite } from './chats.ts';
import { post } from './messages.ts';
import { postFromPerson } from './post-from-person.ts';
import type { Updates } from './updates.ts';
import { badRequest, type Message } from './wire.ts';
import { toUser, unixSeconds, type World } from './world.ts';

type Fields = Record<string, unknown>;

/** What a bill asks for. Telegram shows the person everything but the payload, which is the bot's own. */
export type Invoice = { title: string; payload: string; amount: number; period?: number };

export type Checkout = {
  id: string;
  user_id: number;
  asked_at: number;
  invoice: Invoice;
  answer?: { ok: boolean; error?: string };
};

/** A payment that was made. A subscription is known by the charge of its first payment. */
export type Charge = {
  id: string;
  user_id: number;
  invoice: Invoice;
  refunded: boolean;
  canceled: boolean;
};

/** Telegram's own limit: an answer that comes later finds the payment cancelled. */
export const CHECKOUT_MS = 10_000;
const A_MONTH_SECONDS = 2_592_000;
const MOST_SUBSCRIPTION_STARS = 10_000;
const PAY_LABEL = 'Заплатить';

export function sendInvoice(world: World, fields: Fields): Message {
  const invoice = readInvoice(fields);
  chatToWrite(world, fields.chat_id);
  const { title, amount } = invoice;
  const description = String(fields.description);
  const payButton = { inline_keyboard: [[{ text: `${PAY_LABEL} ⭐️ ${amount}`, pay: true }]] };
  const message = post(
    world,
    { ...fields, reply_markup: fields.reply_markup ?? payButton },
    { invoice: { title, description, start_parameter: '', currency: 'XTR', total_amount: amount } },
  );
  world.invoices.put(String(message.message_id), invoice);
  return message;
}

export function createInvoiceLink(world: World, fields: Fields): string {
  const slug = randomBytes(12).toString('base64url');
  const period = fields.subscription_period === undefined ? undefined : Number(fields.subscription_period);
  if (period !== undefined && period !== A_MONTH_SECONDS) throw badRequest('SUBSCRIPTION_PERIOD_INVALID');
  const invoice = readInvoice(fields);
  if (period !== undefined && invoice.amount > MOST_SUBSCRIPTION_STARS)
    throw badRequest('SUBSCRIPTION_PRICE_INVALID'); // Telegram's own word is not known to us; that it is refused is what matters
  world.invoices.put(slug, { ...invoice, ...(period && { period }) });
  return `https://t.me/$${slug}`;
}

function readInvoice(fields: Fields): Invoice {
  const title = String(fields.title ?? '');
  const description = String(fields.description ?? '');
  const payload = String(fields.payload ?? '');
  if (title.length < 1 || title.length > 32) throw badRequest('INVOICE_TITLE_INVALID');
  if (description.length < 1 || description.length > 255) throw badRequest('INVOICE_DESCRIPTION_INVALID');
  const bytes = Buffer.byteLength(payload);
  if (bytes < 1 || bytes > 128) throw badRequest('INVOICE_PAYLOAD_INVALID');
  if (fields.currency !== 'XTR') throw badRequest('CURRENCY_INVALID');
  if (fields.provider_token) throw badRequest('PAYMENT_PROVIDER_INVALID');
  const prices = fields.prices as { label?: string; amount?: number }[] | undefined;
  const amount = Number(prices?.[0]?.amount);
  if (!Array.isArray(prices) || prices.length !== 1 || !Number.isInteger(amount) || amount < 1)
    throw badRequest('STARS_INVOICE_INVALID');
  return { title, payload, amount };
}

/** The bot's last word before money moves. Late, it finds the payment cancelled. */
export function answerPreCheckout(world: World, updates: Updates, fields: Fields): true {
  const checkout = world.checkouts.get(String(fields.pre_checkout_query_id));
  if (!checkout || checkout.answer || world.now() - checkout.asked_at > CHECKOUT_MS)
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  const ok = fields.ok === true || fields.ok === 'true';
  if (!ok && !fields.error_message) throw badRequest('error message must be non-empty');
  const answer = ok ? { ok } : { ok, error: String(fields.error_message) };
  world.checkouts.put(checkout.id, { ...checkout, answer });
  world.notify({
    type: 'answer',
    chat_id: checkout.user_id,
    message_id: 0,
    query_id: checkout.id,
    answer: shownAnswer(answer),
  });
  if (ok) charge(world, updates, checkout.user_id, checkout.invoice);
  return true;
}

/** What the person sees of it: nothing, or why they may not pay. */
export const shownAnswer = ({ error }: NonNullable<Checkout['answer']>) =>
  error === undefined ? {} : { text: error, show_alert: true };

/** Money has moved: the person's chat and the bot hear of it. */
export function charge(
  world: World,
  updates: Updates,
  userId: number,
  invoice: Invoice,
  again = false,
): Charge {
  const paid: Charge = {
    id: `stx${randomBytes(18).toString('base64url')}`,
    user_id: userId,
    invoice,
    refunded: false,
    canceled: false,
  };
  world.charges.put(paid.id, paid);
  const { amount, payload, period } = invoice;
  tell(world, updates, userId, {
    successful_payment: {
      currency: 'XTR',
      total_amount: amount,
      invoice_payload: payload,
      telegram_payment_charge_id: paid.id,
      provider_payment_charge_id: '',
      ...(period && {
        subscription_expiration_date: unixSeconds(world.now()) + period,
        is_recurring: true,
        ...(!again && { is_first_recurring: true }),
      }),
    },
  });
  return paid;
}

export function refundPayment(world: World, updates: Updates, fields: Fields): true {
  const paid = knownCharge(world, fields);
  if (paid.refunded) throw badRequest('CHARGE_ALREADY_REFUNDED');
  world.charges.put(paid.id, { ...paid, refunded: true });
  tell(world, updates, paid.user_id, {
    refunded_payment: {
      currency: 'XTR',
      total_amount: paid.invoice.amount,
      invoice_payload: paid.invoice.payload,
      telegram_payment_charge_id: paid.id,
      provider_payment_charge_id: '',
    },
  });
  return true;
}

export function editSubscription(world: World, updates: Updates, fields: Fields): true {
  const canceled = fields.is_canceled === true || fields.is_canceled === 'true';
  changeSubscription(world, updates, knownCharge(world, fields), canceled);
  return true;
}

export function changeSubscription(world: World, updates: Updates, paid: Charge, canceled: boolean): void {
  if (!paid.invoice.period) throw badRequest('SUBSCRIPTION_NOT_FOUND');
  world.charges.put(paid.id, { ...paid, canceled });
  const update = updates.enqueue({
    subscription: {
      user: toUser(world.people.get(paid.user_id)!),
      invoice_payload: paid.invoice.payload,
      state: canceled ? 'canceled' : 'active',
    },
  });
  updates.announce(update);
}

function knownCharge(world: World, fields: Fields): Charge {
  const paid = world.charges.get(String(fields.telegram_payment_charge_id));
  if (paid?.user_id !== Number(fields.user_id)) throw badRequest('CHARGE_NOT_FOUND');
  return paid;
}

/** A service message of the chat. */
function tell(world: World, updates: Updates, userId: number, content: Partial<Message>): void {
  postFromPerson(world, updates, world.people.get(userId)!, content);
}
