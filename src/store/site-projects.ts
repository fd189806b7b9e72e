import type { NewSiteProject } from '../services/projects/save-project.ts';
import type { TransactionSql } from './database.ts';

/** A project with all that was read from its site, for `Operations.inTransaction`. */
export async function insertSiteProject(
  tx: TransactionSql,
  userId: number,
  { name, companyName, specialization, websiteUrl, city, phone, branding, topics }: NewSiteProject,
): Promise<{ projectId: number }> {
  const [project] = await tx<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization, website_url, company_city, company_phone)
    values (${userId}, ${name}, ${companyName}, ${specialization}, ${websiteUrl}, ${city}, ${phone})
    returning id`;
  const projectId = project.id;
  if (branding)
    await tx`
      insert into site_brandings (project_id, url, colors, fonts, logo_url)
      values (${projectId}, ${websiteUrl}, ${JSON.stringify(branding.colors)}::text::jsonb,
        ${JSON.stringify(branding.fonts)}::text::jsonb, ${branding.logoUrl})`;
  // Lists show the newest first, and the main topic is to stand on top.
  for (const { name: topic, description, keywords } of topics.toReversed())
    await tx`
      insert into categories (project_id, name, description, keywords)
      values (${projectId}, ${topic}, ${description || null}, ${JSON.stringify(keywords)}::text::jsonb)`;
  return { projectId };
}
