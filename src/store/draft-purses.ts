import { type Price, total } from '../prices.ts';
import type { Purse } from '../services/money/paid-work.ts';
import type { ArticleDrafts } from './article-drafts.ts';
import { inTransaction, type Sql, type TransactionSql } from './database.ts';
import type { AnyDetails, Draft } from './draft.ts';
import { type ExpenseType, type Ledger, type Movement, movedUnder } from './ledger.ts';

type FirstVersion = Parameters<ArticleDrafts['open']>[1] & {
  price: Price;
  /** What the ledger calls its text. */
  as?: ExpenseType;
};
type AnotherVersion = { key: string; userId: number; draftId: number; keyword: string; price: number };

type PaidPicture = Pick<Draft<AnyDetails>, 'id' | 'userId' | 'keyword' | 'tokens' | 'details'>;
type Held = { id: number; tokens: number };

/** Cancelled and expired drafts have been paid out already. */
const unpaid = ['draft', 'publishing', 'unknown', 'published'] as const;

/**
 * Money of an article. What was really charged so far (an admin: nothing) stands in its draft, and every movement changes
 * both at once, so that ending the draft gives back exactly that. A draft that was cancelled or expired meanwhile has been
 * paid out already: nothing moves then. One that was published meanwhile has not, and what was charged in vain still
 * comes back.
 */
