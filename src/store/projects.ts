import { type ProjectField, projectFields } from '../../machines/project-fields.ts';
import type {
  DeletionCounts,
  ProjectCard,
  ProjectItem,
  ProjectStats,
  ProjectValues,
} from '../screens/pages/projects.ts';
import { closeDrafts } from './close-drafts.ts';
import type { Sql, Statement } from './database.ts';
import { returnable } from './draft-ends.ts';

export type NewProject = {
  name: string;
  companyName: string;
  specialization: string;
  websiteUrl: string | null;
};

type ProjectFields = { id: number; timezone: string; values: ProjectValues };

export type Projects = ReturnType<typeof makeProjects>;

/** Every call takes the person's id: a project of somebody else is not found. */
export function makeProjects(sql: Sql) {
  return { insert, list, card, fields, setField, setTimezone, deletionCounts, remove, stats };

  /** For `Operations.inStatement`. */
  function insert(userId: number, { name, companyName, specialization, websiteUrl }: NewProject): Statement {
    return sql`
      insert into projects (user_id, name, company_name, specialization, website_url)
      select ${userId}, ${name}, ${companyName}, ${specialization}, ${websiteUrl} from first
      returning json_build_object('projectId', id) as result`;
  }

  /** The newest first. */
  async function list(userId: number): Promise<ProjectItem[]> {
    return sql<ProjectItem[]>`
      select id, name from projects where user_id = ${userId} order by created_at desc, id desc`;
  }

  async function fields(userId: number, projectId: number): Promise<ProjectFields | null> {
    const [row] = await sql<(ProjectValues & { id: number; timezone: string })[]>`
      select id, timezone, ${sql(projectFields)} from projects where id = ${projectId} and user_id = ${userId}`;
    if (!row) return null;
    const { id, timezone, ...values } = row;
    return { id, timezone, values };
  }

  async function card(userId: number, projectId: number): Promise<ProjectCard | null> {
    const [project, [counts]] = await Promise.all([
      fields(userId, projectId),
      sql<Pick<ProjectCard, 'connections' | 'categories' | 'publications'>[]>`
        select
          (select coalesce(json_agg(json_build_object(
             'id', c.id, 'platform', c.platform_type, 'identifier', coalesce(c.metadata->>'name', c.metadata->>'title', c.identifier), 'status', c.status
           ) order by c.id), '[]') from platform_connections c where c.project_id = p.id) as connections,
          (select count(*) from categories c where c.project_id = p.id) as categories,
          (select count(*) from publication_logs l where l.project_id = p.id and l.status = 'success') as publications
        from projects p where p.id = ${projectId} and p.user_id = ${userId}`,
    ]);
    if (!project || !counts) return null;
    return { ...project, ...counts };
  }

  /** False when there is no such project. Null clears an optional field; the first three cannot be empty. */
  async function setField(userId: number, projectId: number, field: ProjectField, value: string | null) {
    // The name becomes part of the statement, and a type does not hold at run time.
    if (!projectFields.includes(field)) throw new TypeError(`Expected a project field, got "${field}"`);
    const { count } = await sql`
      update projects set ${sql({ [field]: value })} where id = ${projectId} and user_id = ${userId}`;
    return count === 1;
  }

  async function setTimezone(userId: number, projectId: number, timezone: string) {
    const { count } = await sql`
      update projects set timezone = ${timezone} where id = ${projectId} and user_id = ${userId}`;
    return count === 1;
  }

  async function deletionCounts(userId: number, projectId: number): Promise<DeletionCounts | null> {
    const [row] = await sql<DeletionCounts[]>`
      select p.name,
        (select count(*) from categories c where c.project_id = p.id) as categories,
        (select coalesce(sum(k.phrases), 0) from categories c, keyword_counts(c.keywords) k
         where c.project_id = p.id) as phrases,
        (select count(*) from platform_connections c where c.project_id = p.id) as connections,
        (select count(*) from platform_schedules s join categories c on c.id = s.category_id
         where c.project_id = p.id) as schedules,
        d.drafts, d."draftTokens"
      from projects p, lateral (
        select count(*) as drafts, coalesce(sum(${returnable(sql)}), 0) as "draftTokens"
        from article_previews a
        where a.project_id = p.id and a.status = 'draft' and a.refundable
      ) d
      where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** External triggers of its schedules must be gone before. Null when there is no such project. */
  async function remove(userId: number, projectId: number): Promise<{ refunded: number } | null> {
    return sql.begin(async (tx) => {
      const [mine] = await tx`
        select id from projects where id = ${projectId} and user_id = ${userId} for update`;
      if (!mine) return null;
      const refunded = await closeDrafts(tx, userId, { projectId });
      await tx`delete from projects where id = ${projectId}`;
      return { refunded };
    });
  }

  /** One line per project, in the order of the list. */
  async function stats(userId: number): Promise<ProjectStats[]> {
    return sql<ProjectStats[]>`
      select p.id, p.name, l.publications, l."publicationsLast30Days", l."tokensSpent",
        (select count(*) from platform_schedules s join categories c on c.id = s.category_id
         where c.project_id = p.id and s.enabled) as "activeSchedules"
      from projects p, lateral (
        select count(*) as publications,
          count(*) filter (where created_at > now() - interval '30 days') as "publicationsLast30Days",
          coalesce(sum(tokens_spent), 0) as "tokensSpent"
        from publication_logs where project_id = p.id and status = 'success'
      ) l
      where p.user_id = ${userId} order by p.created_at desc, p.id desc`;
  }
}
