import type { Sql } from '../../src/store/database.ts';
import { PHRASE } from './played-bot.ts';

type Owner = { id: number; projectId: number; categoryId: number; connectionId: number };

export const DRAFT_TITLE = 'Кухни на заказ: с чего начать';

/** An article that was written and paid, and waits for a decision; the quick way to where a test begins. */
export async function aWaitingDraft(sql: Sql, owner: Owner, { tokens = 230, regenerations = 0 } = {}) {
  const details = {
    seoTitle: DRAFT_TITLE,
    metaDescription: 'Как выбрать кухню на заказ.',
    contentHash: null,
    modelUsed: 'test/model',
    promptVersion: 'v7',
    generationTimeMs: 1_000,
    price: { text: tokens - 30, images: 30 },
    notes: [],
    imagesWanted: 0,
    sections: 1,
  };
  const html = `<h1>${DRAFT_TITLE}</h1><h2>Замер</h2><p>Сначала мастер измеряет кухню и записывает размеры.</p>`;
  const [draft] = await sql<[{ id: number }]>`
    insert into article_previews (user_id, project_id, category_id, connection_id, keyword, title, content_html,
      word_count, images_count, tokens_charged, regeneration_count, details)
    values (${owner.id}, ${owner.projectId}, ${owner.categoryId}, ${owner.connectionId}, ${PHRASE}, ${DRAFT_TITLE},
      ${html}, 2000, 0, ${tokens}, ${regenerations}, ${JSON.stringify(details)}::text::jsonb) returning id`;
  await sql`select charge_balance(${owner.id}, ${tokens}, ${`draft:${draft.id}`}, 'text_generation')`;
  return draft.id;
}

/** Its day is over, and the cleanup has not come yet. */
export async function ageDraft(sql: Sql, draftId: number): Promise<void> {
  await sql`update article_previews set expires_at = now() - interval '1 second' where id = ${draftId}`;
}
