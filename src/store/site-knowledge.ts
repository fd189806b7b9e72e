import type { Recommendation, SiteAudit } from '../clients/pagespeed.ts';
import type { Branding } from '../clients/site-branding.ts';
import { articlePlatforms } from '../platforms/platforms.ts';
import type { AuditFigures } from '../web-vitals.ts';
import type { Sql, TransactionSql } from './database.ts';

type Site = { projectId: number; userId: number; url: string };

/** What we learned of a project's site; the newest replaces what was known. */
export function makeSiteKnowledge(sql: Sql) {
  return { saveBranding, brandingOf, setColour, saveAudit, siteOf };

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

  /** Null: nothing is known, or there is no such project. */
  async function brandingOf(userId: number, projectId: number): Promise<StoredBranding | null> {
    const [row] = await sql<{ branding: StoredBranding }[]>`
      select json_build_object('url', b.url, 'at', b.extracted_at, 'colors', coalesce(b.colors, '{}'),
        'fonts', coalesce(b.fonts, '{}'), 'logoUrl', b.logo_url) as branding
      from site_brandings b join projects p on p.id = b.project_id
      where p.id = ${projectId} and p.user_id = ${userId}`;
    return row?.branding ?? null;
  }

  /** False: nothing is known of the site yet, or there is no such project. */
  async function setColour(
    userId: number,
    projectId: number,
    key: 'text' | 'accent' | 'background',
    colour: string,
  ): Promise<boolean> {
    const changed = await sql`
      update site_brandings b set colors = coalesce(b.colors, '{}') || jsonb_build_object(${key}::text, ${colour}::text)
      from projects p where p.id = b.project_id and p.id = ${projectId} and p.user_id = ${userId}`;
    return changed.count > 0;
  }

  /** False when the project is gone. The audit before, of the same site, stays to be compared with. */
  async function saveAudit(
    { projectId, userId, url }: Site,
    audit: SiteAudit,
    within: Sql | TransactionSql = sql,
  ): Promise<boolean> {
    const saved = await within`
      insert into site_audits (project_id, url, performance, accessibility, best_practices, seo_score, lcp_ms, inp_ms,
        cls, ttfb_ms, recommendations, full_report)
      select id, ${url}, ${audit.performance}, ${audit.accessibility}, ${audit.bestPractices}, ${audit.seo},
        ${audit.lcpMs}, ${audit.inpMs}, ${audit.cls}, ${audit.ttfbMs},
        ${JSON.stringify(audit.recommendations)}::text::jsonb, ${JSON.stringify(audit.report)}::text::jsonb
      from projects where id = ${projectId} and user_id = ${userId}
      on conflict (project_id) do update
      set previous = case when site_audits.url = excluded.url then
          jsonb_build_object('at', site_audits.audited_at, 'figures', ${figuresOf('site_audits')}) end,
        url = excluded.url, performance = excluded.performance, accessibility = excluded.accessibility,
        best_practices = excluded.best_practices, seo_score = excluded.seo_score, lcp_ms = excluded.lcp_ms,
        inp_ms = excluded.inp_ms, cls = excluded.cls, ttfb_ms = excluded.ttfb_ms,
        recommendations = excluded.recommendations, full_report = excluded.full_report, audited_at = now()`;
    return saved.count > 0;
  }

  /** Null: no such project. Without a site of its own the project has the one it is connected to. */
  async function siteOf(userId: number, projectId: number): Promise<KnownSite | null> {
    const [row] = await sql<(Omit<KnownSite, 'audit'> & { audit: StoredAudit | null })[]>`
      select p.id as "projectId", p.name as "projectName", coalesce(p.timezone, 'Europe/Moscow') as timezone, u.balance,
        coalesce(nullif(p.website_url, ''), (
          select coalesce(n.metadata ->> 'url', 'https://' || n.identifier) from platform_connections n
          where n.project_id = p.id and n.platform_type = any(${articlePlatforms}) order by n.id limit 1)) as url,
        (select count(*)::integer from competitor_analyses c where c.project_id = p.id) as analyses,
        (select json_build_object('url', a.url, 'at', a.audited_at, 'figures', ${figuresOf('a')},
            'recommendations', coalesce(a.recommendations, '[]'), 'previous', a.previous)
          from site_audits a where a.project_id = p.id) as audit
      from projects p join users u on u.id = p.user_id
      where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  function figuresOf(table: 'site_audits' | 'a') {
    const column = (name: string) => sql`${sql(table)}.${sql(name)}`;
    return sql`jsonb_build_object(
      'performance', ${column('performance')}, 'seo', ${column('seo_score')},
      'accessibility', ${column('accessibility')}, 'bestPractices', ${column('best_practices')},
      'lcpMs', ${column('lcp_ms')}, 'inpMs', ${column('inp_ms')}, 'cls', ${column('cls')}, 'ttfbMs', ${column('ttfb_ms')})`;
  }
}

/** Moments are texts: they come out of JSON. */
type StoredBranding = {
  url: string;
  at: string;
  colors: Record<string, string | undefined>;
  fonts: { heading?: string | null; body?: string | null };
  logoUrl: string | null;
};
type StoredAudit = {
  url: string;
  at: string;
  figures: AuditFigures;
  recommendations: Recommendation[];
  previous: { at: string; figures: AuditFigures } | null;
};
export type KnownSite = {
  projectId: number;
  projectName: string;
  timezone: string;
  balance: number;
  /** Null: there is nothing to audit. */
  url: string | null;
  /** How many competitors were analysed. */
  analyses: number;
  audit: StoredAudit | null;
};
