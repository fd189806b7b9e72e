import type { Brief } from '../services/projects/brief.ts';
import { companyJson } from './briefs.ts';
import type { Sql, TransactionSql } from './database.ts';

export type StoredAnalysis = {
  url: string;
  positioning: string;
  strengths: string[];
  gaps: string[];
  recommendations: string[];
};
export type PastAnalysis = StoredAnalysis & {
  id: number;
  projectId: number;
  projectName: string;
  at: Date;
  timezone: string;
  categories: { id: number; name: string }[];
};
export type AnalysisItem = { id: number; url: string; at: Date };

/** The customer behind an analysis, or an audit. */
type SiteCustomer = {
  projectId: number;
  projectName: string;
  balance: number;
  categories: { id: number; name: string }[];
};

const MOST_KEPT = 20;
const MOST_PHRASES = 50;

/** Every call takes the person's id: somebody else's project is not found, which is null. */
export function makeCompetitorAnalyses(sql: Sql) {
  return { customer, briefOf, insert, list, find, gapsOf };

  async function customer(userId: number, projectId: number): Promise<SiteCustomer | null> {
    const [row] = await sql<SiteCustomer[]>`
      select p.id as "projectId", p.name as "projectName", u.balance, ${categoriesOf()} as categories
      from projects p join users u on u.id = p.user_id
      where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** The company, and the phrases by which it wants to be found: the most searched of all its categories. */
  async function briefOf(
    userId: number,
    projectId: number,
  ): Promise<{ brief: Brief; keywords: string[] } | null> {
    const [row] = await sql<{ company: Brief['company']; name: string; keywords: string[] }[]>`
      select ${companyJson(sql)} as company, p.name,
        array(
          select found.phrase from (
            select coalesce(item ->> 'main_phrase', item ->> 'phrase') as phrase,
              coalesce((item ->> 'total_volume')::numeric, (item ->> 'volume')::numeric, 0) as volume
            from categories c, jsonb_array_elements(
              case when jsonb_typeof(c.keywords) = 'array' then c.keywords else '[]'::jsonb end) item
            where c.project_id = p.id
          ) found
          where found.phrase is not null group by found.phrase order by max(found.volume) desc, found.phrase
          limit ${MOST_PHRASES}
        ) as keywords
      from projects p where p.id = ${projectId} and p.user_id = ${userId}`;
    if (!row) return null;
    const topic = { name: row.name, description: '', prices: '', reviews: [] };
    return { brief: { company: row.company, topic }, keywords: row.keywords };
  }

  /** The last twenty of a project stay. Null when the project is gone. */
  async function insert(
    tx: TransactionSql,
    userId: number,
    projectId: number,
    { url, ...report }: StoredAnalysis,
  ): Promise<number | null> {
    const [row] = await tx<{ id: number }[]>`
      insert into competitor_analyses (project_id, url, report)
      select id, ${url}, ${JSON.stringify(report)}::text::jsonb
      from projects where id = ${projectId} and user_id = ${userId} returning id`;
    if (!row) return null;
    await tx`
      delete from competitor_analyses where project_id = ${projectId} and id not in (
        select id from competitor_analyses where project_id = ${projectId} order by id desc limit ${MOST_KEPT})`;
    return row.id;
  }

  async function list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; timezone: string; analyses: AnalysisItem[] } | null> {
    const [project] = await sql<{ projectName: string; timezone: string }[]>`
      select name as "projectName", coalesce(timezone, 'Europe/Moscow') as timezone
      from projects where id = ${projectId} and user_id = ${userId}`;
    if (!project) return null;
    const analyses = await sql<AnalysisItem[]>`
      select id, url, created_at as at from competitor_analyses where project_id = ${projectId} order by id desc`;
    return { ...project, analyses: [...analyses] };
  }

  async function find(userId: number, id: number): Promise<PastAnalysis | null> {
    const [row] = await sql<(PastAnalysis & { report: Omit<StoredAnalysis, 'url'> })[]>`
      select a.id, a.url, a.report, a.created_at as at, p.id as "projectId", p.name as "projectName",
        coalesce(p.timezone, 'Europe/Moscow') as timezone, ${categoriesOf()} as categories
      from competitor_analyses a join projects p on p.id = a.project_id
      where a.id = ${id} and p.user_id = ${userId}`;
    if (!row) return null;
    const { report, ...analysis } = row;
    return { ...analysis, ...report };
  }

  async function gapsOf(userId: number, id: number): Promise<string[] | null> {
    return (await find(userId, id))?.gaps ?? null;
  }

  /** The newest first. */
  function categoriesOf() {
    return sql`(select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name)
      order by c.created_at desc, c.id desc), '[]') from categories c where c.project_id = p.id)`;
  }
}
