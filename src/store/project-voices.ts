import type { Company } from '../services/projects/brief.ts';
import { companyJson } from './briefs.ts';
import type { Sql } from './database.ts';

type ProjectVoice = { projectId: number; projectName: string; company: Company };

/** How a project's company speaks and who signs for it. Every call takes the person's id. */
export function makeProjectVoices(sql: Sql) {
  return { find, put };

  async function find(userId: number, projectId: number): Promise<ProjectVoice | null> {
    const [row] = await sql<ProjectVoice[]>`
      select p.id as "projectId", p.name as "projectName", ${companyJson(sql)} as company from projects p
      where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** An empty text removes it. False when there is no such project. */
  async function put(
    userId: number,
    projectId: number,
    field: 'voice' | 'author_name',
    text: string,
  ): Promise<boolean> {
    const rows = await sql`
      update projects set ${sql({ [field]: text || null })} where id = ${projectId} and user_id = ${userId}
      returning id`;
    return rows.length > 0;
  }
}
