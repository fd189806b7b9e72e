import { randomInt } from 'node:crypto';
import { awaitAnswer } from './callbacks.ts';
import { CannotAct } from './cannot-act.ts';
import { CHECKOUT_MS, type Charge, changeSubscription, charge, shownAnswer } from './payments.ts';
import type { Updates } from './updates.ts';
import { toUser, type World } from './world.ts';

/** Stars that a person of the sandbox begins with. */
const FULL_PURSE = 50_000;

/** What people do with bills: pay them, let a subscription run on, or end it. */
export function createPeopleMoney(world: World, updates: Updates) {
  return {
    pay,
    purse,
    fillPurse,
    charges: (id: number) => ofPerson(id),
    renew,
    cancelSubscription,
    resumeSubscription,
  };

  /** Pays the bill in a message, or behind a link. The bot has ten seconds to agree; `answer` tells what it said. */
  function pay(id: number, bill: number | string) {
    const person = world.people.get(id);
    const invoice = world.invoices.get(String(bill).replace('https://t.me/$', ''));
    if (!person || !invoice) throw new CannotAct(`Expected a bill to pay, got ${bill}`);
    if (person.blocked) throw new CannotAct(`${person.first_name} has blocked the bot`);
    if (purse(id) < invoice.amount) throw new CannotAct(`${person.first_name} has too few Stars`);
    const query_id = `${randomInt(1e9, 9e9)}${randomInt(1e8, 9e8)}`;
    world.checkouts.put(query_id, { id: query_id, user_id: id, asked_at: world.now(), invoice });
    const { update_id } = enqueue({
      pre_checkout_query: {
        id: query_id,
        from: toUser(person),
        currency: 'XTR',
        total_amount: invoice.amount,
        invoice_payload: invoice.payload,
      },
    });
    const answer = async (ms = CHECKOUT_MS) => {
      const given = world.checkouts.get(query_id)?.answer;
      return given ? shownAnswer(given) : awaitAnswer(world, query_id, ms);
    };
    return { update_id, query_id, answer };
  }

  /** What is left of the Stars that everybody has in the beginning. */
  function purse(id: number): number {
    const spent = ofPerson(id)
      .filter(({ refunded }) => !refunded)
      .reduce((sum, { invoice }) => sum + invoice.amount, 0);
    return (world.purses.get(id) ?? FULL_PURSE) - spent;
  }

  /** So that exactly this many are in it now. */
  function fillPurse(id: number, stars: number): void {
    const given = world.purses.get(id) ?? FULL_PURSE;
    world.purses.put(id, given + stars - purse(id));
  }

  /** The next month of a subscription; null when the purse does not hold as much. */
  function renew(id: number, chargeId: string): { charge_id: string } | null {
    const { invoice, canceled } = knownCharge(id, chargeId);
    if (!invoice.period || canceled) throw new CannotAct('Expected a subscription that runs');
    if (purse(id) < invoice.amount) {
      const user = toUser(world.people.get(id)!);
      enqueue({ subscription: { user, invoice_payload: invoice.payload, state: 'failed' } });
      return null;
    }
    return { charge_id: charge(world, updates, id, invoice, true).id };
  }

  function cancelSubscription(id: number, chargeId: string): void {
    changeSubscription(world, updates, knownCharge(id, chargeId), true);
  }

  function resumeSubscription(id: number, chargeId: string): void {
    changeSubscription(world, updates, knownCharge(id, chargeId), false);
  }

  function ofPerson(id: number): Charge[] {
    return world.charges.values().filter(({ user_id }) => user_id === id);
  }

  function knownCharge(id: number, chargeId: string): Charge {
    const known = ofPerson(id).find((each) => each.id === chargeId);
    if (!known) throw new CannotAct(`Expected a payment of ${id}, got ${chargeId}`);
    return known;
  }

  function enqueue(content: Record<string, unknown>) {
    const update = updates.enqueue(content);
    updates.announce(update);
    return update;
  }
}