export function makeDraftPurses(
  on: Sql | TransactionSql,
  ledger: Ledger,
  drafts: Pick<ArticleDrafts, 'open'>,
) {
  return { first, another, returnPicture };

  /** Opens the draft and charges for it in one step. */
  function first(version: FirstVersion): Purse {
    const { key, userId, keyword: description, price, as = 'text_generation' } = version;
    const inUnpaid = heldDraft(key, unpaid);
    const mine = { userId, description };
    const charges = (id: number) =>
      parts(price).map(([part, amount]) => {
        const type = part === 'text_generation' ? as : part;
        return { key: `draft:${id}:charge:${part}`, amount, type, ...mine };
      });
    return {
      charge: () =>
        ledger.chargeParts({ userId, amount: total(price) }, () =>
          inTransaction(on, async (tx) => {
            const id = await drafts.open(tx, version);
            for (const charge of charges(id)) await take(tx, id, charge);
          }),
        ),
      settle: (spent) =>
        inUnpaid(async (tx, { id }) => {
          const settle = { key: `draft:${id}:settle`, amount: total(price) - spent, ...mine };
          await giveBack(tx, id, await paidBy(charges(id), tx), settle);
        }),
      async refund() {
        return inTransaction(on, async (tx) => {
          const [draft] = await tx<{ id: number; tokens: number; isOpen: boolean }[]>`
            update article_previews a set status = case a.status when 'draft' then 'cancelled' else a.status end
            from article_previews before where a.operation_key = ${key} and before.id = a.id
            returning a.id, greatest(a.tokens_charged - coalesce((a.details ->> 'final')::integer, 0), 0) as tokens,
              before.status = 'draft' as "isOpen"`;
          if (!draft) return 0;
          const refund = `draft:${draft.id}:refund`;
          if (draft.isOpen && draft.tokens > 0)
            await ledger.refund({ key: refund, userId, amount: draft.tokens, description }, tx);
          return movedUnder([refund], tx);
        });
      },
    };
  }

  /** For one more version of an article. A price of 0 is a free one, which may have "spent" less than nothing. */
  function another({ key, userId, draftId, keyword: description, price }: AnotherVersion): Purse {
    const inDraft = heldDraft(draftId, ['draft', 'unknown']);
    const inUnpaid = heldDraft(draftId, unpaid);
    const mine = { userId, description };
    const charge = { key: `${key}:charge`, amount: price, type: 'text_generation', ...mine } as const;
    return {
      charge: () =>
        inDraft(async (tx, { id }) => {
          if (price === 0) return ledger.refuseDebtor(userId, tx);
          await take(tx, id, charge);
          await tx`
            update article_previews set details = details || jsonb_build_object('paying', ${key}::text)
            where id = ${id}`;
        }),
      settle: (spent) =>
        inUnpaid(async (tx, { id, tokens }) => {
          const paid = price > 0 ? await paidBy([charge], tx) : tokens;
          await giveBack(tx, id, paid, { key: `${key}:settle`, amount: price - spent, ...mine });
          await paidFor(tx, id);
        }),
      async refund() {
        await inUnpaid(async (tx, { id }) => {
          const paid = await paidBy([charge], tx);
          await giveBack(tx, id, paid, { key: `${key}:refund`, amount: price, ...mine });
          await paidFor(tx, id);
        });
        return inTransaction(on, (tx) => movedUnder([`${key}:refund`], tx));
      },
    };

    /** Until here the draft names the version that was charged and not settled, for the sweep of abandoned work. */
    async function paidFor(tx: TransactionSql, id: number): Promise<void> {
      await tx`
        update article_previews set details = details - 'paying'
        where id = ${id} and details ->> 'paying' = ${key}`;
    }
  }

  /** Of a post that went out without it (E34), once; and what the post has cost with that. */
  async function returnPicture(draft: PaidPicture): Promise<{ returned: number; tokens: number }> {
    const { id, userId, tokens, keyword: description, details } = draft;
    const movement = { key: `draft:${id}:picture`, userId, amount: details.price.images, description };
    const charged = (tx: TransactionSql) => tx<{ tokens: number }[]>`
      select tokens_charged as tokens from article_previews where id = ${id} for update`;
    return inTransaction(on, async (tx) => {
      const [before] = await charged(tx);
      // Deleted with its project while it went out: as much as it had been charged when it was claimed.
      await giveBack(tx, id, before?.tokens ?? tokens, movement);
      const [after] = await charged(tx);
      return { returned: await movedUnder([movement.key], tx), tokens: after?.tokens ?? tokens };
    });
  }

  function heldDraft(which: string | number, statuses: readonly string[]) {
    return (work: (tx: TransactionSql, draft: Held) => Promise<void>): Promise<void> =>
      inTransaction(on, async (tx) => {
        const by = typeof which === 'number' ? tx`id = ${which}` : tx`operation_key = ${which}`;
        const [draft] = await tx<Held[]>`
          select id, tokens_charged as tokens from article_previews
          where ${by} and status = any(${[...statuses]}) for update`;
        if (draft) await work(tx, draft);
      });
  }

  async function take(
    tx: TransactionSql,
    draftId: number,
    charge: Movement & { type: ExpenseType },
  ): Promise<void> {
    if (await isKnown(tx, charge.key)) return;
    await ledger.charge(charge, tx);
    const moved = await movedUnder([charge.key], tx);
    await tx`update article_previews set tokens_charged = tokens_charged - ${moved} where id = ${draftId}`;
  }

  /** Where nothing was paid, nothing comes back. */
  async function giveBack(
    tx: TransactionSql,
    draftId: number,
    paid: number,
    movement: Movement,
  ): Promise<void> {
    const amount = Math.min(movement.amount, paid);
    if (amount <= 0 || (await isKnown(tx, movement.key))) return;
    await ledger.refund({ ...movement, amount }, tx);
    // What is final is never more than what was charged: a later version would come back short otherwise.
    await tx`
      update article_previews set tokens_charged = tokens_charged - ${amount},
        details = case when details ? 'final' then details || jsonb_build_object('final',
          least((details ->> 'final')::integer, tokens_charged - ${amount})) else details end
      where id = ${draftId}`;
  }
}

/** A movement and its note in the draft go together; the key tells whether both have been made. */
async function isKnown(tx: TransactionSql, key: string): Promise<boolean> {
  const [row] = await tx`select 1 from token_expenses where operation_key = ${key}`;
  return row !== undefined;
}

async function paidBy(charges: readonly Movement[], tx: TransactionSql): Promise<number> {
  const keys = charges.map(({ key }) => key);
  return -(await movedUnder(keys, tx));
}

const parts = ({ text, images }: Price) =>
  (
    [
      ['text_generation', text],
      ['image_generation', images],
    ] as const
  ).filter(([, amount]) => amount > 0);
