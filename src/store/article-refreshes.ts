import type { RefreshProposal } from '../../machines/article-refresh.ts';
import type { SearchSnapshot } from '../services/article/search-snapshot.ts';
import type { Sql } from './database.ts';

/** Of a post on a site. */
type Text = { title: string; content: string; excerpt: string };

export type RefreshedArticle = {
  publicationId: number;
  categoryId: number | null;
  connectionId: number | null;
  keyword: string | null;
  url: string | null;
  words: number;
  publishedAt: Date;
  results: SearchSnapshot | null;
  balance: number;
  /** Of its project. */
  timezone: string;
  /** The refresh that is in force, and whether it still rests. */
  refreshId: number | null;
  restsUntil: Date | null;
  /** A proposal that waits for a decision. */
  waiting: { proposal: RefreshProposal; refreshId: number } | null;
};

type Candidate = { id: number; keyword: string; at: Date; place: number | null; timezone: string };

export type StoredRefresh = {
  id: number;
  publicationId: number;
  connectionId: number | null;
  postId: number;
  status: 'proposed' | 'applied' | 'undone' | 'declined';
  before: Text;
  after: Text;
  key: string;
  tokens: number;
};

/** Two rewrites in a quarter tell search engines nothing but unrest. */
const REST_DAYS = 90;
const PROPOSAL_HOURS = 24;

export type ArticleRefreshes = ReturnType<typeof makeArticleRefreshes>;

/** Every call takes the person's id: somebody else's article is not found. */
export function makeArticleRefreshes(sql: Sql) {
  return { article, candidates, propose, find, mark, expired };

  async function article(userId: number, publicationId: number): Promise<RefreshedArticle | null> {
    const [row] = await sql<RefreshedArticle[]>`
      select l.id as "publicationId", l.category_id as "categoryId", l.connection_id as "connectionId", l.keyword,
        l.post_url as url, coalesce(l.word_count, 0) as words, l.created_at as "publishedAt", l.results, u.balance, p.timezone,
        applied.id as "refreshId",
        case when applied.applied_at > now() - ${REST_DAYS} * interval '1 day'
          then applied.applied_at + ${REST_DAYS} * interval '1 day' end as "restsUntil",
        (select json_build_object('refreshId', r.id, 'proposal', r.proposal) from article_refreshes r
          where r.publication_id = l.id and r.status = 'proposed'
            and r.created_at > now() - ${PROPOSAL_HOURS} * interval '1 hour'
          order by r.id desc limit 1) as waiting
      from publication_logs l join users u on u.id = l.user_id join projects p on p.id = l.project_id
      left join lateral (
        select id, applied_at from article_refreshes where publication_id = l.id and status = 'applied'
        order by id desc limit 1) applied on true
      where l.id = ${publicationId} and l.user_id = ${userId} and l.content_type = 'article' and l.status = 'success'`;
    return row ?? null;
  }

  /** Articles of a project that could be renewed: those that left the first hundred, then the oldest. Null: no such project. */
  async function candidates(userId: number, projectId: number, limit: number): Promise<Candidate[] | null> {
    const [project] = await sql<{ timezone: string }[]>`
      select timezone from projects where id = ${projectId} and user_id = ${userId}`;
    if (!project) return null;
    const rows = await sql<Candidate[]>`
      select l.id, l.keyword, l.created_at as at, l.rank_position as place, ${project.timezone} as timezone
      from publication_logs l
      where l.project_id = ${projectId} and l.user_id = ${userId} and l.content_type = 'article'
        and l.status = 'success' and l.post_url is not null and l.keyword is not null
        and l.connection_id is not null and l.category_id is not null
        and not exists (select from article_refreshes r where r.publication_id = l.id and r.status = 'applied'
          and r.applied_at > now() - ${REST_DAYS} * interval '1 day')
      order by l.rank_checked_at is not null and l.rank_position is null desc, l.created_at
      limit ${limit}`;
    return [...rows];
  }

  /** Once per key. */
  async function propose(refresh: {
    key: string;
    userId: number;
    publicationId: number;
    postId: number;
    before: Text;
    after: Text;
    tokens: number;
    proposal: Omit<RefreshProposal, 'refreshId'>;
  }): Promise<number> {
    const { key, userId, publicationId, postId, before, after, tokens, proposal } = refresh;
    await sql`
      insert into article_refreshes
        (operation_key, user_id, publication_id, post_id, before, after, tokens_charged, proposal)
      values (${key}, ${userId}, ${publicationId}, ${postId}, ${JSON.stringify(before)}::text::jsonb,
        ${JSON.stringify(after)}::text::jsonb, ${tokens}, ${JSON.stringify(proposal)}::text::jsonb)
      on conflict (operation_key) do nothing`;
    const [row] = await sql<[{ id: number }]>`
      update article_refreshes set proposal = proposal || jsonb_build_object('refreshId', id)
      where operation_key = ${key} returning id`;
    return row.id;
  }

  async function find(userId: number, refreshId: number): Promise<StoredRefresh | null> {
    const [row] = await sql<StoredRefresh[]>`
      select r.id, r.publication_id as "publicationId", l.connection_id as "connectionId", r.post_id::integer as "postId",
        r.status, r.before, r.after, r.operation_key as key, r.tokens_charged as tokens
      from article_refreshes r join publication_logs l on l.id = r.publication_id
      where r.id = ${refreshId} and r.user_id = ${userId}`;
    return row ?? null;
  }

  /** `after`: as the site keeps it, which may differ from what it was sent. */
  async function mark(
    refreshId: number,
    from: StoredRefresh['status'],
    to: StoredRefresh['status'],
    after?: Text,
  ): Promise<boolean> {
    const rows = await sql`
      update article_refreshes
      set status = ${to}, applied_at = case when ${to} = 'applied' then now() else applied_at end
        ${after ? sql`, after = ${JSON.stringify(after)}::text::jsonb` : sql``}
      where id = ${refreshId} and status = ${from} returning id`;
    return rows.length > 0;
  }

  /** Proposals left undecided for a day. */
  async function expired(): Promise<{ id: number; userId: number }[]> {
    const rows = await sql<{ id: number; userId: number }[]>`
      select id, user_id as "userId" from article_refreshes
      where status = 'proposed' and created_at <= now() - ${PROPOSAL_HOURS} * interval '1 hour' order by id limit 100`;
    return [...rows];
  }
}
