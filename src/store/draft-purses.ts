import type { Purse } from '../services/paid-work.ts';
import { type Price, total } from '../services/prices.ts';
import type { ArticleDrafts } from './article-drafts.ts';
import type { Sql, TransactionSql } from './database.ts';
import { type Ledger, movedUnder } from './ledger.ts';

export type FirstVersion = Parameters<ArticleDrafts['open']>[1];
export type AnotherVersion = { key: string; userId: number; draftId: number; keyword: string; price: number };

/**
 * Money of an article. What it cost so far stands in its draft, and every movement changes both at once: whoever ends
 * the draft gives back exactly that. A draft that was cancelled or expired meanwhile has been paid out already: nothing
 * moves then. One that was published meanwhile has not, and what was charged in vain still comes back.
 */
export function makeDraftPurses(sql: Sql, ledger: Ledger, drafts: Pick<ArticleDrafts, 'open'>) {
  return { first, another };

  /** Opens the draft and charges for it in one step. */
  function first(version: FirstVersion): Purse {
    const { key, userId, keyword: description, price } = version;
    const inUnpaid = heldDraft(key, ['draft', 'published']);
    return {
      charge: () =>
        ledger.chargeParts({ userId, amount: total(price) }, () =>
          sql.begin(async (tx) => {
            const id = await drafts.open(tx, version);
            for (const [type, amount] of parts(price))
              await ledger.charge(
                { key: `draft:${id}:charge:${type}`, userId, amount, type, description },
                tx,
              );
          }),
        ),
      settle: (spent) =>
        inUnpaid(async (tx, id) => {
          await giveBack(tx, id, `draft:${id}:settle`, total(price) - spent, { userId, description });
        }),
      async refund() {
        return sql.begin(async (tx) => {
          const [draft] = await tx<{ id: number; tokens: number; isOpen: boolean }[]>`
            update article_previews a set status = case a.status when 'draft' then 'cancelled' else a.status end
            from article_previews before where a.operation_key = ${key} and before.id = a.id
            returning a.id, a.tokens_charged as tokens, before.status = 'draft' as "isOpen"`;
          if (!draft) return 0;
          const refund = `draft:${draft.id}:refund`;
          if (draft.isOpen && draft.tokens > 0)
            await ledger.refund({ key: refund, userId, amount: draft.tokens, description }, tx);
          return movedUnder([refund], tx);
        });
      },
    };
  }

  /** For one more version of an article; a price of 0 is a free one. */
  function another({ key, userId, draftId, keyword: description, price }: AnotherVersion): Purse {
    const inDraft = heldDraft(draftId, ['draft']);
    const inUnpaid = heldDraft(draftId, ['draft', 'published']);
    const mine = { userId, description };
    return {
      charge: () =>
        inDraft(async (tx, id) => {
          const charge = `${key}:charge`;
          if (price === 0 || (await isKnown(tx, charge))) return;
          await ledger.charge(
            { key: charge, userId, amount: price, type: 'text_generation', description },
            tx,
          );
          await tx`update article_previews set tokens_charged = tokens_charged + ${price} where id = ${id}`;
        }),
      settle: (spent) => inUnpaid((tx, id) => giveBack(tx, id, `${key}:settle`, price - spent, mine)),
      async refund() {
        await inUnpaid(async (tx, id) => {
          if (await isKnown(tx, `${key}:charge`)) await giveBack(tx, id, `${key}:refund`, price, mine);
        });
        return movedUnder([`${key}:refund`], sql);
      },
    };
  }

  function heldDraft(which: string | number, statuses: readonly string[]) {
    return (work: (tx: TransactionSql, id: number) => Promise<void>): Promise<void> =>
      sql.begin(async (tx) => {
        const by = typeof which === 'number' ? tx`id = ${which}` : tx`operation_key = ${which}`;
        const [draft] = await tx<{ id: number }[]>`
          select id from article_previews where ${by} and status = any(${[...statuses]}) for update`;
        if (draft) await work(tx, draft.id);
      });
  }

  async function giveBack(
    tx: TransactionSql,
    draftId: number,
    key: string,
    amount: number,
    { userId, description }: { userId: number; description: string },
  ): Promise<void> {
    if (amount <= 0 || (await isKnown(tx, key))) return;
    await ledger.refund({ key, userId, amount, description }, tx);
    await tx`update article_previews set tokens_charged = tokens_charged - ${amount} where id = ${draftId}`;
  }
}

/** A movement and its note in the draft go together; the key tells whether both have been made. */
async function isKnown(tx: TransactionSql, key: string): Promise<boolean> {
  const [row] = await tx`select 1 from token_expenses where operation_key = ${key}`;
  return row !== undefined;
}

const parts = ({ text, images }: Price) =>
  (
    [
      ['text_generation', text],
      ['image_generation', images],
    ] as const
  ).filter(([, amount]) => amount > 0);
