import { CategoryGone } from '../errors.ts';
import type { Purse } from '../services/paid-work.ts';
import { type Price, total } from '../services/prices.ts';
import type { Sql, TransactionSql } from './database.ts';
import { type Ledger, movedUnder } from './ledger.ts';

export type DraftOrder = {
  /** The operation's key: it opens one draft, however often it is run. */
  key: string;
  userId: number;
  categoryId: number;
  connectionId: number | null;
  keyword: string;
  price: Price;
};

export type DraftImage = {
  url: string;
  storage_path: string;
  width: number;
  height: number;
  alt: string;
  filename: string;
  caption: string | null;
};

export type DraftContent = {
  title: string;
  html: string;
  words: number;
  images: readonly DraftImage[];
  telegraph: { url: string; path: string } | null;
  details: object;
};

export type ArticleDrafts = ReturnType<typeof makeArticleDrafts>;

/**
 * A draft exists from the moment of the charge, so that a charge can always be given back. Whoever ends it (publishing,
 * cancelling, the cleanup, a deletion) claims it by changing its status from `draft`; the second one finds nothing.
 */
export function makeArticleDrafts(sql: Sql, ledger: Ledger) {
  return { purse, fill, find };

  /** Charges and opens the draft in one step. */
  function purse(order: DraftOrder): Purse {
    const { key, userId, keyword } = order;
    return {
      async charge() {
        await sql.begin(async (tx) => {
          const draft = await open(tx, order);
          for (const [type, amount] of [
            ['text_generation', order.price.text],
            ['image_generation', order.price.images],
          ] as const) {
            if (amount === 0) continue;
            const movement = { key: `draft:${draft.id}:charge:${type}`, userId, amount, type };
            await ledger.charge({ ...movement, description: keyword }, tx);
          }
        });
      },
      async settle(spent) {
        await sql.begin(async (tx) => {
          const [draft] = await tx<{ id: number }[]>`
            update article_previews set tokens_charged = ${spent}
            where operation_key = ${key} and status = 'draft' returning id`;
          const surplus = total(order.price) - spent;
          // No draft: its project is gone, and everything has been given back.
          if (!draft || surplus <= 0) return;
          await ledger.refund(
            { key: `draft:${draft.id}:settle`, userId, amount: surplus, description: keyword },
            tx,
          );
        });
      },
      async refund() {
        return sql.begin(async (tx) => {
          const [draft] = await tx<{ id: number; charged: number; isOpen: boolean }[]>`
            update article_previews a set status = case a.status when 'draft' then 'cancelled' else a.status end
            from article_previews before
            where a.operation_key = ${key} and before.id = a.id
            returning a.id, a.tokens_charged as charged, before.status = 'draft' as "isOpen"`;
          if (!draft) return 0;
          const refund = `draft:${draft.id}:refund`;
          if (draft.isOpen && draft.charged > 0)
            await ledger.refund({ key: refund, userId, amount: draft.charged, description: keyword }, tx);
          return movedUnder([refund], tx);
        });
      },
    };
  }

  async function open(tx: TransactionSql, order: DraftOrder): Promise<{ id: number }> {
    const { key, userId, categoryId, connectionId, keyword, price } = order;
    await tx`
      insert into article_previews
        (user_id, project_id, category_id, connection_id, keyword, tokens_charged, operation_key)
      select p.user_id, p.id, c.id, ${connectionId}, ${keyword}, ${total(price)}, ${key}
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}
      on conflict (operation_key) do nothing`;
    const [draft] = await tx<{ id: number }[]>`
      select id from article_previews where operation_key = ${key}`;
    if (!draft) throw new CategoryGone(categoryId);
    return draft;
  }

  /** False when the draft was ended meanwhile: there is nothing to show any more. */
  async function fill(key: string, content: DraftContent): Promise<boolean> {
    const { count } = await sql`
      update article_previews
      set title = ${content.title}, content_html = ${content.html}, word_count = ${content.words},
        images_count = ${content.images.length}, images = ${JSON.stringify(content.images)}::text::jsonb,
        telegraph_url = ${content.telegraph?.url ?? null}, telegraph_path = ${content.telegraph?.path ?? null},
        details = ${JSON.stringify(content.details)}::text::jsonb
      where operation_key = ${key} and status = 'draft'`;
    return count === 1;
  }

  async function find(userId: number, key: string) {
    const [row] = await sql<
      { id: number; status: string; title: string | null; html: string | null; tokens: number }[]
    >`
      select id, status, title, content_html as html, tokens_charged as tokens
      from article_previews where operation_key = ${key} and user_id = ${userId}`;
    return row ?? null;
  }
}
