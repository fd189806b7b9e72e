import { z } from 'zod';
import { createSupplier, SupplierFailed } from './http/supplier.ts';

/**
 * YooKassa by hand: five calls. Of the packages one has a fixed address, and the other would bring its own ways to
 * retry. Every POST carries a key under which YooKassa repeats its answer, so a lost answer is simply asked for again.
 */
export type YooKassa = ReturnType<typeof createYooKassa>;

const amount = z.object({ value: z.string(), currency: z.string() });
const payment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  amount,
  confirmation: z.object({ confirmation_url: z.string().optional() }).optional(),
  payment_method: z
    .object({ id: z.string(), saved: z.boolean().default(false), title: z.string().optional() })
    .optional(),
  metadata: z.record(z.string(), z.string()).default({}),
  recipient: z.object({ account_id: z.string() }).optional(),
  cancellation_details: z.object({ reason: z.string() }).optional(),
});
const refund = z.object({
  id: z.string(),
  payment_id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount,
});

export type CardPayment = z.infer<typeof payment>;
type CardRefund = z.infer<typeof refund>;

type NewPayment = {
  key: string;
  rub: number;
  description: string;
  metadata: Record<string, string>;
  /** Null: the payment has no receipt. */
  receiptEmail: string | null;
} & ({ returnUrl: string; savesMethod: boolean } | { methodId: string });

const TIMEOUT_MS = 20_000;

export function createYooKassa({
  baseUrl,
  shopId,
  secretKey,
  retries = 2,
  waitMs,
}: {
  baseUrl: string;
  shopId: string;
  secretKey: string;
  retries?: number;
  waitMs?: (repeat: number) => number;
}) {
  const supplier = createSupplier({
    name: 'YooKassa',
    baseUrl,
    headers: { authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}` },
    timeoutMs: TIMEOUT_MS,
    retries,
    ...(waitMs && { waitMs }),
  });
  return { create, payment: readPayment, giveBack, refund: readRefund };

  async function create(order: NewPayment): Promise<CardPayment> {
    const { key, rub, description, metadata, receiptEmail } = order;
    const sum = rubles(rub);
    const answer = await supplier.json('/payments', {
      headers: { 'idempotence-key': key },
      json: {
        amount: sum,
        capture: true,
        description,
        metadata,
        ...('methodId' in order
          ? { payment_method_id: order.methodId }
          : {
              confirmation: { type: 'redirect', return_url: order.returnUrl },
              ...(order.savesMethod && { save_payment_method: true }),
            }),
        ...(receiptEmail !== null && { receipt: receiptOf(receiptEmail, description, sum) }),
      },
    });
    return payment.parse(answer);
  }

  /** Null: there is no such payment in this shop. */
  function readPayment(id: string): Promise<CardPayment | null> {
    return found(async () => payment.parse(await supplier.json(`/payments/${encodeURIComponent(id)}`)));
  }

  async function giveBack(order: { key: string; paymentId: string; rub: number }): Promise<CardRefund> {
    const answer = await supplier.json('/refunds', {
      headers: { 'idempotence-key': order.key },
      json: { payment_id: order.paymentId, amount: rubles(order.rub) },
    });
    return refund.parse(answer);
  }

  function readRefund(id: string): Promise<CardRefund | null> {
    return found(async () => refund.parse(await supplier.json(`/refunds/${encodeURIComponent(id)}`)));
  }
}

async function found<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SupplierFailed && error.status === 404) return null;
    throw error;
  }
}

const rubles = (sum: number) => ({ value: sum.toFixed(2), currency: 'RUB' });

/** 54-FZ: one line, without VAT; the sum must equal the payment's. */
const receiptOf = (email: string, description: string, sum: ReturnType<typeof rubles>) => ({
  customer: { email },
  items: [
    {
      description: description.slice(0, 128),
      quantity: '1.00',
      amount: sum,
      vat_code: 1,
      payment_subject: 'service',
      payment_mode: 'full_payment',
    },
  ],
});
