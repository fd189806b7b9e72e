import { expect, it } from 'vitest';
import { makeSiteKnowledge } from '../../src/store/site-knowledge.ts';
import { aProject, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const branding = {
  colors: { background: '#fff', text: '#333', accent: '#06c', primary: '#06c', secondary: '#999' },
  fonts: { heading: 'Inter', body: null },
  logoUrl: null,
};
const audit = {
  performance: 91,
  accessibility: 100,
  bestPractices: null,
  seo: 88,
  lcpMs: 2_400,
  inpMs: null,
  cls: 0.013,
  ttfbMs: 610,
  recommendations: [{ title: 'Сожмите картинки', description: '', priority: 'high' as const }],
  report: { lighthouseResult: {} },
};

forEachDatabase((sql) => {
  it('keeps how a site looks, and the newest replaces the older', async () => {
    const { site, knowledge } = await aSite();
    await knowledge.saveBranding(site, { ...branding, logoUrl: 'https://romashka.ru/old.svg' });
    await knowledge.saveBranding(site, branding);
    expect(
      await sql()`select url, colors, fonts, logo_url from site_brandings where project_id = ${site.projectId}`,
    ).toEqual([{ url: site.url, colors: branding.colors, fonts: branding.fonts, logo_url: null }]);
  });

  it('lets its owner change one colour and keeps the others', async () => {
    const { site, knowledge } = await aSite();
    const { userId, projectId } = site;
    expect(await knowledge.setColour(userId, projectId, 'accent', '#9c2f10')).toBe(false);
    await knowledge.saveBranding(site, branding);
    expect(await knowledge.setColour(userId, projectId, 'accent', '#9c2f10')).toBe(true);
    expect(await knowledge.setColour(await aUser(sql()), projectId, 'accent', '#000000')).toBe(false);
    expect(await knowledge.brandingOf(userId, projectId)).toMatchObject({
      colors: { ...branding.colors, accent: '#9c2f10' },
      fonts: branding.fonts,
    });
    expect(await knowledge.brandingOf(await aUser(sql()), projectId)).toBeNull();
  });

  it('keeps how fast a site is, and the newest replaces the older', async () => {
    const { site, knowledge } = await aSite();
    await knowledge.saveAudit(site, { ...audit, performance: 12 });
    await knowledge.saveAudit(site, audit);
    expect(await sql()`select * from site_audits where project_id = ${site.projectId}`).toMatchObject([
      {
        performance: 91,
        best_practices: null,
        seo_score: 88,
        lcp_ms: 2_400,
        recommendations: audit.recommendations,
        full_report: audit.report,
      },
    ]);
  });

  it('keeps the audit before beside the newest, for the same site alone', async () => {
    const { site, knowledge } = await aSite();
    const of = async () => (await knowledge.siteOf(site.userId, site.projectId))?.audit;
    await knowledge.saveAudit(site, { ...audit, performance: 12 });
    expect(await of()).toMatchObject({ figures: { performance: 12, cls: 0.013 }, previous: null });
    await knowledge.saveAudit(site, audit);
    expect(await of()).toMatchObject({
      figures: { performance: 91 },
      previous: { at: expect.any(String), figures: { performance: 12, seo: 88 } },
    });
    await knowledge.saveAudit({ ...site, url: 'https://drugoy.ru/' }, audit);
    expect(await of()).toMatchObject({ url: 'https://drugoy.ru/', previous: null });
  });

  it('audits the site of the project, or else the one it is connected to', async () => {
    const { site, knowledge } = await aSite();
    const urlOf = async () => (await knowledge.siteOf(site.userId, site.projectId))?.url;
    await sql()`update projects set website_url = null where id = ${site.projectId}`;
    expect(await urlOf()).toBeNull();
    await sql()`
      insert into platform_connections (project_id, platform_type, credentials, identifier)
      values (${site.projectId}, 'wordpress', 'sealed', 'blog.romashka.ru')`;
    expect(await urlOf()).toBe('https://blog.romashka.ru');
    await sql()`update projects set website_url = 'https://romashka.ru' where id = ${site.projectId}`;
    expect(await urlOf()).toBe('https://romashka.ru');
    expect(await knowledge.siteOf(await aUser(sql()), site.projectId)).toBeNull();
  });

  it('keeps nothing for a project that is gone, or somebody else’s', async () => {
    const { site, knowledge } = await aSite();
    const strangers = { ...site, userId: await aUser(sql()) };
    await knowledge.saveBranding(strangers, branding);
    await knowledge.saveAudit(strangers, audit);
    await sql()`delete from projects where id = ${site.projectId}`;
    await knowledge.saveBranding(site, branding);
    expect(await sql()`select 1 from site_brandings where project_id = ${site.projectId}`).toEqual([]);
    expect(await sql()`select 1 from site_audits where project_id = ${site.projectId}`).toEqual([]);
  });

  async function aSite() {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    return { site: { projectId, userId, url: 'https://romashka.ru/' }, knowledge: makeSiteKnowledge(sql()) };
  }
});
