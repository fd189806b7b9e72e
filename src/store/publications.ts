import type { Platform } from '../platforms/platforms.ts';
import { prices } from '../prices.ts';
import type { EarlierArticle } from '../services/article/find-clash.ts';
import type { SearchSnapshot } from '../services/article/search-snapshot.ts';
import { lacksSeoPlugin } from './connection-pages.ts';
import type { Sql } from './database.ts';
import { shownName } from './shown-name.ts';

export type NewPublication = {
  /** The operation's: it is noted once. */
  key: string;
  userId: number;
  projectId: number;
  categoryId: number;
  connectionId: number | null;
  platform: Platform;
  contentType: 'article' | 'social_post' | 'review' | 'cross_post';
  /** `draft`: on the site, and not to be read there. `unknown`: the platform's answer was lost; what is known later takes its place. */
  status: 'success' | 'draft' | 'unknown';
  /** Sent to be a draft on the site: what an unknown one will have been. */
  asDraft?: boolean;
  keyword: string;
  url: string | null;
  words: number;
  images: number;
  tokens: number;
  model: string;
  promptVersion: string;
  generationTimeMs: number;
  contentHash: string | null;
  /** What search showed when the text was written. */
  results?: SearchSnapshot;
};

export type Publication = {
  id: number;
  projectId: number;
  categoryId: number | null;
  connectionId: number | null;
  platform: Platform;
  contentType: NewPublication['contentType'];
  /** On the site, and not to be read there. */
  isDraft: boolean;
  site: string | null;
  keyword: string | null;
  url: string | null;
  words: number;
  tokens: number;
  balance: number;
  /** What an article cost this person lately, on average; null for the first. */
  usualCost: number | null;
  /** Its description did not reach the page, and the site's user may install the plugin that would bring it there. */
  lacksSeoPlugin: boolean;
};

/** Out, as its owner says, and where is not known. `key`: of the operation that sent it. */
export type UnseenArticle = { key: string; connectionId: number; asDraft: boolean };

const HAMMING_SIMILAR = 3;
/** A year of an article a day, and then some. */
const MOST_EARLIER = 500;
/** As wide as their columns: what is on the site already must not fail over the name of a model. */
const MODEL_LENGTH = 100;
const PROMPT_LENGTH = 20;

/** What an article came to without its further versions: those are the person's choice, not the article's price. */
export const firstVersionCost = (sql: Sql) => sql`
  case when word_count > 0 then least(tokens_spent,
    ceil(word_count / 100.0)::integer * ${prices.textPer100Words}::integer + images_count * ${prices.image}::integer)
  else tokens_spent end`;

export function makePublications(sql: Sql) {
  return { note, find, isSimilar, earlierArticles, unseen, keepAddress };

  /** Articles of the category's project that are out, and drafts that wait: the newest first. */
  async function earlierArticles(userId: number, categoryId: number): Promise<EarlierArticle[]> {
    const rows = await sql<EarlierArticle[]>`
      with project as (
        select p.id from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId})
      select keyword, title, url, state from (
        select l.keyword, l.post_url as url, case l.status when 'draft' then 'draft' else 'published' end as state, l.created_at as at,
          (select a.title from article_previews a
            where a.project_id = l.project_id and a.keyword = l.keyword and a.title is not null
              and a.content_type = 'article'
            order by a.id desc limit 1) as title
        from publication_logs l
        where l.project_id = (select id from project) and l.content_type = 'article'
          and l.status in ('success', 'draft', 'unknown') and l.keyword is not null
        union all
        select a.keyword, null, 'draft', a.created_at, a.title from article_previews a
        where a.project_id = (select id from project) and a.content_type = 'article'
          and a.status in ('draft', 'publishing', 'unknown')
          and a.keyword is not null
      ) earlier order by at desc limit ${MOST_EARLIER}`;
    return [...rows];
  }

  /** Null when the project is gone, and its owner with it. */
  async function note(publication: NewPublication): Promise<number | null> {
    const { key, userId, projectId, categoryId, connectionId, platform, contentType, keyword } = publication;
    await sql`
      insert into publication_logs
        (operation_key, user_id, project_id, category_id, connection_id, platform_type, content_type, keyword,
         post_url, word_count, images_count, tokens_spent, ai_model, prompt_version, generation_time_ms, content_hash,
         status, as_draft, results)
      select ${key}, ${userId}, p.id, (select id from categories where id = ${categoryId}),
        (select id from platform_connections where id = ${connectionId}), ${platform}, ${contentType}, ${keyword},
        ${publication.url}, ${publication.words}, ${publication.images}, ${publication.tokens},
        ${publication.model.slice(0, MODEL_LENGTH)}, ${publication.promptVersion.slice(0, PROMPT_LENGTH)},
        ${publication.generationTimeMs}, ${publication.contentHash}, ${publication.status},
        ${publication.asDraft ?? false},
        ${publication.results ? JSON.stringify(publication.results) : null}::text::jsonb
      from projects p where p.id = ${projectId}
      on conflict (operation_key) do update
      set status = excluded.status, post_url = excluded.post_url, connection_id = excluded.connection_id,
        created_at = now()
      where publication_logs.status not in ('success', 'draft')`;
    const [row] = await sql<{ id: number }[]>`select id from publication_logs where operation_key = ${key}`;
    return row?.id ?? null;
  }

  /** Null when its address is known, or nothing could be asked for it. */
  async function unseen(userId: number, publicationId: number): Promise<UnseenArticle | null> {
    const [row] = await sql<UnseenArticle[]>`
      select operation_key as key, connection_id as "connectionId", as_draft as "asDraft" from publication_logs
      where id = ${publicationId} and user_id = ${userId} and content_type = 'article' and post_url is null
        and operation_key is not null and connection_id is not null`;
    return row ?? null;
  }

  async function keepAddress(publicationId: number, url: string): Promise<void> {
    await sql`update publication_logs set post_url = ${url} where id = ${publicationId} and post_url is null`;
  }

  async function find(userId: number, publicationId: number): Promise<Publication | null> {
    const [row] = await sql<Publication[]>`
      select l.id, l.project_id as "projectId", l.category_id as "categoryId", l.connection_id as "connectionId", l.platform_type as platform,
        l.content_type as "contentType", l.status = 'draft' as "isDraft", ${shownName(sql)} as site, l.keyword, l.post_url as url, l.word_count as words, l.tokens_spent as tokens,
        u.balance,
        (select round(avg(cost))::integer from (
           select ${firstVersionCost(sql)} as cost from publication_logs
           where user_id = l.user_id and content_type = 'article' and status = 'success' and tokens_spent > 0
           order by created_at desc limit 10) r) as "usualCost",
        coalesce(l.content_type = 'article' and ${lacksSeoPlugin(sql)}
          and n.metadata->'describesArticles' = 'false', false) as "lacksSeoPlugin"
      from publication_logs l join users u on u.id = l.user_id
      left join platform_connections n on n.id = l.connection_id
      where l.id = ${publicationId} and l.user_id = ${userId}`;
    return row ?? null;
  }

  /** Against the person's own publications only (E46). */
  async function isSimilar(userId: number, contentHash: string): Promise<boolean> {
    const [row] = await sql<[{ similar: boolean }]>`
      select exists(
        select 1 from publication_logs
        where user_id = ${userId} and status = 'success' and content_hash is not null
          and bit_count((content_hash # ${contentHash}::bigint)::bit(64)) <= ${HAMMING_SIMILAR}
      ) as similar`;
    return row.similar;
  }
}
