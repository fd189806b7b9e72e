import type { SiteAudit } from '../clients/pagespeed.ts';
import type { Branding } from '../clients/site-branding.ts';
import type { Sql } from './database.ts';

type Site = { projectId: number; userId: number; url: string };

/** What we learned of a project's site; the newest replaces what was known. */
export function makeSiteKnowledge(sql: Sql) {
  return { saveBranding, saveAudit };

  async function saveBranding({ projectId, userId, url }: Site, branding: Branding): Promise<void> {
    await sql`
      insert into site_brandings (project_id, url, colors, fonts, logo_url)
      select id, ${url}, ${JSON.stringify(branding.colors)}::text::jsonb,
        ${JSON.stringify(branding.fonts)}::text::jsonb, ${branding.logoUrl}
      from projects where id = ${projectId} and user_id = ${userId}
      on conflict (project_id) do update
      set url = excluded.url, colors = excluded.colors, fonts = excluded.fonts, logo_url = excluded.logo_url,
        extracted_at = now()`;
  }

  async function saveAudit({ projectId, userId, url }: Site, audit: SiteAudit): Promise<void> {
    await sql`
      insert into site_audits (project_id, url, performance, accessibility, best_practices, seo_score, lcp_ms, inp_ms,
        cls, ttfb_ms, recommendations)
      select id, ${url}, ${audit.performance}, ${audit.accessibility}, ${audit.bestPractices}, ${audit.seo},
        ${audit.lcpMs}, ${audit.inpMs}, ${audit.cls}, ${audit.ttfbMs},
        ${JSON.stringify(audit.recommendations)}::text::jsonb
      from projects where id = ${projectId} and user_id = ${userId}
      on conflict (project_id) do update
      set url = excluded.url, performance = excluded.performance, accessibility = excluded.accessibility,
        best_practices = excluded.best_practices, seo_score = excluded.seo_score, lcp_ms = excluded.lcp_ms,
        inp_ms = excluded.inp_ms, cls = excluded.cls, ttfb_ms = excluded.ttfb_ms,
        recommendations = excluded.recommendations, audited_at = now()`;
  }
}
