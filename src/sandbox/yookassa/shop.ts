import { randomUUID } from 'node:crypto';
import type { Journal } from '../journal.ts';

type Amount = { value: string; currency: string };

export type ShopPayment = {
  id: string;
  status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled';
  paid: boolean;
  amount: Amount;
  description: string;
  metadata: Record<string, string>;
  created_at: string;
  recipient: { account_id: string; gateway_id: string };
  test: true;
  refunded_amount: Amount;
  confirmation?: { type: 'redirect'; confirmation_url: string };
  payment_method?: { type: 'bank_card'; id: string; saved: boolean; title: string };
  cancellation_details?: { party: string; reason: string };
  receipt?: unknown;
  /** Not on the wire: what the payer is asked for. */
  wish: { saves: boolean; returnUrl: string | null };
};

export type ShopRefund = {
  id: string;
  payment_id: string;
  status: 'succeeded';
  amount: Amount;
  created_at: string;
};

/** A card that was saved with a payment. Its owner may take it away, or have no money on it. */
export type SavedCard = {
  id: string;
  title: string;
  mood: 'pays' | 'permission_revoked' | 'insufficient_funds';
};

export type Shop = ReturnType<typeof createShop>;

/** The shop's side of YooKassa: payments, refunds, saved cards, and what was answered under which key. */
export function createShop(
  journal: Journal,
  { shopId, now = Date.now }: { shopId: string; now?: () => number },
) {
  const payments = journal.table<ShopPayment>('payments');
  const refunds = journal.table<ShopRefund>('refunds');
  const cards = journal.table<SavedCard>('cards');
  /** Under a key: what was asked, and what came of it. */
  const answers = journal.table<{ asked: string; id: string }>('answers');
  return { payments, refunds, cards, answers, create, decide, refund, income };

  function create(body: Record<string, unknown>, origin: string): ShopPayment {
    const id = randomUUID();
    const confirmation = body.confirmation as { return_url?: string } | undefined;
    const made: ShopPayment = {
      id,
      status: 'pending',
      paid: false,
      amount: body.amount as Amount,
      description: String(body.description ?? ''),
      metadata: (body.metadata ?? {}) as Record<string, string>,
      created_at: new Date(now()).toISOString(),
      recipient: { account_id: shopId, gateway_id: '1' },
      test: true,
      refunded_amount: { value: '0.00', currency: 'RUB' },
      ...(body.receipt !== undefined && { receipt: body.receipt }),
      wish: { saves: body.save_payment_method === true, returnUrl: confirmation?.return_url ?? null },
    };
    if (typeof body.payment_method_id === 'string') return byCard(made, body.payment_method_id);
    return kept({ ...made, confirmation: { type: 'redirect', confirmation_url: `${origin}/pay/${id}` } });
  }

  /** Without its owner: what becomes of it is known at once. */
  function byCard(made: ShopPayment, methodId: string): ShopPayment {
    const card = cards.get(methodId);
    const mood = card?.mood ?? 'permission_revoked';
    if (mood !== 'pays')
      return kept({
        ...made,
        status: 'canceled',
        cancellation_details: { party: 'payment_network', reason: mood },
      });
    const payment_method = { type: 'bank_card', id: methodId, saved: true, title: card!.title } as const;
    return kept({ ...made, status: 'succeeded', paid: true, payment_method });
  }

  /** On the payment page. Null: it was decided before. */
  function decide(id: string, decision: 'pay' | 'decline'): ShopPayment | null {
    const made = payments.get(id);
    if (made?.status !== 'pending') return null;
    if (decision === 'decline')
      return kept({
        ...made,
        status: 'canceled',
        cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
      });
    const card: SavedCard = { id: randomUUID(), title: 'Bank card *4444', mood: 'pays' };
    if (made.wish.saves) cards.put(card.id, card);
    const payment_method = {
      type: 'bank_card',
      id: card.id,
      saved: made.wish.saves,
      title: card.title,
    } as const;
    return kept({ ...made, status: 'succeeded', paid: true, payment_method });
  }

  function refund(made: ShopPayment, amount: Amount): ShopRefund {
    const given: ShopRefund = {
      id: randomUUID(),
      payment_id: made.id,
      status: 'succeeded',
      amount,
      created_at: new Date(now()).toISOString(),
    };
    const value = (Number(made.refunded_amount.value) + Number(amount.value)).toFixed(2);
    journal.atOnce(() => {
      refunds.put(given.id, given);
      payments.put(made.id, { ...made, refunded_amount: { value, currency: 'RUB' } });
    });
    return given;
  }

  /** What the shop has taken and not given back, in roubles. */
  function income(): number {
    return payments
      .values()
      .filter(({ status }) => status === 'succeeded')
      .reduce(
        (sum, { amount, refunded_amount }) => sum + Number(amount.value) - Number(refunded_amount.value),
        0,
      );
  }

  function kept(made: ShopPayment): ShopPayment {
    payments.put(made.id, made);
    return made;
  }
}
